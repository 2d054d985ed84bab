package io.boltshuffle.rdma.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Creates, opens and removes the named object behind a slab, of either kind. */
final class SharedObject {

    private SharedObject() {}

    /**
     * Creates the object with all its memory, readable and writable by this user only. It first removes an object that
     * a crashed owner left under the same name, which does not disturb processes that still map it.
     *
     * @return an open descriptor, which the caller closes
     */
    static int create(SlabLocation location, long bytes) throws SlabException {
        remove(location);
        SlabRoom.check(location, bytes);
        int descriptor;
        if (location.kind() == SlabLocation.Kind.FILE) {
            createFile(Path.of(location.name()));
            descriptor = NativeMapping.openFile(location.name(), NativeMapping.READ_WRITE);
        } else {
            descriptor = NativeMapping.createSharedMemory(location.name());
        }
        try {
            NativeMapping.allocate(descriptor, bytes);
            return descriptor;
        } catch (SlabException e) {
            NativeMapping.closeDescriptor(descriptor);
            remove(location);
            throw new SlabException("cannot make slab " + location + ": " + e.getMessage(), e);
        }
    }

    private static void createFile(Path path) throws SlabException {
        try {
            // CREATE_NEW never follows a link that another user put there.
            Files.createFile(path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        } catch (IOException e) {
            throw new SlabException("cannot make slab file " + path + ": " + e, e);
        }
    }

    /**
     * Opens an existing object, after checking that all of {@code bytes} is there.
     *
     * @param access {@link NativeMapping#READ_ONLY} or {@link NativeMapping#READ_WRITE}
     */
    static int open(SlabLocation location, long bytes, int access) throws SlabException {
        if (location.kind() == SlabLocation.Kind.POSIX_SHARED_MEMORY) {
            // The size needs no check on macOS: mmap refuses more than there is.
            return NativeMapping.openSharedMemory(location.name(), access);
        }
        long found;
        try {
            found = Files.size(Path.of(location.name()));
        } catch (IOException e) {
            throw new SlabException("cannot map slab " + location + ": " + e + "; its owner may be gone", e);
        }
        if (found < bytes) {
            throw new SlabException("slab " + location + " has " + found + " bytes where " + bytes
                    + " were announced; its owner may have been replaced");
        }
        return NativeMapping.openFile(location.name(), access);
    }

    /** Returns what tells a file from another of the same name; null if the system has no such thing. */
    static @Nullable Object identityOf(SlabLocation location) throws SlabException {
        if (location.kind() == SlabLocation.Kind.POSIX_SHARED_MEMORY) {
            return null;
        }
        try {
            return attributes(location).fileKey();
        } catch (IOException e) {
            throw new SlabException("cannot look at slab " + location + ": " + e, e);
        }
    }

    /**
     * Returns what happened to an object that was created with so many bytes: nothing, or what other processes would
     * find instead, if that is certain. An error of a system that is short of descriptors says nothing about the
     * object.
     *
     * @param identity what {@link #identityOf} returned when the object was created
     */
    static Optional<String> damage(SlabLocation location, long bytes, @Nullable Object identity) {
        try {
            if (location.kind() == SlabLocation.Kind.POSIX_SHARED_MEMORY) {
                return NativeMapping.isSharedMemoryGone(location.name()) ? gone(location) : Optional.empty();
            }
            BasicFileAttributes now = attributes(location);
            if (!Objects.equals(now.fileKey(), identity)) {
                return Optional.of("another file took the name of slab " + location);
            }
            return now.size() == bytes
                    ? Optional.empty()
                    : Optional.of("slab " + location + " was made with " + bytes + " bytes and has " + now.size());
        } catch (NoSuchFileException e) {
            return gone(location);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static Optional<String> gone(SlabLocation location) {
        return Optional.of("slab " + location + " cannot be found by its name any more");
    }

    /** Removes the name, unless another object has it now. */
    static void removeOwn(SlabLocation location, @Nullable Object identity) throws SlabException {
        if (location.kind() == SlabLocation.Kind.FILE && identity != null) {
            try {
                if (!identity.equals(attributes(location).fileKey())) {
                    return;
                }
            } catch (NoSuchFileException e) {
                return;
            } catch (IOException e) {
                throw new SlabException("cannot look at slab " + location + ": " + e, e);
            }
        }
        remove(location);
    }

    private static BasicFileAttributes attributes(SlabLocation location) throws IOException {
        return Files.readAttributes(Path.of(location.name()), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    /** Removes the name, if it exists. */
    static void remove(SlabLocation location) throws SlabException {
        if (location.kind() == SlabLocation.Kind.POSIX_SHARED_MEMORY) {
            NativeMapping.unlinkSharedMemory(location.name());
            return;
        }
        try {
            Files.deleteIfExists(Path.of(location.name()));
        } catch (IOException e) {
            throw new SlabException(
                    "cannot remove slab file " + location.name() + ": " + e
                            + "; if another user owns it, configure another name or directory",
                    e);
        }
    }
}
