package io.boltshuffle.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The tables have the states that may follow each state, in order. */
class FrameStatesTest {

    @ParameterizedTest
    @CsvSource({
        "IDLE, WAITS_FOR_TURN_END WAITS_FOR_ROOM GIVEN_UP MUTED CLOSED",
        "WAITS_FOR_TURN_END, IDLE WAITS_FOR_ROOM LINGERING GIVEN_UP MUTED CLOSED",
        "WAITS_FOR_ROOM, IDLE LINGERING GIVEN_UP MUTED CLOSED",
        "LINGERING, CLOSED",
        "GIVEN_UP, MUTED CLOSED",
        "MUTED, CLOSED",
        "CLOSED, ''"
    })
    void theTableOfTheWritingHalf(FrameWriter.State from, String to) {
        assertThat(FrameWriter.State.values())
                .filteredOn(from::mayBecome)
                .containsExactlyElementsOf(states(FrameWriter.State.class, to));
    }

    @ParameterizedTest
    @CsvSource({
        "READING, DELIVERING PAUSED DEAF CLOSED",
        "DELIVERING, READING DEAF CLOSED",
        "PAUSED, READING DEAF CLOSED",
        "DEAF, CLOSED",
        "CLOSED, ''"
    })
    void theTableOfTheReadingHalf(FrameReader.State from, String to) {
        assertThat(FrameReader.State.values())
                .filteredOn(from::mayBecome)
                .containsExactlyElementsOf(states(FrameReader.State.class, to));
    }

    private static <E extends Enum<E>> List<E> states(Class<E> type, String names) {
        return Arrays.stream(names.split(" "))
                .filter(name -> !name.isEmpty())
                .map(name -> Enum.valueOf(type, name))
                .toList();
    }
}
