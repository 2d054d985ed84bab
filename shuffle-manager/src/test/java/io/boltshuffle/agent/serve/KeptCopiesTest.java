package io.boltshuffle.agent.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.testing.SimLoop;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeptCopiesTest {

    private static final long LIMIT_BYTES = 100;

    private final SimLoop loop = new SimLoop();
    private final List<String> givenUp = new ArrayList<>();
    private final KeptCopies<String> kept = new KeptCopies<>(loop, LIMIT_BYTES, 1, givenUp::add);

    @Test
    void theOldestGoWhereAYoungerOneNeedsTheirRoom() {
        kept.keep("a", 40);
        kept.keep("b", 40);
        kept.keep("c", 70);

        assertThat(givenUp).containsExactly("a", "b");
        assertThat(kept.bytes()).isEqualTo(70);
    }

    @Test
    void whatIsLargerThanTheLimitIsNotKeptAndCostsNoOther() {
        kept.keep("a", 40);
        kept.keep("b", LIMIT_BYTES + 1);

        assertThat(givenUp).containsExactly("b");
        assertThat(kept.bytes()).isEqualTo(40);
    }

    @Test
    void eachGoesWhenItsTimeIsOver() {
        kept.keep("a", LIMIT_BYTES);

        loop.fire(0);

        assertThat(givenUp).containsExactly("a");
        assertThat(kept.bytes()).isZero();
    }

    @Test
    void whatIsInUseAgainIsNotGivenUp() {
        kept.keep("a", 40);
        kept.keep("b", 40);

        kept.take("a");
        kept.take("never kept");
        kept.giveUpAll();

        assertThat(givenUp).containsExactly("b");
        assertThat(kept.bytes()).isZero();
        assertThat(loop.timers()).isZero();
    }

    /** Its memory may let another request go on, which finds too little, and asks for all that is kept. */
    @Test
    void givingOneUpMayGiveUpTheOthers() {
        List<String> all = new ArrayList<>();
        List<KeptCopies<String>> itself = new ArrayList<>();
        KeptCopies<String> nested = new KeptCopies<>(loop, LIMIT_BYTES, 1, copy -> {
            all.add(copy);
            itself.get(0).giveUpAll();
        });
        itself.add(nested);
        nested.keep("a", 40);
        nested.keep("b", 40);

        nested.keep("c", LIMIT_BYTES);

        assertThat(all).containsExactly("a", "b");
        assertThat(nested.bytes()).isEqualTo(LIMIT_BYTES);
        nested.giveUpAll();
    }
}
