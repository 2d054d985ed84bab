package io.boltshuffle.rdma.memory;

import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.Platform;
import com.sun.jna.Pointer;
import io.boltshuffle.os.OperatingSystem;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The few calls of the C library that shared memory needs, with the constants of both platforms. No other class of this
 * package names JNA.
 *
 * <p>Every call here happens at start-up or shutdown, so JNA's interface mapping is fast enough. It also passes C
 * varargs correctly, which Apple's arm64 convention puts on the stack ({@code shm_open} takes its mode that way).
 */
final class NativeMapping {

    /** The owner's access: read and write. */
    static final int READ_WRITE = 2;

    /** The readers' access. */
    static final int READ_ONLY = 0;

    private static final int ENOENT = 2;
    private static final int EINTR = 4;
    private static final int EINVAL = 22;
    private static final int ENOSPC = 28;
    private static final long MAP_FAILED = -1;

    private static final int PROT_NONE = 0;
    private static final int PROT_READ = 1;
    private static final int PROT_WRITE = 2;
    private static final int MAP_SHARED = 1;
    private static final int MAP_PRIVATE = 2;
    private static final int MAP_FIXED = 0x10;
    private static final int MAP_ANONYMOUS = isMac() ? 0x1000 : 0x20;
    private static final int MAP_NORESERVE = isMac() ? 0x40 : 0x4000;
    private static final int LINUX_MADV_HUGEPAGE = 14;

    private static final int O_CREAT = isMac() ? 0x200 : 0x40;
    private static final int O_EXCL = isMac() ? 0x800 : 0x80;
    private static final int O_CLOEXEC = isMac() ? 0x1000000 : 0x80000;
    private static final int OWNER_ONLY = 0600;

    /** Allocating in steps keeps one interrupted call from undoing gigabytes of work. */
    private static final long ALLOCATION_STEP_BYTES = 256L << 20;

    private NativeMapping() {}

    @SuppressWarnings("MemberName") // C names, verbatim
    private interface LibC extends Library {
        long mmap(long address, long length, int protection, int flags, int fd, long offset);

        int munmap(long address, long length);

        int madvise(long address, long length, int advice);

        int open(String path, int flags, Object... mode);

        int shm_open(String name, int flags, Object... mode);

        int shm_unlink(String name);

        int ftruncate(int fd, long length);

        int posix_fallocate(int fd, long offset, long length);

        int close(int fd);

        String strerror(int code);
    }

    /** Loads on first use, so that a reference to the outer class alone costs nothing. */
    private static final class Loaded {
        static final @Nullable LibC LIB_C;
        static final @Nullable LinkageError FAILURE;

        static {
            LibC library = null;
            LinkageError failure = null;
            try {
                library = Native.load(Platform.C_LIBRARY_NAME, LibC.class);
            } catch (LinkageError e) {
                failure = e;
            }
            LIB_C = library;
            FAILURE = failure;
        }
    }

    private static LibC libC() throws SlabException {
        LibC library = Loaded.LIB_C;
        if (library == null) {
            throw new SlabException(
                    "JNA cannot load its native stub; give it a directory that allows execution with -Djna.tmpdir=DIR",
                    Loaded.FAILURE);
        }
        return library;
    }

    static boolean isMac() {
        return OperatingSystem.current() == OperatingSystem.MACOS;
    }

    /** Opens an existing file. */
    static int openFile(String path, int access) throws SlabException {
        return checkDescriptor(libC().open(path, access | O_CLOEXEC), "open " + path);
    }

    /** Creates a POSIX shared memory object that must not exist yet, readable and writable by this user only. */
    static int createSharedMemory(String name) throws SlabException {
        // macOS refuses O_CLOEXEC here and sets it by itself; Linux does the same.
        return checkDescriptor(
                libC().shm_open(name, READ_WRITE | O_CREAT | O_EXCL, OWNER_ONLY), "shm_open to create " + name);
    }

    static int openSharedMemory(String name, int access) throws SlabException {
        return checkDescriptor(libC().shm_open(name, access, 0), "shm_open " + name);
    }

    /**
     * Returns whether there is certainly no object of this name. An object that cannot be opened for another reason may
     * exist.
     */
    static boolean isSharedMemoryGone(String name) throws SlabException {
        int descriptor = libC().shm_open(name, READ_ONLY, 0);
        if (descriptor < 0) {
            return Native.getLastError() == ENOENT;
        }
        closeDescriptor(descriptor);
        return false;
    }

