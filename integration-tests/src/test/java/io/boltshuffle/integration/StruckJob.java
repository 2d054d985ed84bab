package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.boltshuffle.integration.CountingJob.Interruption;
import io.boltshuffle.integration.CountingJob.Moment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * A job to which something happens, and what is expected of it: the right result, in time, and no stage that runs again
 * unless stock Spark would run it again. The methods are the moments at which something can happen.
 */
final class StruckJob {

    private static final String CANCELLED = "cancelled";

    /** Far above what the deadlines of fetch and connection cost a job that takes a second or two; a hang is longer. */
    private static final Duration LIMIT = Duration.ofSeconds(90);

    /** After so many frames the cable stops by itself; an emulated batch of 256 in each direction may come on top. */
    private static final long FRAMES_OF_A_PULL = 100;

    private static final int MOST_JOBS = 5;

    private final FaultyCluster cluster;
    private final Path meeting;
    private final CountingJob job;
    private final ShuffleReads reads;

    /** @param meeting an empty directory */
    StruckJob(FaultyCluster cluster, Path meeting) {
        this(cluster, meeting, cluster.job());
    }

    private StruckJob(FaultyCluster cluster, Path meeting, CountingJob job) {
        this.cluster = cluster;
        this.meeting = meeting;
        this.job = job;
        this.reads = ShuffleReads.listeningTo(cluster.context().sc());
    }

    /** The same with few tasks that read much. */
    StruckJob large() {
        return new StruckJob(cluster, meeting, CountingJob.large(cluster.context()));
    }

    /** The same with blocks that are written to files. */
    StruckJob toFiles() {
        return new StruckJob(cluster, meeting, CountingJob.toFiles(cluster.context()));
    }

    /** Something that happens. */
    interface Event {
        void happen() throws Exception;
    }

    /** Something that happens to, or because of, the executor whose task waits meanwhile. */
    interface EventAtTask {
        void happen(Rendezvous.Waiting task) throws Exception;
    }

    /** Something that happens to a file. */
    interface FileDamage {
        void strike(Path file) throws IOException;
    }

    void before(Event event) throws Exception {
        event.happen();
        expectRight(start(job::run));
        expectEachStageOnce();
    }

    /** Strikes in the middle of a pull, with the cable held until then. */
    void inFlight(Event event) throws Exception {
        large().cableStopsInFlight(Stream.of("hold", "on"), event);
    }

    /** The cable is pulled in the middle of a pull. */
    void pulledInFlight(String... how) throws Exception {
        large().cableStopsInFlight(Stream.concat(Stream.of("pull"), Stream.of(how)), () -> {});
    }

    /** Strikes before shuffle files are read a second time. */
    void beforeTheSecondRead(Event event) throws Exception {
        duringTheSecondRead(event, () -> {});
    }

    /** Strikes as {@link #beforeTheSecondRead} does, and again while they are read. */
    void duringTheSecondRead(Event before, Event meanwhile) throws Exception {
        JavaPairRDD<Integer, Integer> counts = job.counts(Moment.FIRST_ROW, Interruption.NONE);
        assertThat(counts.collectAsMap()).isEqualTo(job.expected());
        before.happen();
        CompletableFuture<Map<Integer, Integer>> again = start(counts::collectAsMap);
        meanwhile.happen();
        expectRight(again);
        expectEachStageOnce();
    }

    /** Strikes while the first task reads its blocks. */
    void atFirstRow(EventAtTask event) throws Exception {
        strikeAt(Moment.FIRST_ROW, event);
        expectEachStageOnce();
    }

    /** An observation that may be made while a task waits. */
    interface SightAtTask {
        boolean isSeen(Rendezvous.Waiting task) throws Exception;
    }

    /**
     * Looks while the first task reads its blocks, in one job after the other until it sees what it looks for: the
     * blocks of a job on a busy machine may all go by TCP, for want of a processor that moves them in time.
     */
    void atFirstRowOfSomeJob(SightAtTask sight) throws Exception {
        AtomicBoolean seen = new AtomicBoolean();
        for (int jobs = 0; jobs < MOST_JOBS && !seen.get(); jobs++) {
            atFirstRow(task -> seen.set(sight.isSeen(task)));
        }
        assertThat(seen).as("seen in one of %d jobs", MOST_JOBS).isTrue();
    }

    /** Strikes as {@link #atFirstRow} does, at something that stock Spark cannot do without, either. */
    void atFirstRowWithRetries(EventAtTask event) throws Exception {
        strikeAt(Moment.FIRST_ROW, event);
    }

