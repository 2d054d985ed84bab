package io.boltshuffle.proof.bench.inspark.write;

import java.io.Serializable;

/**
 * A shuffle to write: records of so many longs, spread by the hash of the first. Tasks get it with what they run.
 *
 * @param rows of all map tasks together
 */
public record WriteShape(RecordKind records, int maps, int partitions, long rows, int longs) implements Serializable {

    /** Returns a title for people. */
    public String title() {
        return String.format("%d x %d, %,d %s of %d longs", maps, partitions, rows, records.title(), longs);
    }

    /** Returns the shape with so many percent of its rows. */
    public WriteShape percent(int percent) {
        return new WriteShape(records, maps, partitions, rows * percent / 100, longs);
    }
    /** Returns a shape that runs the same code, with a tenth of the rows in a few tasks. */
    WriteShape forWarmUp() {
        return new WriteShape(records, Math.min(maps, 8), partitions, rows / 10, longs);
    }
}
