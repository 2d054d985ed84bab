package io.boltshuffle.proof.bench.inspark;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.boltshuffle.examples.FeaturePrep;
import io.boltshuffle.examples.TeraSort;
import io.boltshuffle.proof.bench.inspark.JobPlan.QueryPlan;
import io.boltshuffle.proof.queries.inspark.RowDigest;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Runs TeraSort, small jobs and an ETL job once, and each query and cell of a notebook once or several times:
 * {@code JobBench <plan> <results>}, a {@link JobPlan} and a list of {@link PieceSample}s as JSON files. Nothing is
 * warmed up, because people run jobs in this way. Later runs of a query are pieces of their own, as in an application
 * that stays, such as a notebook's.
 */
public final class JobBench {
    /** Begins the answer of a query that failed. */
    public static final String FAILED = "failed";

    /** Names the piece that is the start of a notebook's session. */
    public static final String SESSION = "notebook session";

    /** Stands between the name of a query and the number of a later run, in the name of that run. */
    public static final String LATER = " run ";

    private final SparkSession session;
    private final JavaSparkContext spark;
    private final JobPlan plan;
    private final PieceMeter meter;

    private JobBench(SparkSession session, JobPlan plan) {
        this.session = session;
        this.spark = JavaSparkContext.fromSparkContext(session.sparkContext());
        this.plan = plan;
        this.meter = new PieceMeter(spark, plan.agents());
    }

    public static void main(String[] args) throws IOException {
        if (args.length != 2) {
            throw new IllegalArgumentException("usage: JobBench <plan> <results>");
        }
        JobPlan plan = new ObjectMapper().readValue(new File(args[0]), JobPlan.class);
        SparkConf conf = new SparkConf()
                .setAppName("JobBench")
                .set("spark.serializer", "org.apache.spark.serializer.KryoSerializer");
        PieceMeter meter;
        try (SparkSession session = SparkSession.builder().config(conf).getOrCreate()) {
            long startNanos = plan.notebook() ? start(session) : 0;
            JobBench bench = new JobBench(session, plan);
            bench.interact(startNanos);
            bench.sort();
            bench.shuffle();
            bench.prepare();
            bench.query();
            meter = bench.meter;
        }
        meter.write(args[1]);
    }

    /** Returns how long a user waits for a session that has answered once, from the start of this process. */
    private static long start(SparkSession session) {
        session.range(0, 1000, 1, session.sparkContext().defaultParallelism()).count();
        return TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()
                - ManagementFactory.getRuntimeMXBean().getStartTime());
    }

    private void interact(long startNanos) {
        if (!plan.notebook()) {
            return;
        }
        meter.addFirst(SESSION, startNanos);
        NotebookCell.tables(session);
        for (NotebookCell cell : NotebookCell.values()) {
            runs(cell.toString(), () -> cell.run(session));
        }
    }

    private void sort() {
        if (plan.rows().isEmpty()) {
            return;
        }
        meter.measure("terasort", () -> {
            TeraSort.sort(spark, plan.rows(), plan.sorted(), plan.partitions());
            return "sorted";
        });
    }

    private void shuffle() {
        ShuffleJobRunner runner = new ShuffleJobRunner(session, plan.shuffleBytes());
        for (ShuffleJob job : plan.shuffles()) {
            meter.measure(job.toString(), () -> runner.run(job));
        }
    }

    /** Rows of the output come in any order within its files, so the answer does not depend on it. */
    private void prepare() {
        if (plan.orders().isEmpty()) {
            return;
        }
        meter.measure("etl", () -> {
            FeaturePrep.prepare(session, plan.orders(), plan.features());
            Row totals = session.read()
                    .parquet(plan.features())
                    .selectExpr("count(*)", "bit_xor(xxhash64(*))")
                    .first();
            return totals.getLong(0) + " rows, " + Long.toHexString(totals.getLong(1));
        });
    }

    private void query() throws IOException {
        for (QueryPlan queries : plan.queries()) {
            for (Path table : list(queries.tables())) {
                session.read()
                        .parquet(table.toString())
                        .createOrReplaceTempView(table.getFileName().toString());
            }
            for (Path query : list(queries.files())) {
                for (boolean adaptive : plan.adaptive()) {
                    session.conf().set("spark.sql.adaptive.enabled", adaptive);
                    String name =
                            queries.prefix() + query.getFileName().toString().replace(".sql", "");
                    String text = Files.readString(query);
                    runs(adaptive || plan.adaptive().size() == 1 ? name : name + " without AQE", () -> answer(text));
                }
            }
        }
    }

    private void runs(String name, Supplier<String> work) {
        for (int run = 1; run <= plan.runs(); run++) {
            meter.measure(run == 1 ? name : name + LATER + run, work);
        }
    }

    /** Returns the rows' number and digest, or the error: stock Spark decides whether that is right. */
    private String answer(String query) {
        try {
            List<Row> rows = session.sql(query).collectAsList();
            return rows.size() + " rows " + RowDigest.of(rows);
        } catch (Exception e) { // AnalysisException is checked, and thrown by Scala without being declared
            return FAILED + ": " + e.getClass().getSimpleName();
        }
    }

    private static List<Path> list(String directory) {
        try (Stream<Path> files = Files.list(Path.of(directory))) {
            return files.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
