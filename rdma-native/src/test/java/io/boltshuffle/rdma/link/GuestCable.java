package io.boltshuffle.rdma.link;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The virtual Ethernet cable between the two Soft-RoCE hosts of the lab's guest, and what its kernel can do to it. */
final class GuestCable {

    /** Made by the guest at its start; putting a port up by it brings back the routes that the kernel dropped. */
    private static final String PORT = "/boot-tools/port";

    private static final List<String> ENDS = List.of("en5", "en6");
    private static final Pattern DROPPED = Pattern.compile("dropped (\\d+)");

    private GuestCable() {}

    /** Loses and damages packets at random, in both directions. */
    static void disturb(String loss, String corruption) throws IOException, InterruptedException {
        for (String end : ENDS) {
            run("tc", "qdisc", "replace", "dev", end, "root", "netem", "loss", loss, "corrupt", corruption);
        }
    }

    /** Ends what {@link #disturb} began, and returns how many packets it lost. */
    static long calm() throws IOException, InterruptedException {
        long dropped = 0;
        for (String end : ENDS) {
            Matcher count = DROPPED.matcher(run("tc", "-s", "qdisc", "show", "dev", end));
            dropped += count.find() ? Long.parseLong(count.group(1)) : 0;
            run("tc", "qdisc", "del", "dev", end, "root");
        }
        return dropped;
    }

    static void portDown(String end) throws IOException, InterruptedException {
        run("ip", "link", "set", end, "down");
    }

    static void portUp(String end) throws IOException, InterruptedException {
        run(PORT, "up", end);
    }

    /** Begins to take the device away; a kernel may wait for the processes that have it open. */
    static Process removeDevice(String end) throws IOException {
        return start(PORT, "remove", end);
    }

    static void addDevice(String end) throws IOException, InterruptedException {
        run(PORT, "add", end);
    }

    /** Queue pairs of programs that the kernel has on the device at this end. */
    static long queuePairs(String end) throws IOException, InterruptedException {
        return run("rdma", "resource", "show", "qp")
                .lines()
                .filter(line -> line.contains(" rdma_" + end + "/") && !line.contains("[ib_core]"))
                .count();
    }

    private static Process start(String... command) throws IOException {
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private static String run(String... command) throws IOException, InterruptedException {
        Process process = start(command);
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + " failed: " + output);
        }
        return output;
    }
}
