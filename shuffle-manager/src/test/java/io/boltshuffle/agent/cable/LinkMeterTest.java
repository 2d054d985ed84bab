package io.boltshuffle.agent.cable;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.rdma.link.LinkCounters;
import org.junit.jupiter.api.Test;

class LinkMeterTest {

    private static final long SECOND = 1_000_000_000;

    private final LinkMeter meter = new LinkMeter();

    @Test
    void theFirstSampleMakesNoRate() {
        meter.sample(5 * SECOND, counters(7 * SECOND, 0));
        assertThat(meter.pace()).isEqualTo(new LinkStatus.Pace(0, 0, 0, 0, 0, 0));
    }

    @Test
    void aRateIsOfTheTimeBetweenTheLastTwoSamples() {
        meter.sample(5 * SECOND, counters(7 * SECOND, 0));
        meter.sample(7 * SECOND, counters(10 * SECOND, SECOND));
        assertThat(meter.pace().fetchedGigabytesPerSecond()).isEqualTo(1.5);
        assertThat(meter.pace().servedGigabytesPerSecond()).isEqualTo(0.5);

        meter.sample(8 * SECOND, counters(10 * SECOND, SECOND));
        assertThat(meter.pace().fetchedGigabytesPerSecond()).isZero();
        assertThat(meter.pace().servedGigabytesPerSecond()).isZero();
    }

    @Test
    void recentStripesAreThoseOfTheLastSampleThatHadAny() {
        meter.add(1_000_000);
        meter.sample(SECOND, counters(1, 0));
        meter.add(5_000_000);
        meter.add(3_000_000);
        meter.sample(2 * SECOND, counters(3, 0));
        meter.sample(3 * SECOND, counters(3, 0));
        LinkStatus.Pace pace = meter.pace();
        assertThat(pace.stripes()).isEqualTo(3);
        assertThat(pace.meanStripeMicros()).isEqualTo(3000);
        assertThat(pace.recentStripeMicros()).isEqualTo(4000);
        assertThat(pace.longestStripeMicros()).isEqualTo(5000);
    }

    private static LinkCounters counters(long fetched, long served) {
        return new LinkCounters(fetched, served, 0, 0, 0, 0, 0);
    }
}
