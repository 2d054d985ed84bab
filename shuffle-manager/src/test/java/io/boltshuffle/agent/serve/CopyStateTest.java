package io.boltshuffle.agent.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CopyStateTest {

    /**
     * The table has the states that may follow each state, in order, and whether others may join before the block is
     * laid out.
     */
    @ParameterizedTest
    @CsvSource({
        "NEW, ASKED, true",
        "ASKED, WAITING_FOR_MEMORY ENDED, true",
        "WAITING_FOR_MEMORY, WRITING ENDED, true",
        "WRITING, LAID ENDED, true",
        "LAID, ENDED, false",
        "ENDED, '', false"
    })
    void theTableOfTransitions(CopyState from, String to, boolean isBeforeLaid) {
        List<CopyState> allowed = Arrays.stream(to.split(" "))
                .filter(name -> !name.isEmpty())
                .map(CopyState::valueOf)
                .toList();

        assertThat(CopyState.values()).filteredOn(from::mayBecome).containsExactlyElementsOf(allowed);
        assertThat(from.isBeforeLaid()).isEqualTo(isBeforeLaid);
    }
}
