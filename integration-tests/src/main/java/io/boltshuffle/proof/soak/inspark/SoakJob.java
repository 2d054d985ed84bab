package io.boltshuffle.proof.soak.inspark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.sum;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.StreamSupport;
import org.apache.spark.HashPartitioner;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.StorageLevels;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import scala.Tuple2;

/**
 * The jobs. They are small, and each moves blocks in a different way. The result of a job depends on its variation
 * alone.
 */
enum SoakJob {
    /** Reads blocks of a few kilobytes in many reduce tasks. */
    SMALL_BLOCKS {
        @Override
        String answer(SparkSession spark, int variation) {
            return digest(new RandomRows(6, 3_000, 100, variation).on(spark).partitionBy(new HashPartitioner(24)));
        }
    },
    /** Reads in two reduce tasks that hold more than their share of an agent's memory. */
    LARGE_BLOCKS {
        @Override
        String answer(SparkSession spark, int variation) {
            return digest(new RandomRows(4, 40, 256 << 10, variation).on(spark).partitionBy(new HashPartitioner(2)));
        }
    },
    /** Reads two shuffles side by side. */
    COGROUP {
        @Override
        String answer(SparkSession spark, int variation) {
            HashPartitioner eight = new HashPartitioner(8);
            JavaPairRDD<Integer, byte[]> left = keysBelow(700, new RandomRows(4, 2_000, 200, variation).on(spark));
            JavaPairRDD<Integer, byte[]> right =
                    keysBelow(900, new RandomRows(3, 1_000, 150, variation + 100).on(spark));
            return digest(left.cogroup(right, eight).flatMapValues(both -> {
                RowSum ofLeft = sumOf(both._1());
                RowSum ofRight = sumOf(both._2());
                byte[] text = (ofLeft.rows() + " " + ofLeft.unordered() + " " + ofRight.unordered())
                        .getBytes(StandardCharsets.UTF_8);
                return List.of(text).iterator();
            }));
        }
    },
    /** Uses a range partitioner, which runs a job of its own, and checks the order of the result. */
    SORTED {
        @Override
        String answer(SparkSession spark, int variation) {
            JavaPairRDD<Integer, byte[]> sorted =
                    new RandomRows(4, 5_000, 90, variation).on(spark).sortByKey(true, 6);
            return RowSum.ofPartitions(sums(sorted)).toString();
        }
    },
    /** Runs a join and two aggregates by Spark SQL, with adaptive execution. */
    QUERY {
        @Override
        String answer(SparkSession spark, int variation) {
            Dataset<Row> orders = spark.range(0, 60_000, 1, 4)
                    .select(
                            col("id"),
                            col("id")
                                    .multiply(lit(31 + variation))
                                    .mod(lit(997))
                                    .as("customer"));
            Dataset<Row> customers = spark.range(0, 997, 1, 3)
                    .select(col("id").as("customer"), col("id").mod(lit(40)).as("region"));
            return orders.join(customers, "customer")
                    .groupBy("region", "customer")
                    .agg(sum("id").as("total"))
                    .groupBy("region")
                    .agg(count(lit(1)).as("customers"), sum("total").as("total"))
                    .orderBy("region")
                    .collectAsList()
                    .toString();
        }
    },
    /** Broadcasts several pieces, which executors fetch from the driver and from each other. */
    BROADCAST {
        @Override
        String answer(SparkSession spark, int variation) {
            JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
            byte[] bytes = new byte[9 << 20];
            new Random(variation).nextBytes(bytes);
            Broadcast<byte[]> broadcast = context.broadcast(bytes);
            try {
                return context.parallelize(List.of(1, 2, 3, 4), 4)
                        .map(task -> RowSum.of(
                                List.of(new Tuple2<>(task, broadcast.value())).iterator()))
                        .collect()
                        .toString();
            } finally {
                broadcast.destroy();
            }
        }
    },
    /** Reads each pair of cached partitions in a task, which has one of them on another host more often than not. */
    CACHED {
        @Override
        String answer(SparkSession spark, int variation) {
            JavaPairRDD<Integer, byte[]> cached =
                    new RandomRows(4, 8, 128 << 10, variation).on(spark).persist(StorageLevels.MEMORY_AND_DISK);
            try {
                return RowSum.byPartition(sums(cached.cartesian(cached)
                        .mapToPair(pair -> new Tuple2<>(
                                pair._1()._1() * 31 + pair._2()._1(), pair._2()._2()))));
            } finally {
                cached.unpersist();
            }
        }
    };

    abstract String answer(SparkSession spark, int variation);

    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static JavaPairRDD<Integer, byte[]> keysBelow(int limit, JavaPairRDD<Integer, byte[]> rows) {
        return rows.mapToPair(row -> new Tuple2<>(Math.floorMod(row._1(), limit), row._2()));
    }

    private static RowSum sumOf(Iterable<byte[]> values) {
        return RowSum.of(StreamSupport.stream(values.spliterator(), false)
                .map(value -> new Tuple2<>(0, value))
                .iterator());
    }

    /** Digests the rows. Their partition counts, but not the order in which they came. */
    private static String digest(JavaPairRDD<Integer, byte[]> shuffled) {
        return RowSum.byPartition(sums(shuffled));
    }

    private static List<RowSum> sums(JavaPairRDD<Integer, byte[]> rows) {
        return rows.mapPartitions(partition -> List.of(RowSum.of(partition)).iterator())
                .collect();
    }
}
