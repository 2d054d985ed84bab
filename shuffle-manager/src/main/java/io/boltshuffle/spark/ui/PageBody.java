package io.boltshuffle.spark.ui;

import static io.boltshuffle.draw.Markup.escape;

import io.boltshuffle.conf.ByteFigures;
import io.boltshuffle.draw.Figures;
import io.boltshuffle.spark.report.AgentState;
import io.boltshuffle.spark.report.BlockTraffic;
import io.boltshuffle.spark.report.FetchLatency;
import io.boltshuffle.spark.report.Remedy;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** The part of the page below its header. */
final class PageBody {
    /** Spark's content security policy allows styles in the page. It would refuse scripts, of which there are none. */
    private static final String STYLE = resource("page.css");

    private static final int REFRESH_SECONDS = 5;

    private final boolean live;

    PageBody(boolean live) {
        this.live = live;
    }

    String html(Picture picture) {
        StringBuilder html = new StringBuilder();
        if (live) {
            html.append("<meta http-equiv=\"refresh\" content=\"" + REFRESH_SECONDS + "\"/>");
        }
        html.append("<style>").append(STYLE).append("</style><div class=\"boltshuffle\">");
        picture.notices()
                .forEach(notice -> html.append("<p class=\"bolt-notice\">")
                        .append(escape(notice.text()))
                        .append("</p>"));
        html.append(summary(picture));
        if (!picture.hosts().isEmpty()) {
            section(html, "Hosts and cables", new ClusterDrawing(picture, live).svg());
            section(html, "Shuffle bytes over time", new TrafficChart(picture.samples(), picture.timeMillis()).html());
            section(html, "Stages", stages(picture));
            section(html, "Map outputs, and who wrote them", mapOutputs(picture));
            section(html, "Broadcasts, cached partitions and results", blocks(picture));
            section(html, "By TCP, and why", reasons(picture));
            section(html, "Time of a fetch", latency(picture));
            section(html, "Cables", cables(picture));
            section(html, "Agents", agents(picture));
            section(html, "Cable events", events(picture));
        }
        return html.append("</div>").toString();
    }

    private static void section(StringBuilder html, String title, String content) {
        if (!content.isEmpty()) {
            html.append("<h4>").append(escape(title)).append("</h4>").append(content);
        }
    }

    private String summary(Picture picture) {
        if (picture.hosts().isEmpty()) {
            return picture.notices().stream().anyMatch(Notice::excludesReports)
                    ? ""
                    : "<p>No executor has reported yet. Executors report when they started, and after tasks.</p>";
        }
        long remote = picture.rdmaBytes() + picture.allNettyBytes();
        return "<ul class=\"list-unstyled\">"
                + item("Remote shuffle bytes", ByteFigures.bytes(remote))
                + item("By RDMA", share(picture.rdmaBytes(), remote))
                + item("By TCP", share(picture.allNettyBytes(), remote))
                + "</ul>";
    }

    private static String share(long bytes, long all) {
        return ByteFigures.bytes(bytes) + " (" + Figures.percent(bytes, all) + ")";
    }

    private static String item(String name, String value) {
        return "<li><strong>" + escape(name) + ":</strong> " + escape(value) + "</li>";
    }

    private static String stages(Picture picture) {
        List<Picture.Stage> read =
                picture.stages().stream().filter(Picture.Stage::hasRead).toList();
        if (read.isEmpty()) {
            return "";
        }
        Table table =
                new Table("Stage", "Name", "RDMA share", "By RDMA", "By TCP", "Local", "Fetch wait", "of run time");
        for (Picture.Stage stage : read) {
            table.row(
                    number(stage),
                    stage.name(),
                    Figures.percent(stage.rdmaBytes(), stage.rdmaBytes() + stage.nettyBytes()),
                    ByteFigures.bytes(stage.rdmaBytes()),
                    ByteFigures.bytes(stage.nettyBytes()),
                    ByteFigures.bytes(stage.localBytes()),
                    Figures.seconds(stage.fetchWaitMillis() / 1e3),
                    Figures.percent(stage.fetchWaitMillis(), stage.runMillis()));
        }
        return table.html();
    }

    private static String number(Picture.Stage stage) {
        return stage.attempt() == 0 ? "" + stage.stage() : stage.stage() + "." + stage.attempt();
    }

    private static String mapOutputs(Picture picture) {
        List<Picture.Stage> wrote = picture.stages().stream()
                .filter(stage -> stage.writes().bytes() > 0)
                .toList();
        if (wrote.isEmpty()) {
            return "";
        }
        Table table = new Table(
                "Stage", "Name", "Written", "By our writer", "Our tasks", "Spills", "Spark's tasks", "Time on files");
        for (Picture.Stage stage : wrote) {
            Picture.Writes writes = stage.writes();
            table.row(
                    number(stage),
                    stage.name(),
                    ByteFigures.bytes(writes.bytes()),
                    Figures.percent(writes.ourBytes(), writes.bytes()),
                    Long.toString(writes.ourTasks()),
                    Long.toString(writes.spills()),
                    writes.sparkTasks().entrySet().stream()
                            .map(reason -> reason.getValue() + " (" + Figures.words(reason.getKey()) + ")")
                            .collect(Collectors.joining(", ")),
                    Figures.seconds(writes.fileMillis() / 1e3));
        }
        return table.html() + writers(picture);
    }

