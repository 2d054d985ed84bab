package io.boltshuffle.agent.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.agent.peer.TrustWorld.Event;
import io.boltshuffle.agent.peer.TrustWorld.Plan;
import io.boltshuffle.agent.serve.Step;
import io.boltshuffle.rdma.link.SimBudget;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.config.Configurator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Shows which peers are believed, in every order in which things may happen: the states that two agents come to by
 * every order of messages, calls, and applications that come, and of so many disturbances at any moments: an
 * application ends or comes, a connection breaks, a call fails, time passes, a program takes the name of one of the
 * two, by calling or by being called, and guesses, replays, skips its proof or proves another application than the
 * session did. In each state nothing is told, and no link lives, before a proof; what is believed was proven by an end
 * that knows the secret; nothing that proved less ends or replaces a session; what proves nothing, or nothing any more,
 * is closed by its deadline; fetches wait for first contact no longer than its deadline, and end once. When all
 * applications ended, nothing is left: no peer, call, connection, link or timer.
 *
 * <p>Two calls that cross have 5,000 states; a call with one disturbance 15,000; a session with two disturbances 6,000;
 * an application that comes before, while or after it is asked for, with one, 450. Besides them 1,000 random orders of
 * all that there is, with ten disturbances each. An everyday build goes to 3,000 states of each. One
 * disturbance more in each exploration, for a long time: {@code mvn -o test -pl shuffle-manager -am
 * -Dtest=TrustExplorationTest -Dexplore.all=true -Dbolt.sim.disturbances=1
 * -Dsurefire.failIfNoSpecifiedTests=false}; more random orders: {@code -Dbolt.sim.schedules=100000}.
 */
@Tag("slow")
class TrustExplorationTest {

    private static final long FIRST_SEED = Long.getLong("bolt.sim.firstSeed", 1);
    private static final long ORDERS = Long.getLong("bolt.sim.schedules", 1000);

    /** The one order to go through, as a failure printed it. */
    private static final String CHOICES = System.getProperty("bolt.sim.choices", "");

    /** More disturbances in each exploration than it has anyway. */
    private static final int MORE = Integer.getInteger("bolt.sim.disturbances", 0);

    private static final List<Event> BOTH_SERVE_ONE = List.of(Event.FIRST_COMES_TO_A, Event.FIRST_COMES_TO_B);
    private static final EnumSet<Event> STRANGERS =
            EnumSet.of(Event.A_STRANGER_CALLS_A, Event.A_STRANGER_CALLS_B, Event.A_STRANGER_IS_CALLED);
    private static final int LONGEST_ORDER = 80;
    private static final int MOST_STATES = SimBudget.of(1_500, Integer.MAX_VALUE);

    private final TrustFixture fixture;

    TrustExplorationTest(@TempDir Path directory) throws Exception {
        Configurator.setLevel("io.boltshuffle.agent", Level.OFF);
        fixture = new TrustFixture(directory, TrustWorld.SETTINGS);
    }

    @AfterEach
    void close() throws Exception {
        fixture.close();
        Configurator.setLevel("io.boltshuffle.agent", (Level) null);
    }

    @Test
    void noOrderOfTwoCallsBreaksTrust() {
        explore(
                "noOrderOfTwoCallsBreaksTrust",
                4_000,
                BOTH_SERVE_ONE,
                EnumSet.of(Event.A_FETCHES, Event.B_FETCHES),
                EnumSet.complementOf(STRANGERS),
                MORE);
    }

    @Test
    void noOrderOfApplicationsThatComeBreaksTrust() {
        explore(
                "noOrderOfApplicationsThatComeBreaksTrust",
                250,
                List.of(),
                EnumSet.of(Event.FIRST_COMES_TO_A, Event.FIRST_COMES_TO_B, Event.A_FETCHES),
                EnumSet.of(Event.TIME_PASSES, Event.FIRST_COMES_TO_B_WITH_ANOTHER_SECRET),
                1 + MORE);
    }

    @Test
    void noDisturbanceOfACallBreaksTrust() {
        explore(
                "noDisturbanceOfACallBreaksTrust",
                12_000,
                BOTH_SERVE_ONE,
                EnumSet.of(Event.A_FETCHES),
                EnumSet.allOf(Event.class),
                1 + MORE);
    }

    @Test
    void noTwoDisturbancesOfASessionBreakTrust() {
        explore(
                "noTwoDisturbancesOfASessionBreakTrust",
                4_000,
                List.of(Event.FIRST_COMES_TO_A, Event.FIRST_COMES_TO_B, Event.A_FETCHES),
                EnumSet.noneOf(Event.class),
                EnumSet.of(
                        Event.FIRST_ENDS_AT_A,
                        Event.FIRST_ENDS_AT_B,
                        Event.SECOND_COMES_TO_A,
                        Event.SECOND_COMES_TO_B,
                        Event.B_FETCHES,
                        Event.A_CONNECTION_BREAKS,
                        Event.TIME_PASSES,
                        Event.A_MINUTE_PASSES,
                        Event.A_STRANGER_CALLS_B),
                2 + MORE);
    }

