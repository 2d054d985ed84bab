package io.boltshuffle.proof.bench.inspark;

import java.io.Serializable;

/**
 * A shuffle to fetch from: each of {@code mapsPerHost} files on each host has one block for each of {@code reducers}.
 *
 * @param blockBytes the most that a block has; at least 256
 */
public record ShuffleShape(int blockBytes, int mapsPerHost, int reducers) implements Serializable {
    private static final int MOST_MAPS = 128;
    private static final long ONE_REDUCER_BYTES = 8L << 20;

    /**
     * Returns a shape of about {@code hostBytes} on each host, with as many files as a reducer of some MiB would read
     * from.
     */
    public static ShuffleShape of(int blockBytes, long hostBytes) {
        int maps = (int) Math.max(1, Math.min(MOST_MAPS, Math.min(ONE_REDUCER_BYTES, hostBytes) / blockBytes));
        return new ShuffleShape(blockBytes, maps, (int) Math.max(1, hostBytes / ((long) maps * blockBytes)));
    }

    public long hostBytes() {
        return (long) blockBytes * mapsPerHost * reducers;
    }
}
