package io.boltshuffle.cli.doctor.check;

import io.boltshuffle.cli.doctor.facts.HostFacts;
import java.util.List;

/** Checks that the Mac will not fall asleep during a job. Nothing wakes it over Thunderbolt. */
final class SleepCheck implements Check {

    @Override
    public List<Finding> on(Cluster cluster) {
        return cluster.macs().stream()
                .filter(mac -> mac.sleepMinutes().isPresent())
                .map(mac -> judge(mac, mac.sleepMinutes().getAsInt()))
                .toList();
    }

    private static Finding judge(HostFacts mac, int minutes) {
        if (minutes == 0) {
            return Finding.ok(Cause.SLEEP_ON, mac.host(), "never sleeps by itself");
        }
        return Finding.warning(
                Cause.SLEEP_ON,
                mac.host(),
                new Finding.Problem(
                        "sleeps after " + minutes + " min without input",
                        "A sleeping Mac drops out of the job without a message, and cannot be woken over Thunderbolt.",
                        "For good: sudo pmset -a sleep 0. For one job: caffeinate -i -s before the command, on every "
                                + "Mac."));
    }
}
