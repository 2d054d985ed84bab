package io.boltshuffle.spark.ui;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.spark.SparkEnv;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Option;

/**
 * Tells once that an application uses Spark's streaming shuffle, which came with Spark 4.3: map tasks of a query in
 * real-time mode push records to reduce tasks. These bytes pass neither the plugin nor its counts.
 *
 * <p><b>Threads:</b> Spark calls a listener on one at a time.
 */
final class StreamingShuffles extends SparkListener {
    private static final Logger log = LoggerFactory.getLogger(StreamingShuffles.class);

    static final Notice NOTICE = new Notice(
            "streaming_shuffle",
            "Shuffles of streaming queries in real-time mode go by Spark's own streaming shuffle and TCP; no figure"
                    + " here includes them.");

    private static final String TRACKER = "streamingShuffleOutputTracker";

    private final SparkEnv env;
    private final MethodHandle tracker;
    private final Consumer<Notice> onFirst;
    private boolean told;

    private StreamingShuffles(SparkEnv env, MethodHandle tracker, Consumer<Notice> onFirst) {
        this.env = env;
        this.tracker = tracker;
        this.onFirst = onFirst;
    }

    /**
     * Returns a listener; empty on a Spark without streaming shuffles. It looks its method up by a handle:
     * {@code Class.getMethod} loads every class that a method of {@code SparkEnv} names, and Spark's own jars lack some
     * of these.
     */
    static Optional<SparkListener> listener(SparkEnv env, Consumer<Notice> onFirst) {
        try {
            MethodHandle tracker = MethodHandles.publicLookup()
                    .findVirtual(SparkEnv.class, TRACKER, MethodType.methodType(Option.class));
            return Optional.of(new StreamingShuffles(env, tracker, onFirst));
        } catch (NoSuchMethodException absent) {
            return Optional.empty();
        } catch (IllegalAccessException | LinkageError e) {
            tellUnknown(e);
            return Optional.empty();
        }
    }

    private static void tellUnknown(Throwable reason) {
        log.warn("Whether an application uses Spark's streaming shuffle cannot be told: {}", reason.toString());
    }

    @Override
    public void onStageSubmitted(SparkListenerStageSubmitted event) {
        Option<Object> shuffle = event.stageInfo().shuffleDepId();
        if (!told && shuffle.isDefined() && isStreaming((int) shuffle.get())) {
            told = true;
            log.warn(NOTICE.text());
            onFirst.accept(NOTICE);
        }
    }

    private boolean isStreaming(int shuffleId) {
        try {
            Option<?> found = (Option<?>) tracker.invoke(env);
            if (found.isEmpty()) {
                return false;
            }
            MethodHandle contains = MethodHandles.publicLookup()
                    .findVirtual(
                            found.get().getClass(), "containsShuffle", MethodType.methodType(boolean.class, int.class));
            return (boolean) contains.invoke(found.get(), shuffleId);
        } catch (Throwable e) {
            told = true; // once is enough for this, too
            tellUnknown(e);
            return false;
        }
    }
}
