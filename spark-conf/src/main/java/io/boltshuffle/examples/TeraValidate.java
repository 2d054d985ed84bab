package io.boltshuffle.examples;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * Checks outputs of {@link TeraSort} against their input: {@code TeraValidate <input> <output>...}. Each output has to
 * be sorted within and across its files, and to hold exactly the input's rows. A wrong output ends the program with an
 * error.
 */
public final class TeraValidate {
    private TeraValidate() {}

    public static void main(String[] args) throws IOException {
        Usage.require(args, 2, "TeraValidate <input> <output>...");
        try (JavaSparkContext spark = new JavaSparkContext(new SparkConf().setAppName("TeraValidate"))) {
            validate(spark, args[0], Arrays.asList(args).subList(1, args.length));
        }
    }

    /** Validates in an existing application. */
    public static void validate(JavaSparkContext spark, String input, List<String> outputs) throws IOException {
        List<TeraSummary> unsorted = summarize(spark, input);
        for (String output : outputs) {
            List<TeraSummary> sorted = summarize(spark, output);
            Optional<String> wrong = fault(unsorted, sorted);
            if (wrong.isPresent()) {
                throw new IllegalStateException(output + " is not the sorted input: " + wrong.get());
            }
            System.out.printf(
                    "TeraValidate: %s: %d rows, sorted, checksum %016x as in the input%n",
                    output, TeraSummary.totalRows(sorted), TeraSummary.totalChecksum(sorted));
        }
    }

    /** Returns what distinguishes {@code output} from the sorted {@code input}. */
    static Optional<String> fault(List<TeraSummary> input, List<TeraSummary> output) {
        long rows = TeraSummary.totalRows(output);
        if (rows != TeraSummary.totalRows(input)) {
            return Optional.of(rows + " rows in place of " + TeraSummary.totalRows(input));
        }
        if (TeraSummary.totalChecksum(output) != TeraSummary.totalChecksum(input)) {
            return Optional.of("the checksum of its rows differs from the input's");
        }
        return TeraSummary.disorder(output);
    }

    /** Returns one summary for each file, in the order of their names, which is the order of the partitions. */
    private static List<TeraSummary> summarize(JavaSparkContext spark, String directory) throws IOException {
        Path path = new Path(directory);
        List<String> files = new ArrayList<>();
        for (FileStatus file : path.getFileSystem(spark.hadoopConfiguration()).listStatus(path)) {
            if (file.getPath().getName().startsWith("part-")) {
                files.add(file.getPath().toString());
            }
        }
        if (files.isEmpty()) {
            throw new IllegalStateException(directory + " holds no part files");
        }
        files.sort(null);
        return spark.parallelize(files, files.size())
                .map(TeraValidate::summarizeFile)
                .collect();
    }

    private static TeraSummary summarizeFile(String file) throws IOException {
        Path path = new Path(file);
        try (InputStream in =
                new BufferedInputStream(path.getFileSystem(new Configuration()).open(path), 1 << 18)) {
            return TeraSummary.of(file, in);
        }
    }
}