    /** Removes the name. It does not matter if the name does not exist. */
    static void unlinkSharedMemory(String name) throws SlabException {
        if (libC().shm_unlink(name) != 0 && Native.getLastError() != ENOENT) {
            throw failure("shm_unlink " + name, Native.getLastError());
        }
    }

    static void closeDescriptor(int descriptor) throws SlabException {
        if (libC().close(descriptor) != 0) {
            throw failure("close of descriptor " + descriptor, Native.getLastError());
        }
    }

    /**
     * Gives the object its size and, on Linux, all its memory, so that a full tmpfs causes an exception here instead of
     * a SIGBUS at a later store. macOS has no such call for shared memory; there registration wires the pages.
     */
    static void allocate(int descriptor, long bytes) throws SlabException {
        if (libC().ftruncate(descriptor, bytes) != 0) {
            throw failure("ftruncate to " + bytes + " bytes", Native.getLastError());
        }
        if (isMac()) {
            return;
        }
        for (long offset = 0; offset < bytes; offset += ALLOCATION_STEP_BYTES) {
            long step = Math.min(ALLOCATION_STEP_BYTES, bytes - offset);
            int code;
            do {
                code = libC().posix_fallocate(descriptor, offset, step);
            } while (code == EINTR);
            if (code != 0) {
                throw failure("posix_fallocate of " + bytes + " bytes (stopped at " + offset + ")", code);
            }
        }
    }

    /**
     * Maps an object at an aligned address: reserves more address space than needed, maps over its aligned part, and
     * gives back the rest.
     *
     * @param alignment power of two, a multiple of the page size
     */
    static long mapShared(int descriptor, long bytes, int access, long alignment) throws SlabException {
        LibC libC = libC();
        long reservedBytes = bytes + alignment;
        long reserved = libC.mmap(0, reservedBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (reserved == MAP_FAILED) {
            throw failure("mmap to reserve " + reservedBytes + " bytes of address space", Native.getLastError());
        }
        long aligned = (reserved + alignment - 1) & -alignment;
        int protection = access == READ_WRITE ? PROT_READ | PROT_WRITE : PROT_READ;
        long mapped = libC.mmap(aligned, bytes, protection, MAP_SHARED | MAP_FIXED, descriptor, 0);
        if (mapped == MAP_FAILED) {
            int code = Native.getLastError();
            libC.munmap(reserved, reservedBytes);
            throw failure("mmap of " + bytes + " bytes", code);
        }
        unmapIfAny(libC, reserved, aligned - reserved);
        unmapIfAny(libC, aligned + bytes, reserved + reservedBytes - (aligned + bytes));
        return aligned;
    }

    private static void unmapIfAny(LibC libC, long address, long bytes) throws SlabException {
        if (bytes > 0 && libC.munmap(address, bytes) != 0) {
            throw failure("munmap of " + bytes + " reserved bytes", Native.getLastError());
        }
    }

    /** Asks for huge pages. A kernel that has none for shared memory refuses, which costs nothing but speed. */
    static void adviseHugePages(long address, long bytes) throws SlabException {
        if (!isMac()) {
            libC().madvise(address, bytes, LINUX_MADV_HUGEPAGE);
        }
    }

    static void unmap(long address, long bytes) throws SlabException {
        if (libC().munmap(address, bytes) != 0) {
            throw failure("munmap of " + bytes + " bytes", Native.getLastError());
        }
    }

    /** Returns a buffer over native memory. The buffer does not keep the memory mapped. */
    static ByteBuffer bufferAt(long address, int bytes) {
        return new Pointer(address).getByteBuffer(0, bytes);
    }

    private static int checkDescriptor(int descriptor, String call) throws SlabException {
        if (descriptor < 0) {
            throw failure(call, Native.getLastError());
        }
        return descriptor;
    }

    private static SlabException failure(String call, int code) throws SlabException {
        String remedy = switch (code) {
            case ENOSPC -> "; the file system is full: free space on it, enlarge it, or ask for a smaller slab";
            case ENOENT -> "; it does not exist (any more): its owner has closed it or never made it";
            case EINVAL -> "; the object may be smaller than what was asked for";
            default -> "";
        };
        return new SlabException(call + " failed: errno " + code + " (" + libC().strerror(code) + ")" + remedy);
    }
}
