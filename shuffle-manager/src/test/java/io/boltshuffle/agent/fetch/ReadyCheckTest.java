package io.boltshuffle.agent.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.boltshuffle.wire.BlockFailure;
import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.BlockSlice;
import io.boltshuffle.wire.ControlMessage;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.Opaque;
import io.boltshuffle.wire.PullRequest;
import io.boltshuffle.wire.Stripe;
import io.boltshuffle.wire.WireException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ReadyCheckTest {

    private static final long WINDOW = 10_000;

    @Test
    void slicesAndFailuresMayAlternate() throws WireException {
        ReadyCheck check =
                ReadyCheck.of(pull(0), ready(List.of(whole(0, 100), whole(2, 50)), List.of(failure(1)), stripes(150)));
        assertThat(check).isEqualTo(new ReadyCheck(150, 3, 0));
    }

    @Test
    void aPartOfABlockSaysWhereToGoOn() throws WireException {
        BlockSlice part = new BlockSlice(0, 4096, 8192, 1 << 20);
        assertThat(ReadyCheck.of(pull(4096), ready(List.of(part), List.of(), stripes(4096, 4096))))
                .isEqualTo(new ReadyCheck(8192, 0, 12_288));
    }

    @Test
    void onlyFailuresNeedNoStripes() throws WireException {
        assertThat(ReadyCheck.of(pull(0), ready(List.of(), List.of(failure(0)), List.of())))
                .isEqualTo(new ReadyCheck(0, 1, 0));
    }

    static Stream<ControlMessage.Ready> lies() {
        return Stream.of(
                ready(List.of(), List.of(), List.of()),
                ready(List.of(whole(1, 10)), List.of(), stripes(10)),
                ready(List.of(whole(0, 10), whole(2, 10)), List.of(), stripes(20)),
                ready(List.of(whole(0, 10), whole(0, 10)), List.of(), stripes(20)),
                ready(List.of(whole(0, 10)), List.of(failure(0)), stripes(10)),
                ready(List.of(whole(0, 10), whole(1, 10), whole(2, 10), whole(3, 10)), List.of(), stripes(40)),
                ready(List.of(whole(0, WINDOW + 1)), List.of(), stripes(WINDOW + 1)),
                ready(List.of(whole(0, 10)), List.of(), stripes(11)),
                ready(List.of(whole(0, 10)), List.of(), List.of()),
                ready(List.of(whole(0, 10)), List.of(), stripes(3, 7)),
                ready(List.of(whole(0, 5000), whole(1, 100)), List.of(), stripes(5000, 100)),
                ready(List.of(new BlockSlice(0, 5, 5, 10)), List.of(), stripes(5)),
                ready(List.of(new BlockSlice(0, 0, 5, 10), whole(1, 5)), List.of(), stripes(10)),
                ready(List.of(new BlockSlice(0, 0, 0, 0)), List.of(), List.of()));
    }

    @ParameterizedTest
    @MethodSource("lies")
    void anAnswerThatDoesNotFitTheQuestionIsNotBelieved(ControlMessage.Ready lie) {
        assertThatThrownBy(() -> ReadyCheck.of(pull(0), lie)).isInstanceOf(WireException.class);
    }

    @Test
    void aStripeThatMayCrossMemoryRegionsIsNotBelieved() throws WireException {
        long region = ReadyCheck.REGION_BYTES;
        List<BlockSlice> slices = List.of(whole(0, region + 10));
        assertThat(ReadyCheck.of(pull(0, 2 * region), ready(slices, List.of(), stripes(region, 10))))
                .isEqualTo(new ReadyCheck(region + 10, 1, 0));
        assertThatThrownBy(() -> ReadyCheck.of(pull(0, 2 * region), ready(slices, List.of(), stripes(region + 10))))
                .isInstanceOf(WireException.class);
        assertThatThrownBy(() ->
                        ReadyCheck.of(pull(0, 2 * region), ready(slices, List.of(), stripes(region - 4096, 4096 + 10))))
                .isInstanceOf(WireException.class);
    }

    private static PullRequest pull(long firstOffset) {
        return pull(firstOffset, WINDOW);
    }

    private static PullRequest pull(long firstOffset, long window) {
        List<BlockRange> blocks =
                List.of(new BlockRange(0, 0, 0, 1), new BlockRange(0, 1, 0, 1), new BlockRange(0, 2, 0, 1));
        return new PullRequest("app-1", "1", 1000, window, firstOffset, blocks);
    }

    private static ControlMessage.Ready ready(
            List<BlockSlice> slices, List<BlockFailure> failures, List<Stripe> stripes) {
        return new ControlMessage.Ready(1, slices, failures, "", stripes);
    }

    private static BlockSlice whole(int block, long bytes) {
        return new BlockSlice(block, 0, bytes, bytes);
    }

    private static BlockFailure failure(int block) {
        return new BlockFailure(block, FailureReason.UNKNOWN_BLOCK);
    }

    private static List<Stripe> stripes(long... bytes) {
        return Arrays.stream(bytes)
                .mapToObj(each -> new Stripe(1, each, Opaque.of(new byte[0])))
                .toList();
    }
}
