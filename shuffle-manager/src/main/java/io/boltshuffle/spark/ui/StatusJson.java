package io.boltshuffle.spark.ui;

import io.boltshuffle.spark.report.AgentState;
import io.boltshuffle.spark.report.BlockTraffic;
import io.boltshuffle.spark.report.Remedy;
import io.boltshuffle.spark.report.ReportJson;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer to {@code /boltshuffle/json}: a {@link Picture} by stable names, which docs/notebooks.md lists. Names are
 * added, and never change their meaning, as long as {@code schema} is the same.
 *
 * @param rdmaShare of the remote bytes, from 0 to 1; null as long as nothing was fetched from another host
 * @param tcpReasons why bytes did not go by RDMA, those of most bytes first
 * @param apart hosts that no cable joins
 * @param stages newest first
 * @param blocks broadcasts, cached partitions and results, a row for each class; empty with {@code
 * spark.boltshuffle.blocks=shuffle}
 * @param notices what a user has to know besides, such as that this Spark is unknown
 */
record StatusJson(
        int schema,
        long timeMillis,
        long remoteBytes,
        long rdmaBytes,
        long tcpBytes,
        @Nullable Double rdmaShare,
        List<Reason> tcpReasons,
        List<Host> hosts,
        List<Cable> cables,
        List<Apart> apart,
        List<Stage> stages,
        List<BlockTraffic> blocks,
        List<Notice> notices) {
    static final int SCHEMA = 1;

    /** The reason why blocks went by TCP, and the remedy that a user has. */
    record Reason(String reason, long bytes, String remedy) {}

    /**
     * A host with executors.
     *
     * @param agentProblem why its agent's state is unknown; empty if the agent answers
     * @param poolBytes its registered memory
     */
    record Host(
            String name,
            int executors,
            long rdmaBytes,
            long tcpBytes,
            String agentProblem,
            long poolBytes,
            long usedBytes) {}

    record End(String host, String port) {}

    /** A cable; its bytes are those of both directions. */
    record Cable(
            End one, End other, String state, String detail, long bytes, double bytesPerSecond, double peakPerSecond) {}

    /** Two hosts that no cable joins, as the agent of the first sees it. */
    record Apart(String host, String otherHost, String state, String detail) {}

    /**
     * A stage that read or wrote a shuffle.
     *
     * @param gcMillis of {@code runMillis}, in which collectors stopped its tasks
     */
    record Stage(
            int stage,
            int attempt,
            String name,
            long rdmaBytes,
            long tcpBytes,
            long localBytes,
            long writtenBytes,
            long fetchWaitMillis,
            long runMillis,
            long gcMillis) {}

    static StatusJson of(Picture picture) {
        long tcp = picture.allNettyBytes();
        long remote = picture.rdmaBytes() + tcp;
        return new StatusJson(
                SCHEMA,
                picture.timeMillis(),
                remote,
                picture.rdmaBytes(),
                tcp,
                remote == 0 ? null : (double) picture.rdmaBytes() / remote,
                picture.nettyBytes().entrySet().stream()
                        .map(reason -> new Reason(reason.getKey(), reason.getValue(), Remedy.of(reason.getKey())))
                        .sorted(Comparator.comparingLong(Reason::bytes).reversed())
                        .toList(),
                picture.hosts().stream().map(StatusJson::host).toList(),
                picture.cables().stream().map(StatusJson::cable).toList(),
                picture.apart().stream()
                        .filter(hosts -> !hosts.otherHost().isEmpty())
                        .map(StatusJson::apart)
                        .toList(),
                picture.stages().stream().map(StatusJson::stage).toList(),
                picture.blocks(),
                picture.notices());
    }

    String text() {
        return ReportJson.write(this);
    }

    private static Host host(Picture.Host host) {
        AgentState agent = host.agent();
        return new Host(
                host.name(),
                host.executors(),
                host.rdmaBytes(),
                host.nettyBytes(),
                agent.problem(),
                agent.slabBytes(),
                agent.usedBytes());
    }

    private static Cable cable(Picture.Cable cable) {
        return new Cable(
                end(cable.one()),
                end(cable.other()),
                cable.state(),
                cable.detail(),
                cable.bytes(),
                cable.bytesPerSecond(),
                cable.peakPerSecond());
    }

    private static Apart apart(Picture.Apart apart) {
        return new Apart(apart.host(), apart.otherHost(), apart.state(), apart.detail());
    }

    private static End end(Picture.End end) {
        return new End(end.host(), end.port());
    }

    private static Stage stage(Picture.Stage stage) {
        return new Stage(
                stage.stage(),
                stage.attempt(),
                stage.name(),
                stage.rdmaBytes(),
                stage.nettyBytes(),
                stage.localBytes(),
                stage.writes().bytes(),
                stage.fetchWaitMillis(),
                stage.runMillis(),
                stage.gcMillis());
    }
}
