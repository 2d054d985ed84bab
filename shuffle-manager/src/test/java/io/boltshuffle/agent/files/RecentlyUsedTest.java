package io.boltshuffle.agent.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RecentlyUsedTest {

    private static final int LIMIT = 100;

    private final RecentlyUsed<Integer, String> values = new RecentlyUsed<>(LIMIT);

    private List<String> put(int key, long cost) {
        return values.put(key, "value " + key, cost);
    }

    @Test
    void whatWasUsedSinceTheLastOneCameStays() {
        put(1, 50);
        put(2, 50);
        assertThat(values.get(1)).isEqualTo("value 1");

        assertThat(put(3, 50)).containsExactly("value 2");
        assertThat(values.keys()).containsExactly(1, 3);
        assertThat(values.get(2)).isNull();
    }

    @Test
    void aValueThatTakesTheLimitAloneMakesAllOthersGo() {
        put(1, 10);
        put(2, 10);

        assertThat(put(3, LIMIT)).containsExactly("value 1", "value 2");
        assertThat(values.keys()).containsExactly(3);
    }

    @Test
    void aValueBeyondTheLimitDoesNotStay() {
        assertThat(put(1, LIMIT + 1)).containsExactly("value 1");
        assertThat(values.keys()).isEmpty();
    }

    @Test
    void aValueInThePlaceOfAnotherCostsOnlyItself() {
        put(1, 60);
        assertThat(values.put(1, "another", 40)).containsExactly("value 1");

        assertThat(put(2, 60)).isEmpty();
        assertThat(values.get(1)).isEqualTo("another");
    }

    /** The search for them looks at all, so it is not done for each that comes. */
    @Test
    void manySmallValuesMakeRoomSeveralAtATime() {
        IntStream.range(0, LIMIT).forEach(key -> put(key, 1));

        assertThat(put(LIMIT, 1)).hasSize((LIMIT + 1) / 16);
        assertThat(put(LIMIT + 1, 1)).isEmpty();
    }

    @Test
    void whatIsRemovedMakesRoom() {
        put(1, 50);
        put(2, 50);

        assertThat(values.removeIf("value 1"::equals)).containsExactly("value 1");
        assertThat(put(3, 50)).isEmpty();
        assertThat(values.keys()).containsExactlyInAnyOrder(2, 3);
    }
}
