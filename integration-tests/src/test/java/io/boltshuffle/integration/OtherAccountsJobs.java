package io.boltshuffle.integration;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * A program that has agents, hosts and an application of its own, all as its account, and runs one job after the other
 * until there is input. After each it says how many bytes its agents have served so far.
 */
final class OtherAccountsJobs {
    static final String SERVED = "served so far: ";

    private OtherAccountsJobs() {}

    /** Returns the command, with the options of this JVM that Spark needs. */
    static List<String> command(String classPath, Path directory, Path state) {
        List<String> command = new ArrayList<>(EndlessDriver.java(directory));
        command.addAll(
                List.of("-cp", classPath, OtherAccountsJobs.class.getName(), directory.toString(), state.toString()));
        return command;
    }

    /** @param args a directory of its own, and the one of the state of the cable */
    public static void main(String[] args) throws IOException {
        Path directory = Path.of(args[0]);
        try (AgentPair agents = SharedCable.agents(directory, Path.of(args[1])).startBoth();
                TwoHosts hosts = TwoHosts.start(directory);
                JavaSparkContext context =
                        new JavaSparkContext(agents.applyTo(hosts.applicationConf("other-account")))) {
            CountingJob job = new CountingJob(context, 20_000, 12);
            while (System.in.available() == 0) {
                if (!job.run().equals(job.expected())) {
                    throw new IllegalStateException("a wrong answer");
                }
                System.out.println(SERVED + agents.servedBytes());
            }
        }
    }
}
