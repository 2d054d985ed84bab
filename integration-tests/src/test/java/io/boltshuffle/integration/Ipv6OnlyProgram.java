package io.boltshuffle.integration;

import io.boltshuffle.cli.cluster.CableKind;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/** A cluster of two hosts that have IPv6 addresses only, and a job whose blocks have to go by RDMA between them. */
final class Ipv6OnlyProgram {

    static final List<String> HOSTS = List.of("fd00::2", "fd00::3");

    private Ipv6OnlyProgram() {}

    /** @param args a directory for all that is written */
    public static void main(String[] args) throws Exception {
        if (hasIpv4()) {
            throw new IllegalStateException("this network has IPv4");
        }
        Path directory = Path.of(args[0]);
        List<String> forSpark = HOSTS.stream().map(host -> "[" + host + "]").toList();
        try (AgentPair agents = new AgentPair(Files.createDirectories(directory.resolve("n")), HOSTS, 1, CableKind.SEND)
                        .startBoth();
                TwoHosts hosts = TwoHosts.start(directory, forSpark, forSpark.get(0));
                JavaSparkContext context = new JavaSparkContext(conf(hosts, agents))) {
            new CountingJob(context, 20_000, 12).awaitRdma(agents);
        }
    }

    private static SparkConf conf(TwoHosts hosts, AgentPair agents) {
        SparkConf conf = agents.applyTo(hosts.applicationConf("ipv6-only"));
        return conf.set("spark.executor.extraJavaOptions", "-Djava.net.preferIPv6Addresses=true");
    }

    private static boolean hasIpv4() throws IOException {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .anyMatch(Inet4Address.class::isInstance);
    }
}
