package io.boltshuffle.agent.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServedPullTest {

    /** The table has the states that may follow each state, in order, and whether a pull is over in it. */
    @ParameterizedTest
    @CsvSource({
        "WAITING, AT_READER OFFERED ENDING, false",
        "AT_READER, WAITING ENDING, false",
        "OFFERED, ENDING, false",
        "ENDING, ENDED, true",
        "ENDED, '', true"
    })
    void theTableOfTransitions(ServedPull.State from, String to, boolean isOver) {
        List<ServedPull.State> allowed = Arrays.stream(to.split(" "))
                .filter(name -> !name.isEmpty())
                .map(ServedPull.State::valueOf)
                .toList();

        assertThat(ServedPull.State.values()).filteredOn(from::mayBecome).containsExactlyElementsOf(allowed);
        assertThat(from.isOver()).isEqualTo(isOver);
    }
}
