package io.boltshuffle.cli.up;

import io.boltshuffle.cli.base.Counted;
import io.boltshuffle.cli.cluster.ProcessRecord;
import io.boltshuffle.cli.cluster.RunDirectory;
import io.boltshuffle.cli.joining.Member;
import io.boltshuffle.cli.joining.Membership;
import io.boltshuffle.cli.localcluster.CarriedBytes;
import io.boltshuffle.cli.localcluster.ClusterDescription;
import io.boltshuffle.cli.localcluster.LocalCluster;
import io.boltshuffle.conf.ByteFigures;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The state of the cluster: the processes of this machine, and the machines that joined.
 *
 * @param page what the master says; empty if it does not answer
 * @param members as the first machine knows them; none elsewhere
 */
record SharedStatus(SharedPlace place, Optional<MasterPage> page, List<Member> members, OptionalLong rdmaBytes) {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm");

    static SharedStatus of(SharedPlace place) {
        Optional<ClusterDescription> cluster = place.cluster().description();
        return new SharedStatus(
                place,
                cluster.flatMap(found -> MasterPage.at(found.uiUrl())),
                place.isFirst() ? place.members().all() : List.of(),
                cluster.isPresent() ? fetched(cluster.get()) : OptionalLong.empty());
    }

    private static OptionalLong fetched(ClusterDescription cluster) {
        return CarriedBytes.byRdma(Path.of(cluster.agentRoot()), cluster.hosts().get(0));
    }

    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        LocalCluster cluster = place.cluster();
        json.put("running", cluster.isWhole());
        cluster.description().ifPresent(found -> {
            json.put("first", place.isFirst());
            json.put("master", found.masterUrl());
            json.put("ui", found.uiUrl());
            json.put("spark", found.spark());
            json.put("address", found.hosts().get(0));
            json.put("cores", found.coresPerHost());
            json.put("memory", found.executorMemory());
            json.put("agentRoot", found.agentRoot());
            json.put("sparkConfDir", cluster.clientConfiguration().toString());
        });
        rdmaBytes.ifPresent(bytes -> json.put("rdmaBytes", bytes));
        page.ifPresent(found -> json.put("workers", found.workers()));
        json.put(
                "machines",
                members.stream()
                        .map(member ->
                                Map.of("name", member.name(), "address", member.address(), "left", member.left()))
                        .toList());
        json.put(
                "processes",
                cluster.processes().stream()
                        .map(one -> Map.of("name", one.title(), "pid", one.pid(), "alive", one.lives()))
                        .toList());
        return json;
    }

    String toText() {
        LocalCluster cluster = place.cluster();
        ClusterDescription found = cluster.description().orElseThrow();
        StringBuilder text = new StringBuilder();
        line(text, "master", found.masterUrl());
        line(text, "UI", found.uiUrl());
        if (place.isFirst()) {
            line(text, "history", JoinLine.read(place).history());
        } else {
            place.membership().map(Membership::host).ifPresent(host -> line(text, "joined", "the cluster of " + host));
        }
        line(
                text,
                "here",
                found.hosts().get(0) + ": Spark " + found.spark() + ", " + Counted.of(found.coresPerHost(), "core")
                        + " and " + found.executorMemory() + " for executors");
        line(
                text,
                "workers",
                page.map(all -> Counted.of(all.workers().size(), "machine") + ", "
                                + Counted.of(
                                        all.workers().stream()
                                                .mapToLong(MasterPage.Worker::cores)
                                                .sum(),
                                        "core"))
                        .orElse("the master does not answer"));
        rdmaBytes.ifPresent(bytes -> line(text, "by RDMA", ByteFigures.bytes(bytes) + " to this machine so far"));
        members.forEach(member -> line(text, "machine", told(member)));
        RunDirectory run = new RunDirectory(cluster.root(), true);
        for (ProcessRecord process : cluster.processes()) {
            line(
                    text,
                    "process",
                    process.pid() + "  " + process.title()
                            + (process.lives() ? "" : "  ENDED: its log is " + run.log(process.title())));
        }
        return text.toString().stripTrailing();
    }

    private String told(Member member) {
        String since = TIME.format(Instant.ofEpochMilli(member.sinceMillis()).atZone(ZoneId.systemDefault()));
        boolean works =
                page.filter(found -> found.hasWorkerAt(member.address())).isPresent();
        String state = member.left() ? "left at " : works ? "works here since " : "has no worker here; joined at ";
        return member.name() + " (" + member.address() + ") " + state + since;
    }

    private static void line(StringBuilder text, String label, String value) {
        text.append(String.format("%-9s %s%n", label, value));
    }
}
