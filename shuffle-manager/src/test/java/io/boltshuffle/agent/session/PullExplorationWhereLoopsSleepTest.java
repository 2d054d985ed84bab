package io.boltshuffle.agent.session;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** The same explorations with loops in whose place other threads act whenever they have nothing to do. */
@Tag("ci")
class PullExplorationWhereLoopsSleepTest extends PullExplorationTest {

    PullExplorationWhereLoopsSleepTest(@TempDir Path directory) {
        super(directory);
    }

    @Override
    boolean loopsSleep() {
        return true;
    }
}
