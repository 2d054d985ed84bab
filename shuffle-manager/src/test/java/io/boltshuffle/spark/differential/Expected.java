package io.boltshuffle.spark.differential;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import scala.Product2;

/** Says what a reader has to read, by the trial's records alone. */
final class Expected {
    private Expected() {}

    /** Returns the records of each range, in the order in which the map tasks wrote them. */
    static List<List<byte[]>> of(Trial trial) {
        int partitions = trial.partitioner().numPartitions();
        int width = (partitions + trial.ranges() - 1) / trial.ranges();
        List<List<byte[]>> ranges = new ArrayList<>();
        for (int from = 0; from < partitions; from += width) {
            ranges.add(new ArrayList<>());
        }
        for (int map = 0; map < trial.maps(); map++) {
            List<List<byte[]>> ofPartitions = new ArrayList<>();
            for (int partition = 0; partition < partitions; partition++) {
                ofPartitions.add(new ArrayList<>());
            }
            Iterator<Product2<Object, Object>> records = trial.input().records(map);
            while (records.hasNext()) {
                Product2<Object, Object> record = records.next();
                ofPartitions
                        .get(trial.partitioner().getPartition(record._1()))
                        .add(ShuffleSide.canonical(record._1(), record._2()));
            }
            for (int partition = 0; partition < partitions; partition++) {
                ranges.get(partition / width).addAll(ofPartitions.get(partition));
            }
        }
        return ranges;
    }
}
