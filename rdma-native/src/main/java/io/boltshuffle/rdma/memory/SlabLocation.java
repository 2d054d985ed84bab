package io.boltshuffle.rdma.memory;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The name under which another process of the same user can map a slab.
 *
 * @param kind file or POSIX shared memory
 * @param name absolute path of the file, or name of the shared memory object with its leading slash
 */
public record SlabLocation(Kind kind, String name) {

    /** The longest name of shared memory on macOS ({@code PSHMNAMLEN}), slash included; Linux allows more. */
    private static final int MAX_SHARED_MEMORY_NAME_BYTES = 31;

    private static final Path LINUX_TMPFS = Path.of("/dev/shm");

    /** The two kinds of memory that processes can share by name. */
    public enum Kind {
        /** A file, meant to be on tmpfs. */
        FILE,
        /** {@code shm_open}. Such memory is known to register on macOS; file mappings are not. */
        POSIX_SHARED_MEMORY
    }

    /** @throws IllegalArgumentException if the name is not legal */
    public SlabLocation {
        if (kind == Kind.FILE && !Path.of(name).isAbsolute()) {
            throw new IllegalArgumentException("the path of a slab must be absolute: " + name);
        }
        if (kind == Kind.POSIX_SHARED_MEMORY) {
            checkSharedMemoryName(name);
        }
    }

    /** Returns the location of a file; the directory should be on tmpfs. */
    public static SlabLocation file(Path path) {
        return new SlabLocation(Kind.FILE, path.toAbsolutePath().toString());
    }

    /** Returns the location of a POSIX shared memory object; a missing leading slash is added. */
    public static SlabLocation posixSharedMemory(String name) {
        return new SlabLocation(Kind.POSIX_SHARED_MEMORY, name.startsWith("/") ? name : "/" + name);
    }

    /**
     * Returns the location to use when none is configured: shared memory on macOS, a file in {@code /dev/shm}
     * elsewhere.
     *
     * @param name up to 30 bytes without slashes, the same at every start of one owner and used by no other
     * @throws SlabException if the host has no such place
     */
    public static SlabLocation preferred(String name) throws SlabException {
        checkSharedMemoryName("/" + name);
        if (NativeMapping.isMac()) {
            return posixSharedMemory(name);
        }
        if (!Files.isDirectory(LINUX_TMPFS) || !Files.isWritable(LINUX_TMPFS)) {
            throw new SlabException("there is no writable " + LINUX_TMPFS
                    + " for the slab; mount a tmpfs there, or start the container with --shm-size=1g");
        }
        return file(LINUX_TMPFS.resolve(name));
    }

    private static void checkSharedMemoryName(String name) {
        int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        if (bytes < 2 || bytes > MAX_SHARED_MEMORY_NAME_BYTES || name.lastIndexOf('/') != 0) {
            throw new IllegalArgumentException("a shared memory name is a slash and 1 to "
                    + (MAX_SHARED_MEMORY_NAME_BYTES - 1) + " bytes without slashes: " + name);
        }
    }

    @Override
    public String toString() {
        return (kind == Kind.FILE ? "file:" : "shm:") + name;
    }
}
