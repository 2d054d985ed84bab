package io.boltshuffle.proof.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MachineStateTest {
    @Test
    void theProcessorIsNamedAsLinuxNamesIt() {
        assertThat(MachineState.modelName(
                        List.of("processor\t: 0", "model name\t: Some CPU @ 2.5GHz", "model name\t: x")))
                .isEqualTo("Some CPU @ 2.5GHz");
    }

    @Test
    void aMachineWithoutAModelNameIsUnknown() {
        assertThat(MachineState.modelName(List.of())).isEqualTo("unknown");
    }

    @Test
    void thisMachineHasCoresAndMemory() {
        assertThat(MachineState.now().cores()).isPositive();
        assertThat(MachineState.now().memoryBytes()).isPositive();
    }
}
