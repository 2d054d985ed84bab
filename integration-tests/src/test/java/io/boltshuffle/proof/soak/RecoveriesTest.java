package io.boltshuffle.proof.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.proof.soak.Arrivals.Gap;
import io.boltshuffle.proof.soak.Arrivals.Point;
import io.boltshuffle.proof.soak.Recoveries.Recovery;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class RecoveriesTest {
    private static final Arrivals ARRIVALS = new Arrivals(List.of(
            new Point(0, 0),
            new Point(90, 0),
            new Point(100, 5),
            new Point(110, 9),
            new Point(112, 9),
            new Point(114, 9),
            new Point(117, 20),
            new Point(118, 20)));

    @Test
    void theTimeIsTakenFromTheEndOfAFaultToTheNextBlock() {
        assertThat(recoveries(new FaultEvent(Fault.CABLE_PULLED, 109, 2)).each())
                .containsExactly(new Recovery(Fault.CABLE_PULLED, OptionalDouble.of(6)));
    }

    @Test
    void thereIsNoTimeWhereTheNextFaultCameFirstOrNothingCame() {
        assertThat(recoveries(
                                new FaultEvent(Fault.CABLE_PULLED, 109, 2),
                                new FaultEvent(Fault.CABLE_MUTE, 113, 0.5),
                                new FaultEvent(Fault.CABLE_SLOW, 118, 0.5))
                        .each())
                .extracting(Recovery::seconds)
                .containsExactly(OptionalDouble.empty(), OptionalDouble.of(3.5), OptionalDouble.empty());
    }

    @Test
    void whatCameWhileAFaultLastedIsNotTakenForARecovery() {
        assertThat(recoveries(new FaultEvent(Fault.CABLE_PULLED, 95, 13)).each())
                .containsExactly(new Recovery(Fault.CABLE_PULLED, OptionalDouble.of(9)));
    }

    @Test
    void theLongestGapBeginsAfterTheFirstBlock() {
        assertThat(ARRIVALS.longestGap()).isEqualTo(new Gap(100, 10));
        assertThat(new Arrivals(List.of(new Point(0, 0), new Point(3, 1), new Point(10, 1))).longestGap())
                .isEqualTo(new Gap(3, 7));
        assertThat(new Arrivals(List.of(new Point(0, 0), new Point(99, 0))).longestGap())
                .isEqualTo(new Gap(0, 0));
    }

    @Test
    void onlyAGapLongerThanTheLimitIsAViolation() {
        assertThat(new Recoveries(List.of(), new Gap(7, 300)).violation()).isEmpty();
        assertThat(new Recoveries(List.of(), new Gap(7, 301)).violation())
                .contains("no block came by RDMA for 301 s, from 7 s on");
    }

    @Test
    void kindsAreToldApart() {
        Recoveries recoveries = recoveries(
                new FaultEvent(Fault.CABLE_PULLED, 91, 1),
                new FaultEvent(Fault.AGENT_KILLED, 112, 1),
                new FaultEvent(Fault.CABLE_PULLED, 116, 0.5));
        assertThat(recoveries.table().rows())
                .containsExactly(
                        List.of("cable pulled", "2", "1", "18.0", "18.0"), List.of("agent killed", "1", "0", "-", "-"));
        assertThat(recoveries.summary()).contains("after 1 of 3", "10.0 s");
    }

    private static Recoveries recoveries(FaultEvent... events) {
        return Recoveries.of(List.of(events), ARRIVALS);
    }
}
