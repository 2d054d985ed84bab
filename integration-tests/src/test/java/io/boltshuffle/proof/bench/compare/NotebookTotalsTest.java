package io.boltshuffle.proof.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.proof.bench.inspark.CpuNanos;
import io.boltshuffle.proof.bench.inspark.HeapFigures;
import io.boltshuffle.proof.bench.inspark.JobBench;
import io.boltshuffle.proof.bench.inspark.PieceSample;
import io.boltshuffle.proof.bench.inspark.TaskFigures;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class NotebookTotalsTest {
    private final List<Measured> measured = new ArrayList<>();

    private void piece(String name, double stock, double boltshuffle) {
        add(name, Contender.STOCK, stock);
        add(name, Contender.BOLTSHUFFLE, boltshuffle);
    }

    private void add(String name, Contender contender, double seconds) {
        PieceSample sample = new PieceSample(
                name,
                "",
                (long) (seconds * 1e9),
                new CpuNanos(1, 0, 0),
                new HeapFigures(1, 0, 0),
                new TaskFigures(0, 1, 1, 0, 1));
        measured.add(
                new Measured(NotebookTotals.title(name) + ", compressed", contender, sample, OptionalDouble.of(1)));
    }

    private NotebookTotals totals() {
        List<NotebookTotals> all = NotebookTotals.of(Comparison.of(measured));
        assertThat(all).hasSize(1);
        return all.get(0);
    }

    @Test
    void firstAndLaterRunsAreAddedUpApart() {
        piece(JobBench.SESSION, 10, 10.25);
        piece("notebook join", 4, 3);
        piece("notebook join run 2", 1, 0.5);
        piece("notebook join run 3", 3, 1.5);
        piece("notebook sort", 4, 4);
        piece("notebook sort run 2", 2, 2);
        piece("wide", 100, 1);

        assertThat(totals().toText())
                .isEqualTo(
                        "notebook, compressed: the session has answered once +0.3 s after stock's 10.0 s; first runs "
                                + "take 0.88 of 8.0 s; warm 0.75 of 4.0 s, the highest ratio of one cell is 1.00 "
                                + "(notebook sort, warm, compressed)");
        assertThat(totals().holds()).isTrue();
    }

    @Test
    void aSessionThatStartsMuchLaterMissesTheAim() {
        piece(JobBench.SESSION, 10, 10.6);
        piece("notebook join", 4, 3);

        assertThat(totals().holds()).isFalse();
    }

    @Test
    void oneCellThatIsSlowerWhenWarmMissesTheAim() {
        piece(JobBench.SESSION, 10, 10);
        piece("notebook join", 4, 3);
        piece("notebook join run 2", 10, 4);
        piece("notebook sort run 2", 1, 1.1);

        assertThat(totals().warmRatio()).isLessThan(0.75);
        assertThat(totals().holds()).isFalse();
    }
}
