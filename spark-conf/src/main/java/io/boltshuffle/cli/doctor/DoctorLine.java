package io.boltshuffle.cli.doctor;

import io.boltshuffle.cli.doctor.check.Cluster;
import io.boltshuffle.cli.doctor.check.Diagnosis;
import io.boltshuffle.cli.doctor.fabric.Fabric;
import io.boltshuffle.cli.doctor.facts.HostFacts;
import io.boltshuffle.cli.doctor.probe.Collector;
import io.boltshuffle.cli.doctor.probe.Hosts;
import java.util.List;
import java.util.Optional;

/** The first line of the doctor about this machine, for verbs that start something on it. */
public final class DoctorLine {
    private DoctorLine() {}

    /** Looks, which takes seconds, and returns the line. */
    public static String ofThisMachine() {
        try {
            List<HostFacts> facts = Collector.collect(List.of(Hosts.local())).stream()
                    .map(HostFacts::new)
                    .toList();
            Cluster cluster = new Cluster(Fabric.discover(facts), Optional.empty());
            return DoctorReport.text(cluster, Diagnosis.of(cluster))
                    .lines()
                    .findFirst()
                    .orElse("");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }
}
