package io.boltshuffle.agent.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.agent.files.ShuffledBlocks;
import io.boltshuffle.agent.serve.Step;
import io.boltshuffle.agent.session.PullWorld.Serving;
import io.boltshuffle.rdma.link.SimBudget;
import io.boltshuffle.rdma.memory.Slab;
import io.boltshuffle.rdma.memory.SlabLocation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every state that a fetch can come to: by every order of what happens by itself (messages, tasks of loops, reads of
 * files, transfers, memory that comes back) and of so many disturbances, at any moments: a timer fires, a transfer is
 * late, the link fails at one end first, the control connection breaks, the executor stops or is killed, the agent
 * stops. In each state what tasks read is what was written, each block, pull and answer is told of once, and from each
 * of them everything comes home.
 *
 * <p>A block and a missing one, a pull each, with one disturbance have 17,569 states; two pulls with a block and
 * missing ones each, without any, have 740 with memory in plenty and 573 where it is scarce. An everyday build goes to
 * 3,000 of the first. One disturbance more in each test, for minutes: {@code mvn -o test -pl shuffle-manager -am
 * -Dtest=PullExplorationTest -Dexplore.all=true -Dbolt.sim.disturbances=1 -Dsurefire.failIfNoSpecifiedTests=false}.
 */
@Tag("slow")
class PullExplorationTest {

    /** More disturbances in each test than it has anyway. */
    private static final int MORE = Integer.getInteger("bolt.sim.disturbances", 0);

    private static final int FEWEST_STATES = 300;
    private static final int MOST_STATES = SimBudget.of(1_500, Integer.MAX_VALUE);
    private static final long PLENTY = 1 << 20;

    /** Room for one pull at a time. */
    private static final long SCARCE = 128 << 10;

    private final Path directory;
    private final Set<Long> seen = new HashSet<>();
    private final List<List<Integer>> open = new ArrayList<>();

    /** Chooses where to go on, so that a part of the states is a fair part of them. */
    private final Random random = new Random(1);

    PullExplorationTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @Test
    void noDisturbanceBreaksAFetch() throws Exception {
        explore(1, PLENTY, Serving.SENT, 1 + MORE);
    }

    /** The same where the peer reads what is staged, and may only while it is open. */
    @Tag("ci")
    @Test
    void noDisturbanceBreaksAFetchThatThePeerReads() throws Exception {
        explore(1, PLENTY, Serving.READ, 1 + MORE);
    }

    @Test
    void noOrderOfEventsBreaksTwoPulls() throws Exception {
        explore(2, PLENTY, Serving.SENT, MORE);
    }

    @Test
    void noOrderOfEventsBreaksTwoPullsThatWaitForMemory() throws Exception {
        explore(2, SCARCE, Serving.SENT, MORE);
    }

    private void explore(int pulls, long slabBytes, Serving serving, int disturbances) throws Exception {
        try (Slab readerSlab = Slab.create(SlabLocation.file(directory.resolve("reader")), slabBytes);
                Slab serverSlab = Slab.create(SlabLocation.file(directory.resolve("server")), slabBytes);
                ShuffledBlocks blocks = new ShuffledBlocks(directory)) {
            PullWorld.Ground ground = new PullWorld.Ground(readerSlab, serverSlab, blocks);
            open.add(List.of());
            while (!open.isEmpty() && seen.size() < MOST_STATES) {
                visit(new PullWorld(ground, pulls, slabBytes / 4, serving), next(), disturbances);
            }
        }
        // Far below what there is, so that an exploration that found next to nothing is not taken for a good one.
        assertThat(seen).hasSizeGreaterThan(FEWEST_STATES);
    }

    /**
     * Returns whether loops sleep when they have nothing to do, so that readers and the cable act in their place at
     * once. Here they are always awake, and all that other threads tell them waits its turn.
     */
    boolean loopsSleep() {
        return false;
    }

    private List<Integer> next() {
        Collections.swap(open, random.nextInt(open.size()), open.size() - 1);
        return open.remove(open.size() - 1);
    }

    /** Goes to a state by the given choices; where it is new, remembers all that may happen next. */
    private void visit(PullWorld world, List<Integer> choices, int disturbances) {
        if (loopsSleep()) {
            world.letLoopsSleep();
        }
        List<String> told = new ArrayList<>();
        int left = disturbances;
        try {
            for (int choice : choices) {
                Step step = world.steps().get(choice);
                told.add(step.name());
                left -= step.disturbing() ? 1 : 0;
                step.action().run();
            }
            world.check();
            if (seen.add(world.digest() * (disturbances + 1) + left)) {
                List<Step> next = world.steps();
                for (int i = 0; i < next.size(); i++) {
                    if (left > 0 || !next.get(i).disturbing()) {
                        List<Integer> longer = new ArrayList<>(choices);
                        longer.add(i);
                        open.add(longer);
                    }
                }
            }
            world.settle();
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(e.getMessage() + " after: " + String.join(", ", told), e);
        }
    }
}
