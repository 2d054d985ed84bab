package io.boltshuffle.examples;

import java.util.Arrays;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/** Moves rows between Spark and files of any Hadoop file system. */
final class TeraFiles {
    private TeraFiles() {}

    static JavaPairRDD<byte[], byte[]> read(JavaSparkContext spark, String path) {
        return keyed(spark.binaryRecords(path, TeraRecord.ROW_BYTES));
    }

    static JavaPairRDD<byte[], byte[]> keyed(JavaRDD<byte[]> rows) {
        return rows.mapToPair(row -> new Tuple2<>(
                Arrays.copyOf(row, TeraRecord.KEY_BYTES),
                Arrays.copyOfRange(row, TeraRecord.KEY_BYTES, TeraRecord.ROW_BYTES)));
    }

    static void write(JavaPairRDD<byte[], byte[]> rows, String path) {
        rows.saveAsNewAPIHadoopFile(path, byte[].class, byte[].class, TeraOutputFormat.class);
    }
}
