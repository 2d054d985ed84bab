package io.boltshuffle.spark.differential;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Runs trials, and keeps what failed.
 *
 * <p><b>Ownership:</b> owns the Spark that runs; there can be one in a process.
 */
final class Trials implements AutoCloseable {
    private final Path directory;
    private final Map<Explained, Integer> explained = new EnumMap<>(Explained.class);
    private final Map<String, Integer> ends = new TreeMap<>();
    private @Nullable TrialFixture fixture;
    private int labs;
    private int count;
    private int byPlugin;

    Trials(Path directory) {
        this.directory = directory;
    }

    /** Runs a trial; returns what is wrong. */
    List<String> run(Trial trial) {
        TrialFixture.Outcome outcome = labOf(trial.site()).run(trial);
        outcome.comparison().explained().forEach(why -> explained.merge(why, 1, Integer::sum));
        ends.merge(outcome.comparison().end(), 1, Integer::sum);
        count++;
        byPlugin += outcome.byPlugin() ? 1 : 0;
        return outcome.comparison().complaints();
    }

    private TrialFixture labOf(Site site) {
        TrialFixture current = fixture;
        if (current == null || !current.site().equals(site)) {
            close();
            current = new TrialFixture(newDirectory(), site);
            fixture = current;
        }
        return current;
    }

    private Path newDirectory() {
        try {
            return Files.createDirectory(directory.resolve(String.valueOf(labs++)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Takes away from a trial that fails whatever it fails without. */
    Trial shrunk(Trial failing) {
        Trial smallest = failing;
        for (String dimension : List.copyOf(failing.choices().keySet())) {
            Map<String, String> fewer = new LinkedHashMap<>(smallest.choices());
            fewer.remove(dimension);
            Trial simpler = Trial.of(fewer);
            if (!simpler.choices().equals(smallest.choices()) && !run(simpler).isEmpty()) {
                smallest = simpler;
            }
        }
        return smallest;
    }

    int count() {
        return count;
    }

    /** Returns how many of them the plugin's writer wrote. */
    int byPlugin() {
        return byPlugin;
    }

    @Override
    public String toString() {
        return count + " trials, of which the plugin's writer wrote " + byPlugin + "; they ended with " + ends
                + "; explained differences: " + explained;
    }

    /** Returns how often the sides differed, and why they may. */
    Map<Explained, Integer> explained() {
        return explained;
    }

    @Override
    public void close() {
        if (fixture != null) {
            fixture.close();
            fixture = null;
        }
    }
}
