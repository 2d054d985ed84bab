package io.boltshuffle.spark;

import org.apache.spark.util.Clock;

/** Time that passes when the test says so. */
public final class TestClock implements Clock {
    private long nanos;

    public void advance(long byNanos) {
        nanos += byNanos;
    }

    @Override
    public long nanoTime() {
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