    void afterTheLastRow(Event event) throws Exception {
        strikeAt(Moment.AFTER_THE_LAST_ROW, task -> event.happen());
        expectEachStageOnce();
    }

    /** Strikes while the first shuffle of two is read. */
    void betweenTwoShuffles(Event event) throws Exception {
        strike(interruption -> job.runAndShuffleAgain(interruption), task -> event.happen());
        expectEachStageOnce();
    }

    /** Damages a file that a second job reads again. Spark finds out, and runs its map again, as without the plugin. */
    void betweenTwoReads(FileDamage damage) throws Exception {
        JavaPairRDD<Integer, Integer> counts = job.counts(Moment.FIRST_ROW, Interruption.NONE);
        assertThat(counts.collectAsMap()).isEqualTo(job.expected());
        damage.strike(MapOutputs.newestFile(cluster.shuffleFiles()));
        expectRight(start(counts::collectAsMap));
        assertThat(reads.retriedStages()).isNotEmpty();
    }

    /** Cancels the job while its first task reads, and expects other jobs to go on. */
    void cancelledWhileATaskReads() throws Exception {
        JavaSparkContext context = cluster.context();
        Rendezvous rendezvous = new Rendezvous(meeting);
        Interruption waiting = rendezvous.inTask();
        CompletableFuture<Map<Integer, Integer>> counts = start(() -> {
            context.setJobGroup(CANCELLED, "to be cancelled", /* interruptOnCancel= */ true);
            try {
                return job.run(Moment.FIRST_ROW, waiting);
            } finally {
                context.clearJobGroup();
            }
        });
        rendezvous.awaitTask(counts);
        context.cancelJobGroup(CANCELLED);
        assertThatThrownBy(() -> counts.get(LIMIT.toSeconds(), TimeUnit.SECONDS))
                .hasMessageContaining("cancelled");
    }

    /** Its tasks read one row and let the rest go. */
    void letsGoOfItsRows() throws Exception {
        assertThat(job.firstRows()).hasSize(job.partitions()).allMatch(row -> row >= 0);
        expectEachStageOnce();
    }

    /**
     * When it stopped, less had moved than one pull brings: no pull was over, and one at least was half done. A job
     * that is over before then went by TCP, as on a busy machine, and the next one has to move the frames.
     */
    private void cableStopsInFlight(Stream<String> how, Event event) throws Exception {
        long before = cluster.frames();
        cluster.cable(Stream.concat(how, Stream.of("after", Long.toString(FRAMES_OF_A_PULL)))
                .toArray(String[]::new));
        CompletableFuture<Map<Integer, Integer>> counts = start(job::run);
        for (int jobs = 1; !stopsDuring(counts, before) && jobs < MOST_JOBS; jobs++) {
            expectRight(counts);
            counts = start(job::run);
        }
        assertThat(cluster.frames() - before).isBetween(FRAMES_OF_A_PULL, job.blockFrames() - 1L);
        event.happen();
        expectRight(counts);
        expectEachStageOnce();
    }

    /** Returns whether the cable stopped before the job was over. */
    private boolean stopsDuring(CompletableFuture<?> running, long framesBefore) throws IOException {
        await().atMost(FaultyCluster.PATIENCE)
                .until(() -> running.isDone() || cluster.frames() - framesBefore >= FRAMES_OF_A_PULL);
        return cluster.frames() - framesBefore >= FRAMES_OF_A_PULL;
    }

    private interface Run {
        Map<Integer, Integer> with(Interruption interruption);
    }

    private void strikeAt(Moment moment, EventAtTask event) throws Exception {
        strike(interruption -> job.run(moment, interruption), event);
    }

    private void strike(Run run, EventAtTask event) throws Exception {
        Rendezvous rendezvous = new Rendezvous(Files.createTempDirectory(meeting, "job"));
        Interruption waiting = rendezvous.inTask();
        CompletableFuture<Map<Integer, Integer>> counts = start(() -> run.with(waiting));
        try {
            event.happen(rendezvous.awaitTask(counts));
        } finally {
            rendezvous.letGo();
        }
        expectRight(counts);
    }

    private static CompletableFuture<Map<Integer, Integer>> start(Supplier<Map<Integer, Integer>> run) {
        return CompletableFuture.supplyAsync(run);
    }

    private void expectRight(CompletableFuture<Map<Integer, Integer>> counts) throws Exception {
        assertThat(counts.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(job.expected());
    }

    private void expectEachStageOnce() throws Exception {
        assertThat(reads.retriedStages()).isEmpty();
    }
}
