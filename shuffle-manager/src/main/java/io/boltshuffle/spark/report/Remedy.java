package io.boltshuffle.spark.report;

import java.util.Map;

/** Says what a user can do about a reason for which blocks go by TCP. The tab shows it. */
public final class Remedy {
    private static final String DOCTOR = "Run 'bolt doctor --hosts' with both hosts; its first line names the cause.";

    private static final Map<String, String> BY_REASON = Map.ofEntries(
            Map.entry("disabled", "Take spark.boltshuffle.enabled=false out of the settings."),
            Map.entry(
                    "encrypted_wire",
                    "RDMA does not encrypt. If the cable may carry cleartext, set "
                            + "spark.boltshuffle.allowCleartext=true."),
            Map.entry("block_kind", "Nothing: Spark sends blocks of this kind itself. Push-based shuffle makes them."),
            Map.entry(
                    "no_agent",
                    "'bolt agent status' on that host shows whether an agent runs, and in which directory; agent.log "
                            + "in the executors' directory says why theirs does not."),
            Map.entry(
                    "no_contact",
                    "Nothing if it happens when an application begins: later blocks of that host go by RDMA. Of a "
                            + "driver whose host has no agent it is all that is said."),
            Map.entry(
                    "peer_unreachable",
                    "The address that was called is listed with the cables. An agent follows its host's name to "
                            + "another address within a minute; if it cannot, 'bolt agent status' on that host says "
                            + "why. Else let the hosts reach each other at the agent's port, and see the firewall. "
                            + DOCTOR),
            Map.entry("no_cable", "What the agents saw is listed with the cables. " + DOCTOR),
            Map.entry(
                    "cable_pulled",
                    "Plug the cable in, or wake the host: RDMA comes back by itself. The ports are listed with the "
                            + "cables."),
            Map.entry(
                    "peer_refused",
                    "Give both hosts the same version of boltshuffle, the same agent.secretFile and the same settings; "
                            + "which differ is listed with the cables."),
            Map.entry("link_failed", "Look at the cable; its state is listed with the cables. " + DOCTOR),
            Map.entry("corrupt", "Change the cable, and send us the agents' logs if it happens again."),
            Map.entry("deadline", "If the hosts are well, but busy: raise spark.boltshuffle.fetch.timeout."),
            Map.entry("no_memory", "Raise spark.boltshuffle.agent.slab, or let fewer tasks run at a time."),
            Map.entry(
                    "block_not_found",
                    "Nothing, if the shuffle manager keeps its outputs elsewhere than in Spark's files. Else see that"
                            + " the agent sees the executors' local directories."),
            Map.entry(
                    "block_unavailable",
                    "If Spark then finds the block: see that the agent runs as the executors' user and sees their local"
                            + " directories."),
            Map.entry(
                    "storage_hangs",
                    "'bolt agent status' on the host that has the blocks names the directory: look at its disk or its"
                            + " network mount."),
            Map.entry("overloaded", "Let fewer tasks run at a time on a host."),
            Map.entry("too_large", "Use more partitions, or give executors more memory."),
            Map.entry("disk_write", "See that Spark's local directories have room."),
            Map.entry("transport_error", "Please report it, with the executor's log."));

    private Remedy() {}

    /** Returns one or two sentences; empty for a reason of a newer release. */
    public static String of(String reason) {
        return BY_REASON.getOrDefault(reason, "");
    }
}
