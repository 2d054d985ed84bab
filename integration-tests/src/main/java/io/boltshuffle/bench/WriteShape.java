package io.boltshuffle.bench;

/**
 * A shuffle to write: rows of so many longs, spread by the hash of the first.
 *
 * @param rows of all map tasks together
 */
public record WriteShape(int maps, int partitions, long rows, int longs) {

    /** Returns a title for people. */
    public String title() {
        return String.format("%d x %d, %,d rows of %d longs", maps, partitions, rows, longs);
    }
}
