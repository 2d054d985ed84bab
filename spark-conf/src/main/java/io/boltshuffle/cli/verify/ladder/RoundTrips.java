package io.boltshuffle.cli.verify.ladder;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Round trips of one message size, in microseconds.
 *
 * @param messageBytes sent and sent back
 * @param rounds how many were measured
 */
public record RoundTrips(int messageBytes, int rounds, double min, double p50, double p90, double p99, double max) {

    private static final int ENCODED_BYTES = 2 * Integer.BYTES + 5 * Double.BYTES;

    static RoundTrips of(int messageBytes, long[] nanos) {
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        return new RoundTrips(
                messageBytes,
                sorted.length,
                micros(sorted, 0),
                micros(sorted, 0.5),
                micros(sorted, 0.9),
                micros(sorted, 0.99),
                micros(sorted, 1));
    }

    /** Encodes the times for the peer, which timed nothing itself. */
    ByteBuffer encode() {
        return ByteBuffer.allocate(ENCODED_BYTES)
                .putInt(messageBytes)
                .putInt(rounds)
                .putDouble(min)
                .putDouble(p50)
                .putDouble(p90)
                .putDouble(p99)
                .putDouble(max)
                .flip();
    }

    static RoundTrips decode(ByteBuffer from) {
        return new RoundTrips(
                from.getInt(),
                from.getInt(),
                from.getDouble(),
                from.getDouble(),
                from.getDouble(),
                from.getDouble(),
                from.getDouble());
    }

    private static double micros(long[] sorted, double quantile) {
        return sorted[(int) Math.round(quantile * (sorted.length - 1))] / 1000.0;
    }
}
