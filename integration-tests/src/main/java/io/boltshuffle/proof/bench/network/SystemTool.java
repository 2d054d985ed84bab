package io.boltshuffle.proof.bench.network;

import io.boltshuffle.cli.base.ShortCommand;
import java.time.Duration;
import java.util.List;

/** Runs a command of the system that ends soon. The second implementation is that of tests. */
interface SystemTool {
    Duration LIMIT = Duration.ofSeconds(30);

    SystemTool OF_SYSTEM = words -> ShortCommand.run(LIMIT, words);

    /**
     * Runs a command and returns its output.
     *
     * @throws io.boltshuffle.cli.base.BoltException if it cannot be started or fails
     */
    String run(List<String> words);
}
