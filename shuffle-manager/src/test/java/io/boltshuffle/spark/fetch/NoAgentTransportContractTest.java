package io.boltshuffle.spark.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.spark.meter.FallbackReason;
import org.junit.jupiter.api.Test;

class NoAgentTransportContractTest extends RdmaTransportContract {

    @Override
    RdmaTransport open() {
        return new NoAgentTransport();
    }

    @Override
    BlockSource source() {
        return new BlockSource("mac2", 7337, "1");
    }

    @Test
    void everyHostIsRefusedBecauseThereIsNoAgent() {
        assertThat(transport().refusal("mac2")).contains(FallbackReason.NO_AGENT);
    }
}
