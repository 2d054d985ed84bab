package io.boltshuffle.rdma.link.move;

import org.jspecify.annotations.Nullable;

/** Arithmetic on optional points in time, in nanoseconds of a clock that may wrap. */
public final class Deadlines {

    private Deadlines() {}

    public static @Nullable Long earlier(@Nullable Long a, @Nullable Long b) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        return a - b <= 0 ? a : b;
    }

    public static boolean isOver(@Nullable Long deadlineNanos, long nowNanos) {
        return deadlineNanos != null && nowNanos - deadlineNanos >= 0;
    }
}
