package io.boltshuffle.proof.bench.compare;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.FileTrees;
import io.boltshuffle.cli.cluster.ClusterRun;
import io.boltshuffle.cli.demo.Sizing;
import io.boltshuffle.cli.job.JobRunner;
import io.boltshuffle.cli.job.JobSpec;
import io.boltshuffle.proof.queries.QuerySet;
import io.boltshuffle.proof.queries.TableGenerators;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The rows and tables that jobs read, in a directory that may outlive the run: existing ones are not made again.
 *
 * <p><b>Invariant:</b> an input that has its name is complete. It is made under another one.
 */
final class JobInputs {
    private static final String TABLE_FILES = "4";

    private final ClusterRun run;
    private final Path directory;

    JobInputs(ClusterRun run, Path directory) {
        this.run = run;
        this.directory = directory;
    }

    Path rows(Sizing sizing) {
        return input(
                "terasort-" + sizing.rows() + "-" + sizing.partitions(),
                output -> JobSpec.example(
                        "terasort-input",
                        "TeraGen",
                        List.of(Long.toString(sizing.rows()), Integer.toString(sizing.partitions()), output),
                        Map.of()));
    }

    /** Returns tables of TPC-H. */
    Path orders(double scale) {
        return input(
                "tpch-" + scale,
                output -> JobSpec.example(
                        "tpch-tables",
                        "TpchGen",
                        List.of(Double.toString(scale), TABLE_FILES, output),
                        run.installation().generatorSettings()));
    }

    /** Returns the tables of a benchmark's queries. */
    Path tables(QuerySet set, double scale) {
        return input(
                set + "-tables-" + scale,
                output -> new JobSpec(
                        set + "-tables",
                        "io.boltshuffle.proof.queries.inspark.QueryTables",
                        List.of(set.toString(), Double.toString(scale), TABLE_FILES, output),
                        TableGenerators.settings(run.installation())));
    }

    /** @param maker makes the input in a directory that does not exist yet */
    private Path input(String name, Function<String, JobSpec> maker) {
        Path whole = directory.resolve(name);
        if (Files.isDirectory(whole)) {
            run.console().line("reading " + whole + ", which was there");
            return whole;
        }
        run.console().line("making " + name);
        Path making = directory.resolve(name + ".making");
        FileTrees.delete(making);
        JobRunner.of(run).runLocally(maker.apply(making.toString()));
        try {
            return Files.move(making, whole);
        } catch (IOException e) {
            throw BoltException.failed("cannot give " + making + " its name (" + e + ")");
        }
    }
}
