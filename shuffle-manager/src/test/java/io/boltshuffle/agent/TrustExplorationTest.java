package io.boltshuffle.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.agent.TrustWorld.Event;
import io.boltshuffle.agent.TrustWorld.Plan;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrustExplorationTest {

    private static final long FIRST_SEED = Long.getLong("bolt.sim.firstSeed", 1);
    private static final long ORDERS = Long.getLong("bolt.sim.schedules", 3000);

    /** The one order to go through, as a failure printed it. */
    private static final String CHOICES = System.getProperty("bolt.sim.choices", "");

    private static final int LONGEST_ORDER = 80;

    private final TrustGround ground;

    TrustExplorationTest(@TempDir Path directory) throws Exception {
        Configurator.setLevel("io.boltshuffle.agent", Level.OFF);
        ground = new TrustGround(directory, TrustWorld.SETTINGS);
    }

    @AfterEach
    void close() throws Exception {
        ground.close();
        Configurator.setLevel("io.boltshuffle.agent", (Level) null);
    }

    @Test
    void noOrderOfTwoCallsBreaksTrust() {
        explore(
                "noOrderOfTwoCallsBreaksTrust",
                new Plan(
                        List.of(Event.FIRST_COMES_TO_A, Event.FIRST_COMES_TO_B),
                        EnumSet.of(Event.A_FETCHES, Event.B_FETCHES),
                        EnumSet.noneOf(Event.class),
                        0),
                1);
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
                TrustWorld world = new TrustWorld(ground, plan);
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
        List<Step> steps = world.steps().stream()
                .filter(step -> step.disturbing() == disturbing)
                .toList();
        if (!steps.isEmpty()) {
            Step step = steps.get(random.nextInt(steps.size()));
            told.add(step.name());
            world.perform(step);
        }
    }

    private void explore(String test, Plan plan, int fewestStates) {
        Set<Long> seen = new HashSet<>();
        Deque<List<Integer>> open = new ArrayDeque<>();
        open.push(
                CHOICES.isEmpty()
                        ? List.of()
                        : Stream.of(CHOICES.split(",")).map(Integer::valueOf).toList());
        long orders = 0;
        while (!open.isEmpty()) {
            List<Integer> choices = open.pop();
            visit(test, plan, choices, seen, open);
            orders++;
        }
        System.out.println(test + ": " + seen.size() + " states by " + orders + " orders");
        // Far below what there is, so that nobody takes an exploration for one that came to nothing.
        assertThat(seen).hasSizeGreaterThan(CHOICES.isEmpty() ? fewestStates : 0);
    }

    /** Goes to a state by the given choices; where it is new, remembers all that may happen next. */
    private void visit(
            String test, Plan plan, List<Integer> choices, Set<Long> seen, Deque<List<Integer>> open) {
        List<String> told = new ArrayList<>();
        try {
            TrustWorld world = new TrustWorld(ground, plan);
            for (int choice : choices) {
                Step step = world.steps().get(choice);
                told.add(step.name());
                world.perform(step);
            }
            if (seen.add(world.digest())) {
                int next = CHOICES.isEmpty() ? world.steps().size() : 0;
                for (int i = 0; i < next; i++) {
                    List<Integer> longer = new ArrayList<>(choices);
                    longer.add(i);
                    open.push(longer);
                }
                told.add("then all else in its turn");
                world.settle();
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
