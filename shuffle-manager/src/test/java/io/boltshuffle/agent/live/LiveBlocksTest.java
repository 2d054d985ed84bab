package io.boltshuffle.agent.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.LiveBlock;
import io.boltshuffle.wire.WireException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LiveBlocksTest {

    private static final BlockRange BLOCK = new LiveBlock(LiveBlock.Kind.RDD_PARTITION, 1, 2).toRange();
    private static final long MAX_BYTES = 1000;

    private final LiveBlocks live = new LiveBlocks();
    private final RecordingOwner owner = new RecordingOwner();
    private final RecordingAsker asker = new RecordingAsker();

    LiveBlocksTest() {
        live.add("app", "1", owner);
    }

    private static final class RecordingOwner implements BlockOwner {
        private final List<String> heard = new ArrayList<>();

        @Override
        public void layOut(long askId, BlockRange block, long maxBytes, long timeoutMillis) {
            heard.add("lay out " + LiveBlock.of(block).orElseThrow().part() + " of at most " + maxBytes);
        }

        @Override
        public void layHere(long askId, long slabOffset, long bytes) {
            heard.add("here, at " + slabOffset);
        }

        @Override
        public void unwanted(long askId) {
            heard.add("unwanted");
        }
    }

    private static final class RecordingAsker implements BlockAsker {
        private final List<String> heard = new ArrayList<>();

        @Override
        public void onSize(long bytes) {
            heard.add(bytes + " bytes");
        }

        @Override
        public void onLaid() {
            heard.add("laid");
        }

        @Override
        public void onNotLaid(FailureReason reason, String detail) {
            heard.add(reason.toString());
        }
    }

    private long ask() {
        return live.ask("app", "1", BLOCK, MAX_BYTES, 1, asker);
    }

    @Test
    void anOwnerIsAskedLentMemoryAndHeard() throws WireException {
        long askId = ask();
        live.onSize(owner, askId, 500);
        live.lend(askId, 4096, 500);
        assertThat(live.isWriting(owner)).isTrue();
        live.onLaid(owner, askId);

        assertThat(owner.heard).containsExactly("lay out 2 of at most 1000", "here, at 4096");
        assertThat(asker.heard).containsExactly("500 bytes", "laid");
        assertThat(live.isWriting(owner)).isFalse();
        assertThat(live.status(2, 4096)).isEqualTo(new LiveStatus(1, 0, 1, 0, 2, 4096));
    }

    @Test
    void nobodyOfThatNameIsAnAnswer() {
        live.ask("app", "2", BLOCK, MAX_BYTES, 1, asker);
        live.ask("another app", "1", BLOCK, MAX_BYTES, 1, asker);

        assertThat(asker.heard).containsExactly("UNKNOWN_EXECUTOR", "UNKNOWN_EXECUTOR");
        assertThat(owner.heard).isEmpty();
    }

    @Test
    void anOwnerIsNotAskedForMoreThanItMayKeep() {
        for (int i = 0; i < LiveBlocks.MAX_ASKS; i++) {
            ask();
        }
        assertThat(asker.heard).isEmpty();

        ask();

        assertThat(asker.heard).containsExactly("OVERLOADED");
    }

    @Test
    void aQuestionThatIsCalledOffIsToldAndItsLateAnswersArePassedOver() throws WireException {
        long askId = ask();

        assertThat(live.callOff(askId)).isTrue();
        live.onSize(owner, askId, 500);
        live.onNotLaid(owner, askId, FailureReason.UNKNOWN_BLOCK, "");

        assertThat(owner.heard).endsWith("unwanted");
        assertThat(asker.heard).isEmpty();
    }

    @Test
    void whileTheOwnerWritesAQuestionCannotBeCalledOff() throws WireException {
        long askId = ask();
        live.onSize(owner, askId, 500);
        live.lend(askId, 0, 500);

        assertThat(live.callOff(askId)).isFalse();
        live.onNotLaid(owner, askId, FailureReason.READ_ERROR, "");

        assertThat(asker.heard).containsExactly("500 bytes", "READ_ERROR");
        assertThat(live.callOff(askId)).as("nobody writes any more").isTrue();
    }

    @Test
    void anOwnerThatIsNotListenedToKeepsWhatItWrites() throws WireException {
        long written = ask();
        live.onSize(owner, written, 500);
        live.lend(written, 0, 500);
        ask();

        live.remove(owner, /* mayWrite= */ true, "deaf");
        assertThat(asker.heard).containsExactly("500 bytes", "UNKNOWN_EXECUTOR");
        assertThat(live.isWriting(owner)).isTrue();
        ask();
        assertThat(asker.heard).as("nobody is asked").hasSize(3);

        live.remove(owner, /* mayWrite= */ false, "gone");
        assertThat(asker.heard).hasSize(4);
        assertThat(live.isWriting(owner)).isFalse();
    }

    @Test
    void whatWasNotAskedIsRefused() throws WireException {
        long askId = ask();

        assertThatThrownBy(() -> live.onSize(owner, askId, MAX_BYTES + 1)).isInstanceOf(WireException.class);
        assertThatThrownBy(() -> live.onLaid(owner, askId)).isInstanceOf(WireException.class);
        assertThatThrownBy(() -> live.onSize(new RecordingOwner(), askId, 1)).isInstanceOf(WireException.class);
        assertThatThrownBy(() -> live.lend(askId, 0, 1)).isInstanceOf(IllegalStateException.class);
        live.onSize(owner, askId, 1);
        assertThatThrownBy(() -> live.onSize(owner, askId, 1)).isInstanceOf(WireException.class);
    }

    /** An executor that lost its session makes another one, which is the later owner. */
    @Test
    void aLaterOwnerOfTheSameNameIsAsked() {
        RecordingOwner later = new RecordingOwner();
        live.add("app", "1", later);
        live.remove(owner, /* mayWrite= */ false, "gone");

        ask();

        assertThat(later.heard).hasSize(1);
        assertThat(owner.heard).isEmpty();
    }
}
