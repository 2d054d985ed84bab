package io.boltshuffle.spark.differential;

import io.boltshuffle.spark.differential.ShuffleSide.Written;
import io.boltshuffle.spark.write.WriterFixture;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.SparkEnv;

/** A Spark with the settings of a site, in which trials run one after the other. */
final class TrialFixture implements AutoCloseable {
    private final WriterFixture fixture;
    private final Site site;

    TrialFixture(Path directory, Site site) {
        this.site = site;
        this.fixture = new WriterFixture(directory, site.settings());
    }

    Site site() {
        return site;
    }

    /** The outcome of a trial. */
    record Outcome(Comparison comparison, boolean byPlugin) {}

    Outcome run(Trial trial) {
        Comparison comparison = new Comparison(trial);
        try (ShuffleSide stock = new ShuffleSide(fixture, trial, Writers.ofSpark(fixture.stock()));
                ShuffleSide ours = new ShuffleSide(fixture, trial, new PluginWriters(fixture))) {
            List<Written> byStock = stock.write();
            List<Written> byOurs = ours.write();
            comparison.ofWrites(byStock, byOurs);
            boolean byPlugin = byOurs.stream().allMatch(Written::byPlugin);
            boolean weWrote = wroteAll(trial, byOurs);
            if (weWrote && wroteAll(trial, byStock) && !trial.fault().isInterrupt()) {
                comparison.ofReads(stock.read(fixture.stock()), ours.read(fixture.ours()));
            }
            if (weWrote && byPlugin && comparableWithInput(trial, comparison)) {
                comparison.withInput(ours.read(fixture.ours()));
            }
            long used = SparkEnv.get().memoryManager().executionMemoryUsed();
            if (used > 0) {
                comparison.complaints().add(used + " bytes of execution memory are in use after the trial");
            }
            return new Outcome(comparison, byPlugin);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean wroteAll(Trial trial, List<Written> written) {
        return written.size() == trial.maps() && written.stream().allMatch(map -> map.output() != null);
    }

    /** Returns whether a reader gets what was written, down to the places where one object occurs twice. */
    private static boolean comparableWithInput(Trial trial, Comparison comparison) {
        return trial.partitioner().manner().isRight()
                && trial.serializer().isFaithful()
                && (!trial.serializer().isWrongAboutItself()
                        || comparison.explained().contains(Explained.SPARKS_SORTER_DROPS_FRAMES));
    }

    @Override
    public void close() {
        fixture.close();
    }
}
