package io.boltshuffle.spark.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.spark.meter.FallbackReason;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LateTransportTest extends RdmaTransportContract {

    private final AtomicInteger openings = new AtomicInteger();

    @Override
    RdmaTransport open() {
        return new LateTransport(() -> {
            openings.incrementAndGet();
            return new NoAgentTransport();
        });
    }

    @Override
    BlockSource source() {
        return new BlockSource("mac2", 7337, "1");
    }

    @Test
    void itOpensOnceWithTheFirstQuestion() {
        assertThat(transport().readAheadBytes()).isZero();
        assertThat(openings).hasValue(0);

        assertThat(transport().refusal("mac2")).contains(FallbackReason.NO_AGENT);
        assertThat(transport().refusal("mac3")).contains(FallbackReason.NO_AGENT);
        assertThat(openings).hasValue(1);
    }

    @Test
    void whatWasClosedBeforeItWasNeededNeverOpens() {
        transport().close();

        assertThat(transport().refusal("mac2")).contains(FallbackReason.NO_AGENT);
        assertThat(openings).hasValue(0);
    }

    @Test
    void whatCannotBeOpenedRefusesAndIsNotTriedAgain() {
        LateTransport broken = new LateTransport(() -> {
            openings.incrementAndGet();
            throw new IOException("no safe directory");
        });

        assertThat(broken.refusal("mac2")).contains(FallbackReason.NO_AGENT);
        assertThat(broken.refusal("mac2")).contains(FallbackReason.NO_AGENT);
        assertThat(openings).hasValue(1);
    }
}
