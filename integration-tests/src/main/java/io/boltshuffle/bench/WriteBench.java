package io.boltshuffle.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;

/**
 * Repartitions rows by hash in this process, with each kind of writer in turn: {@code WriteBench <plan> <results>}, a
 * {@link WritePlan} and a list of {@link WriteSample}s as JSON files. Every sample has a Spark context of its own; the
 * JVM is warm.
 */
public final class WriteBench {
    private final WritePlan plan;
    private final List<WriteSample> samples = new ArrayList<>();

    private WriteBench(WritePlan plan) {
        this.plan = plan;
    }

    public static void main(String[] args) throws IOException {
        if (args.length != 2) {
            throw new IllegalArgumentException("usage: WriteBench <plan> <results>");
        }
        ObjectMapper json = new ObjectMapper();
        WriteBench bench = new WriteBench(json.readValue(new File(args[0]), WritePlan.class));
        bench.run();
        json.writeValue(new File(args[1]), bench.samples);
    }

    private void run() {
        WriterKind[] kinds = WriterKind.values();
        for (String codec : plan.codecs()) {
            for (WriteShape shape : plan.shapes()) {
                for (int round = 0; round <= plan.rounds(); round++) {
                    for (int turn = 0; turn < kinds.length; turn++) {
                        WriterKind kind = kinds[(turn + round) % kinds.length];
                        double seconds = measure(shape, codec, kind);
                        if (round > 0) {
                            samples.add(new WriteSample(shape.title(), codec, kind, seconds));
                        }
                    }
                }
            }
        }
    }

    private double measure(WriteShape shape, String codec, WriterKind kind) {
        try (SparkSession spark =
                SparkSession.builder().config(conf(codec, kind)).getOrCreate()) {
            Column[] columns = IntStream.range(0, shape.longs())
                    .mapToObj(index -> index == 0
                            ? functions.col("id")
                            : functions
                                    .col("id")
                                    .multiply(index * 7919L)
                                    .mod(1_000_003L)
                                    .as("c" + index))
                    .toArray(Column[]::new);
            long start = System.nanoTime();
            spark.range(0, shape.rows(), 1, shape.maps())
                    .select(columns)
                    .repartition(shape.partitions(), functions.col("id"))
                    .write()
                    .format("noop")
                    .mode("overwrite")
                    .save();
            return (System.nanoTime() - start) / 1e9;
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private SparkConf conf(String codec, WriterKind kind) {
        SparkConf conf = new SparkConf()
                .set("spark.local.dir", plan.localDirectory())
                .set("spark.sql.adaptive.enabled", "false")
                .set("spark.shuffle.compress", String.valueOf(!codec.equals("none")))
                .set("spark.shuffle.sort.bypassMergeThreshold", kind == WriterKind.SERIALIZED ? "1" : "200");
        if (!codec.equals("none")) {
            conf.set("spark.io.compression.codec", codec);
        }
        if (kind != WriterKind.OURS) {
            conf.set("spark.shuffle.manager", "sort");
        }
        return conf;
    }
}
