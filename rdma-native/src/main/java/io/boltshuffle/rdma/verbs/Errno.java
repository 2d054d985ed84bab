package io.boltshuffle.rdma.verbs;

import io.boltshuffle.os.OperatingSystem;
import java.util.Optional;

/** The errno values that verbs calls are known to return, with their number on each platform. */
enum Errno {
    EPERM(1, 1),
    ENOENT(2, 2),
    EINTR(4, 4),
    EIO(5, 5),
    ENXIO(6, 6),
    EAGAIN(11, 35),
    ENOMEM(12, 12),
    EACCES(13, 13),
    EFAULT(14, 14),
    EBUSY(16, 16),
    EEXIST(17, 17),
    ENODEV(19, 19),
    EINVAL(22, 22),
    EMFILE(24, 24),
    ENOSPC(28, 28),
    ENOSYS(38, 78),
    ENODATA(61, 96),
    EPROTO(71, 100),
    EOVERFLOW(75, 84),
    EMSGSIZE(90, 40),
    EPROTONOSUPPORT(93, 43),
    ENOTSUP(95, 45),
    EOPNOTSUPP(95, 102),
    ENETUNREACH(101, 51),
    ENOBUFS(105, 55),
    ETIMEDOUT(110, 60),
    EHOSTUNREACH(113, 65);

    /** The platform whose numbers a library uses. */
    enum Platform {
        LINUX,
        DARWIN;

        static Platform ofThisHost() {
            return OperatingSystem.current() == OperatingSystem.MACOS ? DARWIN : LINUX;
        }
    }

    private final int linux;
    private final int darwin;

    Errno(int linux, int darwin) {
        this.linux = linux;
        this.darwin = darwin;
    }

    int number(Platform platform) {
        return platform == Platform.DARWIN ? darwin : linux;
    }

    /**
     * Returns the name for a positive number. If two names share it (Linux: 95), this is the one that the facts use.
     */
    static Optional<Errno> of(Platform platform, int number) {
        Optional<Errno> found = Optional.empty();
        for (Errno errno : values()) {
            if (errno.number(platform) == number) {
                found = Optional.of(errno);
            }
        }
        return found;
    }

    /**
     * Returns the errno behind the return value of a call: most calls return a positive errno, Apple's post calls a
     * negative one.
     *
     * <p>Source: {@code docs/verbs-contract.md#errno}.
     */
    static int fromReturn(int returned) {
        return Math.abs(returned);
    }

    /** Returns name and number for people, as {@code ETIMEDOUT (60)}. */
    static String describe(Platform platform, int number) {
        return of(platform, number).map(errno -> errno + " (" + number + ")").orElse("errno " + number);
    }
}
