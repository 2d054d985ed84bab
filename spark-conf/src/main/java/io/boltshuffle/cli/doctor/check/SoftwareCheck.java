package io.boltshuffle.cli.doctor.check;

import io.boltshuffle.cli.doctor.facts.HostFacts;
import io.boltshuffle.cli.doctor.facts.JavaVersion;
import io.boltshuffle.cli.doctor.facts.SparkHome;
import io.boltshuffle.conf.Options;
import io.boltshuffle.conf.SparkSupport;
import io.boltshuffle.conf.UnknownSparkChoice;
import io.boltshuffle.os.OperatingSystem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Checks the software: a name of its own that resolves, Java 17 or newer, and a Spark that the plugin was made for, the
 * same everywhere.
 */
final class SoftwareCheck implements Check {

    private static final int OLDEST_JAVA = 17;

    @Override
    public List<Finding> on(Cluster cluster) {
        List<Finding> findings = new ArrayList<>();
        Set<String> sparkVersions = new TreeSet<>();
        for (HostFacts host : cluster.hosts()) {
            if (host.platform() == OperatingSystem.UNKNOWN) {
                continue;
            }
            host.unresolvableName().ifPresent(name -> findings.add(unknownName(host, name)));
            findings.add(java(host, host.java()));
            if (host.spark().isPresent()) {
                findings.add(spark(host, host.spark().get()));
                sparkVersions.add(host.spark().get().version());
            } else if (cluster.hosts().size() > 1) { // one machine has the Spark that bolt gathers
                findings.add(noSpark(host));
            }
        }
        if (sparkVersions.size() > 1) {
            findings.add(differentSparks(sparkVersions));
        }
        return findings;
    }

    private static Finding unknownName(HostFacts host, String name) {
        return Finding.failure(
                Cause.OWN_NAME,
                host.host(),
                new Finding.Problem(
                        "its own name " + name + " does not resolve there",
                        "Spark looks its address up by that name, and ends with UnknownHostException.",
                        "Add a line '127.0.1.1 " + name + "' to /etc/hosts, or set SPARK_LOCAL_IP in spark-env.sh on "
                                + host.host() + "."));
    }

    private static Finding java(HostFacts host, Optional<JavaVersion> java) {
        if (java.isEmpty()) {
            return Finding.warning(
                    Cause.JAVA,
                    host.host(),
                    new Finding.Problem(
                            "no java in JAVA_HOME or on the PATH of a plain shell",
                            "Spark's executors and the agent need one.",
                            "Install a JDK 17 or newer, and set JAVA_HOME in spark-env.sh on " + host.host() + "."));
        }
        if (java.get().feature() < OLDEST_JAVA) {
            return Finding.failure(
                    Cause.JAVA,
                    host.host(),
                    new Finding.Problem(
                            "Java " + java.get().text(),
                            "The plugin is built for Java 17.",
                            "Install a JDK 17 or newer, and set JAVA_HOME in spark-env.sh on " + host.host() + "."));
        }
        return Finding.ok(Cause.JAVA, host.host(), "Java " + java.get().text());
    }

    private static Finding noSpark(HostFacts host) {
        return Finding.warning(
                Cause.SPARK,
                host.host(),
                new Finding.Problem(
                        "no Spark in SPARK_HOME or on the PATH of a plain shell",
                        "Commands over ssh, such as those of start-workers.sh, do not find Spark, nor its Java in"
                                + " spark-env.sh.",
                        "Set SPARK_HOME on " + host.host()
                                + " in a file that such a shell reads: ~/.zshenv on a Mac."));
    }

    private static Finding spark(HostFacts host, SparkHome spark) {
        String seen = "Spark " + spark.version() + " for Scala " + spark.scalaVersion() + " in " + spark.home();
        SparkSupport support = SparkSupport.of(spark.version(), spark.scalaVersion());
        return support == SparkSupport.KNOWN || (support == SparkSupport.NEWER && isTried(host))
                ? Finding.ok(Cause.SPARK, host.host(), seen)
                : Finding.failure(
                        Cause.SPARK,
                        host.host(),
                        new Finding.Problem(
                                seen,
                                "The plugin was made for " + SparkSupport.madeFor()
                                        + "; on another it leaves every shuffle to Spark's own code and TCP.",
                                "On " + host.host() + " " + support.remedy() + "."));
    }

    /** Returns whether the settings of the host's Spark want the plugin on a Spark that it does not know. */
    private static boolean isTried(HostFacts host) {
        return host.sparkSettings()
                .map(spark -> spark.values().getOrDefault(Options.UNKNOWN_SPARK.key(), ""))
                .filter(UnknownSparkChoice.TRY.name()::equalsIgnoreCase)
                .isPresent();
    }

    private static Finding differentSparks(Set<String> versions) {
        return Finding.warning(
                Cause.SPARK,
                "all hosts",
                new Finding.Problem(
                        "different Spark versions: " + String.join(", ", versions),
                        "Driver and executors of different versions do not understand each other.",
                        "Install one version on every host."));
    }
}
