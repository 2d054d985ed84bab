package io.boltshuffle.spark.meter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.boltshuffle.spark.report.StageTraffic;
import io.boltshuffle.spark.report.Traffic;
import java.util.List;
import org.junit.jupiter.api.Test;

class StageMeterTest {

    private final StageMeter meter = new StageMeter();

    private void fetch(int stage, long bytes) {
        meter.of(new StageAttempt(stage, 0)).delivered(Transport.RDMA, bytes);
    }

    private List<Integer> stages() {
        return meter.traffic().stream().map(StageTraffic::stage).toList();
    }

    @Test
    void whatIsFetchedForAStageIsCountedByTransportAndAttempt() {
        fetch(3, 10);
        fetch(3, 20);
        meter.of(new StageAttempt(3, 0)).delivered(Transport.NETTY, 5);
        meter.of(new StageAttempt(3, 1)).delivered(Transport.NETTY, 7);

        assertThat(meter.traffic())
                .extracting(StageTraffic::attempt, StageTraffic::rdmaBytes, StageTraffic::nettyBytes)
                .containsExactly(tuple(0, 30L, 5L), tuple(1, 0L, 7L));
    }

    @Test
    void aStageForWhichNothingCameIsNotTold() {
        meter.of(new StageAttempt(3, 0));

        assertThat(meter.traffic()).isEmpty();
    }

    @Test
    void theStageThatWasUsedLeastRecentlyIsForgotten() {
        for (int stage = 0; stage < Traffic.MAX_STAGES; stage++) {
            fetch(stage, 1);
        }
        fetch(0, 1);
        fetch(Traffic.MAX_STAGES, 1);

        assertThat(stages())
                .hasSize(Traffic.MAX_STAGES)
                .contains(0, Traffic.MAX_STAGES)
                .doesNotContain(1);
    }

    @Test
    void countsOfAStageThatWasForgottenMeanwhileAreTakenAndLost() {
        StageCounts counts = meter.of(new StageAttempt(0, 0));
        for (int stage = 1; stage <= Traffic.MAX_STAGES; stage++) {
            fetch(stage, 1);
        }
        counts.delivered(Transport.RDMA, 1);

        assertThat(stages()).hasSize(Traffic.MAX_STAGES).doesNotContain(0);
    }
}
