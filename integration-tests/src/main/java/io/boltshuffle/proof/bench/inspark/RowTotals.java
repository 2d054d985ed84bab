package io.boltshuffle.proof.bench.inspark;

import java.io.Serializable;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.JavaPairRDD;
import scala.Tuple2;

/**
 * Totals of rows, however they are cut into partitions.
 *
 * @param sum of their keys, each times the ends of its value, so that a value with another key shows
 */
record RowTotals(long rows, long sum) implements Serializable {
    static final RowTotals NONE = new RowTotals(0, 0);

    static RowTotals of(Iterator<Tuple2<Integer, byte[]>> rows) {
        long count = 0;
        long sum = 0;
        while (rows.hasNext()) {
            Tuple2<Integer, byte[]> row = rows.next();
            byte[] value = row._2();
            count++;
            sum += row._1() * (long) (1 + (value[0] << Byte.SIZE) + value[value.length - 1]);
        }
        return new RowTotals(count, sum);
    }

    /** Computes totals of all partitions, which is a job of Spark's. */
    static RowTotals ofAll(JavaPairRDD<Integer, byte[]> shuffled) {
        List<byte[]> totals = shuffled.mapPartitions(
                        rows -> List.of(Passage.toBytes(of(rows))).iterator())
                .collect();
        return totals.stream()
                .map(bytes -> Passage.fromBytes(bytes, RowTotals.class))
                .reduce(NONE, RowTotals::plus);
    }

    RowTotals plus(RowTotals other) {
        return new RowTotals(rows + other.rows, sum + other.sum);
    }
}
