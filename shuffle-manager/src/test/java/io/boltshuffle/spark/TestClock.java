package io.boltshuffle.spark;

import org.apache.spark.util.Clock;
import org.jspecify.annotations.Nullable;

/** Time that passes when the test says so. */
public final class TestClock implements Clock {
    private long nanos;
    private @Nullable Error failure;

    public void advance(long byNanos) {
        nanos += byNanos;
    }

    /** Has this error come of each look at the time from now on. */
    public void failWith(Error error) {
        failure = error;
    }

    @Override
    public long nanoTime() {
        if (failure != null) {
            throw failure;
        }
        return nanos;
    }

    @Override
    public long getTimeMillis() {
        return nanos / 1_000_000;
    }

    @Override
    public long waitTillTime(long targetTimeMillis) {
        throw new UnsupportedOperationException("nothing here waits");
    }
}
