package io.boltshuffle.proof.bench.inspark;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.boltshuffle.examples.ProgressLine;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * Measures one piece of an application after the other.
 *
 * <p><b>Invariant:</b> no two pieces have the same name.
 *
 * <p><b>Threads:</b> the driver's main thread.
 */
final class PieceMeter {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final JavaSparkContext spark;
    private final ExecutorHosts hosts;
    private final List<Long> executors;
    private final List<Long> agents;
    private final PieceListener stages = new PieceListener();
    private final List<Measured> measured = new ArrayList<>();

    private record Measured(String piece, String answer, long wallNanos, CpuNanos cpu, HeapFigures heap) {}

    PieceMeter(JavaSparkContext spark, List<Long> agents) {
        this.spark = spark;
        this.hosts = ExecutorHosts.find(spark);
        this.executors = hosts.processIds();
        this.agents = agents;
        spark.sc().addSparkListener(stages);
    }

    void measure(String piece, Supplier<String> work) {
        HeapFigures heapBefore = hosts.heaps();
        spark.setLocalProperty(PieceListener.PIECE, piece);
        CpuNanos before = CpuNanos.now(executors, agents);
        long start = System.nanoTime();
        String answer = work.get();
        long wallNanos = System.nanoTime() - start;
        CpuNanos cpu = CpuNanos.now(executors, agents).since(before);
        spark.setLocalProperty(PieceListener.PIECE, null);
        measured.add(new Measured(piece, answer, wallNanos, cpu, hosts.heaps().since(heapBefore)));
        System.out.println(
                new ProgressLine.Note(String.format(Locale.ROOT, "%s: %.2f s", piece, wallNanos / 1e9)).format());
    }

    /** Adds a piece that ended as this meter was made: all that executors have done until now belongs to it. */
    void addFirst(String piece, long wallNanos) {
        measured.add(new Measured(piece, "", wallNanos, CpuNanos.now(executors, List.of()), hosts.heaps()));
    }

    /**
     * Writes the samples. It must be called when the application has ended, because only then has Spark reported all
     * stages.
     */
    void write(String results) throws IOException {
        JSON.writeValue(
                new File(results),
                measured.stream()
                        .map(piece -> new PieceSample(
                                piece.piece(),
                                piece.answer(),
                                piece.wallNanos(),
                                piece.cpu(),
                                piece.heap(),
                                stages.of(piece.piece())))
                        .toList());
    }
}
