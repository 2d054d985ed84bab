package io.boltshuffle.rdma.link.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.rdma.link.LinkMode;
import io.boltshuffle.rdma.link.SimBudget;
import io.boltshuffle.rdma.link.engine.Exploration.Course;
import io.boltshuffle.rdma.link.engine.Exploration.Disturbance;
import io.boltshuffle.rdma.link.engine.Exploration.Placed;
import io.boltshuffle.rdma.link.engine.SimFaults.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every order of a transfer's events and up to two disturbances, and of each fault of the fabric with one: every fourth
 * of them, and all in CI. Longer transfers in more timings: {@code mvn -o test -pl rdma-native
 * -Dtest=LinkExplorationTest -Dbolt.sim.messages=8 -Dbolt.sim.timings=3}.
 */
@Tag("slow")
class LinkExplorationTest {

    /** Each seed is another set of delays, and so another order of the events among themselves. */
    private static final long TIMINGS = Long.getLong("bolt.sim.timings", 1);

    private static final int STRIDE = SimBudget.of(8, 1);

    private static final List<Kind> FABRIC = List.of(
            Kind.LOST,
            Kind.CORRUPTED,
            Kind.ERROR_COMPLETION,
            Kind.DOUBLE_COMPLETION,
            Kind.LATE,
            Kind.ONE_WAY_DEATH,
            Kind.SILENT_DEATH);

    /** These last: struck before the first message they would strike before the transfer. */
    private static final Set<Kind> LASTING = Set.of(Kind.LATE, Kind.ONE_WAY_DEATH, Kind.SILENT_DEATH);

    @ParameterizedTest
    @EnumSource(LinkMode.class)
    void noPairOfDisturbancesBreaksATransfer(LinkMode mode) {
        for (long seed = 1; seed <= TIMINGS; seed++) {
            Exploration exploration = new Exploration(mode, seed);
            Course course = exploration.undisturbed();
            assertThat(course.steps()).isGreaterThan(Exploration.MESSAGES);
            List<Placed> places = places(course);
            int orders = 0;
            for (Placed first : places) {
                for (Placed second : places) {
                    if (first.step() <= second.step() && orders++ % STRIDE == 0) {
                        exploration.run(course, List.of(first, second));
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(LinkMode.class)
    void noFaultOfTheFabricWithADisturbanceBreaksATransfer(LinkMode mode) {
        for (long seed = 1; seed <= TIMINGS; seed++) {
            Exploration exploration = new Exploration(mode, seed);
            Course course = exploration.undisturbed();
            int orders = 0;
            for (Kind fault : FABRIC) {
                for (int message = LASTING.contains(fault) ? 1 : 0; message < Exploration.MESSAGES; message++) {
                    for (Placed place : places(course)) {
                        if (orders++ % STRIDE == 0) {
                            exploration.run(course, fault, message, place);
                        }
                    }
                }
            }
        }
    }

    private static List<Placed> places(Course course) {
        List<Placed> places = new ArrayList<>();
        for (int step = 0; step < course.steps(); step++) {
            for (Disturbance what : Disturbance.values()) {
                places.add(new Placed(what, step));
            }
        }
        return places;
    }
}
