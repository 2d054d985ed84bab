package io.boltshuffle.spark.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.boltshuffle.client.ArrivedBytes;
import io.boltshuffle.spark.meter.FallbackReason;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.junit.jupiter.api.Test;

class LiveRouteTest {

    private static final String BLOCK = "rdd_1_2";

    private final ArrivedBytes bytes = new ArrivedBytes();
    private final FakeTransport transport = new FakeTransport();
    private final LateTransport late = new LateTransport(() -> transport);
    private final LiveRoute route =
            new LiveRoute(late, List.of(FetchPolicies.transportAvailability(late)), Duration.ofSeconds(30));

    private LiveRoute.Answer fetch() throws InterruptedException {
        return route.fetch("there", 1, "7", BLOCK);
    }

    /** Delivers a block as the client does: its own reference goes after the call. */
    private void deliver(FakeTransport.Request request) {
        ManagedBuffer buffer = new SlabBuffer(bytes.of(100));
        request.receiver().delivered(0, buffer);
        buffer.release();
    }

    @Test
    void aBlockIsTheCallersUntilItIsReleased() throws Exception {
        transport.behaviour = this::deliver;

        ManagedBuffer block = ((LiveRoute.Answer.Block) fetch()).buffer();

        assertThat(transport.requests).singleElement().satisfies(request -> {
            assertThat(request.source()).isEqualTo(new BlockSource("there", 1, "7"));
            assertThat(request.blockIds()).containsExactly(BLOCK);
        });
        assertThat(bytes.held()).isEqualTo(1);
        block.release();
        assertThat(bytes.held()).isZero();
    }

    @Test
    void whatIsHandedBackGoesByNetty() throws Exception {
        transport.behaviour = request -> request.receiver().handedBack(0, FallbackReason.BLOCK_UNAVAILABLE, "gone");

        assertThat(fetch()).isEqualTo(new LiveRoute.Answer.Refused(FallbackReason.BLOCK_UNAVAILABLE));
    }

    @Test
    void aHostThatIsOutOfReachIsNotAsked() throws Exception {
        transport.onRefusal = () -> Optional.of(FallbackReason.NO_CABLE);

        assertThat(fetch()).isEqualTo(new LiveRoute.Answer.Refused(FallbackReason.NO_CABLE));
        assertThat(transport.requests).isEmpty();
    }

    @Test
    void aBlockThatNobodyWaitsForAnyMoreGoesBack() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(this::fetch).isInstanceOf(InterruptedException.class);
        deliver(transport.requests.get(0));

        assertThat(bytes.held()).isZero();
    }

    /** Stock Spark gives a fetch up after its time-out, too, even if the client's thread is gone. */
    @Test
    void aBlockThatNobodyAnswersForGoesByNettyAndWhatComesLaterGoesBack() throws Exception {
        LiveRoute hurried = new LiveRoute(late, List.of(), Duration.ZERO);

        assertThat(hurried.fetch("there", 1, "7", BLOCK))
                .isEqualTo(new LiveRoute.Answer.Refused(FallbackReason.DEADLINE));
        deliver(transport.requests.get(0));

        assertThat(bytes.held()).isZero();
    }

    @Test
    void blocksOfThisHostGoByNetty() throws Exception {
        LiveRoute here = new LiveRoute(late, List.of(LiveRoute.notFromHere("fe80::1")), Duration.ofSeconds(30));

        assertThat(here.fetch("[fe80::1]", 1, "7", BLOCK))
                .isEqualTo(new LiveRoute.Answer.Refused(FallbackReason.NO_CABLE));
        assertThat(transport.requests).isEmpty();
    }
}
