package io.boltshuffle.proof.soak.inspark;

import java.io.Serializable;
import java.util.Collection;
import java.util.Iterator;
import java.util.zip.CRC32C;
import scala.Tuple2;

/**
 * A digest of rows with their keys.
 *
 * @param unordered of keys and values, the same whatever the order of the rows
 * @param ordered of the keys in their order, the same wherever partitions begin
 */
record RowSum(long rows, long unordered, long ordered) implements Serializable {
    private static final RowSum EMPTY = new RowSum(0, 0, 0);
    private static final long ODD = 0x9e3779b97f4a7c15L;

    static RowSum of(Iterator<Tuple2<Integer, byte[]>> rows) {
        RowSum sum = EMPTY;
        while (rows.hasNext()) {
            Tuple2<Integer, byte[]> row = rows.next();
            sum = new RowSum(sum.rows + 1, sum.unordered + hash(row), sum.ordered * ODD + row._1());
        }
        return sum;
    }

    private static long hash(Tuple2<Integer, byte[]> row) {
        CRC32C crc = new CRC32C();
        crc.update(row._2());
        return (row._1() * ODD) ^ (crc.getValue() * 31);
    }

    /** Returns the digest of these rows followed by those of {@code next}. */
    private RowSum then(RowSum next) {
        long shifted = ordered;
        for (long row = 0; row < next.rows; row++) {
            shifted *= ODD;
        }
        return new RowSum(rows + next.rows, unordered + next.unordered, shifted + next.ordered);
    }

    /** Returns the digest of all rows of the partitions, in order. */
    static RowSum ofPartitions(Iterable<RowSum> partitions) {
        RowSum sum = EMPTY;
        for (RowSum partition : partitions) {
            sum = sum.then(partition);
        }
        return sum;
    }

    /** Says which rows are in which partition, whatever their order there. */
    static String byPartition(Collection<RowSum> partitions) {
        long all = 0;
        for (RowSum partition : partitions) {
            all = (all + partition.rows) * ODD + partition.unordered;
        }
        return Long.toHexString(all) + " in " + partitions.size();
    }
}