    private static String writers(Picture picture) {
        if (picture.writers().isEmpty()) {
            return "";
        }
        Table table = new Table("Host", "Partitions at most", "Buffer of a partition");
        for (Picture.Writer writer : picture.writers()) {
            table.row(writer.host(), Integer.toString(writer.partitions()), ByteFigures.bytes(writer.bufferBytes()));
        }
        return table.html();
    }

    private static String blocks(Picture picture) {
        if (picture.blocks().isEmpty()) {
            return "";
        }
        Table table = new Table("Blocks", "RDMA share", "By RDMA", "By TCP", "Blocks by RDMA", "Blocks by TCP");
        for (BlockTraffic blocks : picture.blocks()) {
            table.row(
                    blocks.kind(),
                    Figures.percent(blocks.rdmaBytes(), blocks.rdmaBytes() + blocks.tcpBytes()),
                    ByteFigures.bytes(blocks.rdmaBytes()),
                    ByteFigures.bytes(blocks.tcpBytes()),
                    Long.toString(blocks.rdmaBlocks()),
                    Long.toString(blocks.tcpBlocks()));
        }
        return table.html();
    }

    private static String reasons(Picture picture) {
        if (picture.nettyBytes().isEmpty()) {
            return "";
        }
        Table table = new Table("Reason", "Bytes", "Share of TCP", "What to do");
        picture.nettyBytes().entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .forEach(reason -> table.row(
                        Figures.words(reason.getKey()),
                        ByteFigures.bytes(reason.getValue()),
                        Figures.percent(reason.getValue(), picture.allNettyBytes()),
                        Remedy.of(reason.getKey())));
        return table.html();
    }

    private static String latency(Picture picture) {
        if (picture.latency().isEmpty()) {
            return "";
        }
        Table table = new Table(
                "Executor", "Host", "Transport", "Fetches", "Bytes of each", "Median", "95 %", "99 %", "Longest");
        for (Picture.ExecutorLatency row : picture.latency()) {
            FetchLatency latency = row.latency();
            table.row(
                    row.executor(),
                    row.host(),
                    row.transport().equals("rdma") ? "RDMA" : "TCP",
                    Long.toString(latency.fetches()),
                    latency.meanBytes() == 0 ? "–" : ByteFigures.bytes(latency.meanBytes()),
                    Figures.millis(latency.p50Millis()),
                    Figures.millis(latency.p95Millis()),
                    Figures.millis(latency.p99Millis()),
                    Figures.millis(latency.maxMillis()));
        }
        return table.html();
    }

    private String cables(Picture picture) {
        return picture.cables().isEmpty()
                ? "<p>No agent has a link over a cable.</p>" + withoutCable(picture)
                : links(picture) + withoutCable(picture);
    }

    private static String withoutCable(Picture picture) {
        if (picture.apart().isEmpty()) {
            return "";
        }
        Table table = new Table("Host", "Other host", "State", "Why there is no cable");
        picture.apart()
                .forEach(hosts ->
                        table.row(hosts.host(), hosts.otherHost(), Figures.words(hosts.state()), hosts.detail()));
        return table.html();
    }

    private String links(Picture picture) {
        Table table = new Table(
                "From",
                "To",
                "State",
                "Bytes",
                live ? "Now" : "At the end",
                "Peak",
                "Time of a stripe",
                "CRC failures",
                "Detail");
        for (Picture.Cable cable : picture.cables()) {
            table.row(
                    cable.one().host() + " " + cable.one().port(),
                    cable.other().host() + " " + cable.other().port(),
                    Figures.words(cable.state()),
                    ByteFigures.bytes(cable.bytes()),
                    ByteFigures.rate(cable.bytesPerSecond()),
                    ByteFigures.rate(cable.peakPerSecond()),
                    cable.stripeMicros() == 0 ? "–" : Figures.millis(cable.stripeMicros() / 1e3),
                    Long.toString(cable.damaged()),
                    cable.detail());
        }
        return table.html();
    }

    private static String agents(Picture picture) {
        Table table = new Table(
                "Host",
                "Executors",
                "Pool",
                "In use",
                "Read by tasks",
                "Copied to the heap",
                "Forgotten blocks",
                "Quarantined",
                "Leaked regions",
                "Agent");
        for (Picture.Host host : picture.hosts()) {
            AgentState agent = host.agent();
            table.row(
                    host.name(),
                    Integer.toString(host.executors()),
                    ByteFigures.bytes(agent.slabBytes()),
                    ByteFigures.bytes(agent.usedBytes()),
                    ByteFigures.bytes(agent.pinnedBytes()),
                    ByteFigures.bytes(host.copiedOutBytes()),
                    Long.toString(host.forgottenBlocks()),
                    ByteFigures.bytes(agent.quarantinedBytes()),
                    Long.toString(agent.leakedRegions()),
                    agent.answered() ? "answers" : agent.problem());
        }
        return table.html();
    }

    private static String events(Picture picture) {
        if (picture.events().isEmpty()) {
            return "";
        }
        Table table = new Table("Time", "Host", "Port", "Peer", "State", "Detail");
        picture.events()
                .forEach(event -> table.row(
                        Figures.time(event.timeMillis()),
                        event.host(),
                        event.port(),
                        event.peer(),
                        Figures.words(event.state()),
                        event.detail()));
        return table.html();
    }

    private static String resource(String name) {
        try (InputStream in = Objects.requireNonNull(PageBody.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
