package io.boltshuffle.proof.bench.compare;

import io.boltshuffle.cli.cluster.ClusterRun;
import io.boltshuffle.cli.cluster.RunDirectory;
import io.boltshuffle.cli.cluster.VirtualCluster;
import io.boltshuffle.cli.job.JoinedCluster;
import io.boltshuffle.proof.bench.baseline.MemoryDirectory;
import java.util.List;
import java.util.Optional;

/**
 * The cluster on which contenders run, and a second one on the same hosts where one of them wants its local directories
 * in memory: workers choose those directories for all their executors.
 */
record Clusters(JoinedCluster usual, Optional<JoinedCluster> onTmpfs) {
    /**
     * Starts the second one if it is needed.
     *
     * @param bytes that its local directories have to hold
     */
    static Clusters start(JoinedCluster usual, List<Contender> contenders, long bytes) {
        if (contenders.stream().noneMatch(Contender::onTmpfs)) {
            return new Clusters(usual, Optional.empty());
        }
        ClusterRun run = usual.run();
        RunDirectory memory = MemoryDirectory.create(bytes, run.teardown());
        run.console().line("starting Spark once more, with local directories in " + memory.root());
        VirtualCluster spark = VirtualCluster.start(
                run.runtime(), usual.spark().spec(), usual.spark().network(), memory, run.teardown());
        return new Clusters(usual, Optional.of(new JoinedCluster(run, spark, usual.cabling(), usual.agents())));
    }

    JoinedCluster of(Contender contender) {
        return contender.onTmpfs() ? onTmpfs.orElseThrow() : usual;
    }
}