    @Test
    void noRandomOrderBreaksTrust() {
        Plan plan = new Plan(
                List.of(),
                EnumSet.of(Event.FIRST_COMES_TO_A, Event.FIRST_COMES_TO_B, Event.A_FETCHES, Event.B_FETCHES),
                EnumSet.allOf(Event.class),
                10);
        for (long seed = FIRST_SEED; seed < FIRST_SEED + ORDERS; seed++) {
            Random random = new Random(seed);
            List<String> told = new ArrayList<>();
            try {
                TrustWorld world = new TrustWorld(fixture, plan);
                for (int i = 0; i < LONGEST_ORDER; i++) {
                    choose(world, random, told);
                }
                world.settle();
            } catch (RuntimeException | AssertionError e) {
                throw failure(e, told, "noRandomOrderBreaksTrust -Dbolt.sim.schedules=1 -Dbolt.sim.firstSeed=" + seed);
            }
        }
    }

    private static void choose(TrustWorld world, Random random, List<String> told) {
        boolean disturbing = random.nextInt(6) == 0;
        // There are so many kinds of strangers that little else would happen.
        boolean strange = random.nextInt(3) == 0;
        List<Step> steps = world.steps().stream()
                .filter(step -> step.disturbing() == disturbing)
                .filter(step -> !disturbing || strange == step.name().contains("stranger"))
                .toList();
        if (!steps.isEmpty()) {
            Step step = steps.get(random.nextInt(steps.size()));
            told.add(step.name());
            world.perform(step);
        }
    }

    private void explore(
            String test,
            int fewestStates,
            List<Event> before,
            Set<Event> going,
            Set<Event> disturbing,
            int disturbances) {
        Plan plan = new Plan(before, going, disturbing, disturbances);
        Set<Long> seen = new HashSet<>();
        List<List<Integer>> open = new ArrayList<>();
        open.add(
                CHOICES.isEmpty()
                        ? List.of()
                        : Stream.of(CHOICES.split(",")).map(Integer::valueOf).toList());
        long orders = 0;
        Random random = new Random(FIRST_SEED);
        while (!open.isEmpty() && seen.size() < MOST_STATES) {
            // Goes on anywhere, so that a part of the states is a fair part of them.
            Collections.swap(open, random.nextInt(open.size()), open.size() - 1);
            List<Integer> choices = open.remove(open.size() - 1);
            visit(test, plan, choices, seen, open);
            orders++;
        }
        System.out.println(test + ": " + seen.size() + " states by " + orders + " orders");
        // Below what there is, so that an exploration that found next to nothing is not taken for a good one.
        assertThat(seen).hasSizeGreaterThan(CHOICES.isEmpty() ? Math.min(fewestStates, MOST_STATES - 1) : 0);
    }

    /**
     * Goes to a state by the given choices, and on from there as long as states are new; remembers all other ways on.
     */
    private void visit(String test, Plan plan, List<Integer> way, Set<Long> seen, List<List<Integer>> open) {
        List<Integer> choices = new ArrayList<>(way);
        List<String> told = new ArrayList<>();
        try {
            TrustWorld world = new TrustWorld(fixture, plan);
            for (int i = 0; i < way.size(); i++) {
                Step step = world.steps().get(way.get(i));
                told.add(step.name());
                if (i < way.size() - 1) {
                    world.repeat(step);
                } else {
                    world.perform(step);
                }
            }
            while (seen.add(world.digest())) {
                List<Step> next = world.steps();
                // Elsewhere, what comes next by itself comes in orders of its own.
                boolean atRest = next.stream().allMatch(Step::disturbing);
                for (int i = atRest ? 0 : 1; i < next.size() && CHOICES.isEmpty(); i++) {
                    List<Integer> longer = new ArrayList<>(choices);
                    longer.add(i);
                    open.add(longer);
                }
                if (atRest) {
                    world.settle();
                    break;
                }
                choices.add(0);
                told.add(next.get(0).name());
                world.perform(next.get(0));
            }
        } catch (RuntimeException | AssertionError e) {
            String order = choices.stream().map(String::valueOf).collect(Collectors.joining(","));
            throw failure(e, told, test + " -Dbolt.sim.choices=" + order);
        }
    }

    private static AssertionError failure(Throwable cause, List<String> told, String which) {
        return new AssertionError(
                cause + "\nafter: " + String.join("; ", told)
                        + "\nto run this again: mvn -o test -pl shuffle-manager -am"
                        + " -Dsurefire.failIfNoSpecifiedTests=false -Dtest=TrustExplorationTest#" + which,
                cause);
    }
}
