package io.boltshuffle.proof.bench.inspark.write;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import scala.Tuple2;

/**
 * Repartitions rows by hash in this process, with one kind of writer: {@code WriteBench <plan> <results>}, a
 * {@link WritePlan} and a list of {@link WriteSample}s as JSON files. Every sample has a Spark context of its own. A
 * smaller one before it warms the JVM. The results are written after each sample.
 */
public final class WriteBench {
    /** The part of any heap that Spark leaves alone. */
    private static final long RESERVED_BYTES = 300L << 20;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final WritePlan plan;
    private final Path results;
    private final List<WriteSample> samples = new ArrayList<>();

    private WriteBench(WritePlan plan, Path results) {
        this.plan = plan;
        this.results = results;
    }

    public static void main(String[] args) throws IOException {
        if (args.length != 2) {
            throw new IllegalArgumentException("usage: WriteBench <plan> <results>");
        }
        new WriteBench(JSON.readValue(new File(args[0]), WritePlan.class), Path.of(args[1])).run();
    }

    private void run() throws IOException {
        for (String codec : plan.codecs()) {
            for (WriteShape shape : plan.shapes()) {
                measure(shape.forWarmUp(), codec);
                samples.add(measure(shape, codec));
                write();
            }
        }
    }

    /** Replaces the file at once, so that it is whole whenever this process is stopped. */
    private void write() throws IOException {
        Path making = results.resolveSibling(results.getFileName() + ".making");
        Files.write(making, JSON.writeValueAsBytes(samples));
        Files.move(making, results, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    private WriteSample measure(WriteShape shape, String codec) {
        WriteListener stages = new WriteListener();
        double seconds;
        try (SparkSession spark = SparkSession.builder().config(conf(codec)).getOrCreate()) {
            spark.sparkContext().addSparkListener(stages);
            long start = System.nanoTime();
            switch (shape.records()) {
                case SQL -> repartitionRows(spark, shape);
                case KRYO -> repartitionObjects(JavaSparkContext.fromSparkContext(spark.sparkContext()), shape);
            }
            seconds = (System.nanoTime() - start) / 1e9;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new WriteSample(shape.title(), codec, plan.writer(), seconds, stages.figures());
    }

    private static void repartitionRows(SparkSession spark, WriteShape shape) {
        Column[] columns = IntStream.range(0, shape.longs())
                .mapToObj(index -> index == 0
                        ? functions.col("id")
                        : functions
                                .col("id")
                                .multiply(index * 7919L)
                                .mod(1_000_003L)
                                .as("c" + index))
                .toArray(Column[]::new);
        spark.range(0, shape.rows(), 1, shape.maps())
                .select(columns)
                .repartition(shape.partitions(), functions.col("id"))
                .write()
                .format("noop")
                .mode("overwrite")
                .save();
    }

    private static void repartitionObjects(JavaSparkContext spark, WriteShape shape) {
        long read = spark.parallelize(IntStream.range(0, shape.maps()).boxed().toList(), shape.maps())
                .flatMapToPair(map -> objects(shape, map))
                .partitionBy(new HashPartitioner(shape.partitions()))
                .mapPartitions(records -> List.of(count(records)).iterator())
                .reduce(Long::sum);
        if (read != shape.rows()) {
            throw new IllegalStateException(read + " objects came of " + shape.rows());
        }
    }

    private static Iterator<Tuple2<Long, Measurement>> objects(WriteShape shape, int map) {
        return LongStream.range(shape.rows() * map / shape.maps(), shape.rows() * (map + 1) / shape.maps())
                .mapToObj(id -> new Tuple2<>(id, new Measurement(id, shape.longs() - 1)))
                .iterator();
    }

    private static long count(Iterator<Tuple2<Long, Measurement>> records) {
        long count = 0;
        while (records.hasNext()) {
            if (records.next()._2().sum() < 0) {
                throw new IllegalStateException("no measurement is negative");
            }
            count++;
        }
        return count;
    }

    private SparkConf conf(String codec) {
        SparkConf conf = new SparkConf()
                .set("spark.local.dir", plan.localDirectory())
                .set("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
                .set("spark.kryo.classesToRegister", Measurement.class.getName())
                .set("spark.sql.adaptive.enabled", "false")
                .set("spark.shuffle.compress", String.valueOf(!codec.equals("none")))
                .set("spark.shuffle.sort.bypassMergeThreshold", plan.writer() == WriterKind.SERIALIZED ? "1" : "200");
        if (!codec.equals("none")) {
            conf.set("spark.io.compression.codec", codec);
        }
        if (plan.executionBytes() > 0) {
            conf.set("spark.memory.fraction", String.valueOf(memoryFraction(plan.executionBytes())));
        }
        return conf;
    }

    private static double memoryFraction(long executionBytes) {
        return executionBytes / (double) (Runtime.getRuntime().maxMemory() - RESERVED_BYTES);
    }
}
