package io.boltshuffle.proof.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClusterProcessTest {
    @Test
    void processesAreToldByTheirCommandLines() {
        assertThat(ClusterProcess.of(
                        5, List.of("java", "io.boltshuffle.agent.AgentMain", "--host", "127.0.0.2", "--root", "x")))
                .map(ClusterProcess::name)
                .contains("agent 127.0.0.2");
        assertThat(ClusterProcess.of(5, List.of("java", "org.apache.spark.deploy.SparkSubmit", "--host", "x")))
                .map(ClusterProcess::name)
                .contains("driver");
        assertThat(ClusterProcess.of(5, List.of("java", "org.apache.spark.deploy.worker.Worker")))
                .isEqualTo(Optional.empty());
    }

    @Test
    void aHistogramEndsWithItsTotal() {
        assertThat(LiveHeap.total(" 1: 5 160 [I (java.base)\nTotal       29021        1671384\n"))
                .hasValue(1671384);
        assertThat(LiveHeap.total("java.lang.IllegalStateException")).isEmpty();
    }
}
