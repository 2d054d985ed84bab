package io.boltshuffle.cli;

import java.util.Map;
import java.util.Optional;

/** Lists the verbs and options that are gone, each with the sentence that says since when, why, and what to use. */
final class RemovedWords {
    private static final Map<String, String> REASONS = Map.of(
            "bolt bench model",
            "nobody could check on hardware what it predicted; 'bolt savings' estimates from your event logs",
            "bolt bench passthrough",
            "it showed that handing every block to Netty costs nothing that can be seen; 'bolt bench job' compares "
                    + "whole jobs with stock",
            "bolt bench scale",
            "it showed on 2026-11-22 and 23 that nothing an agent holds grows with blocks, or faster than its peers; "
                    + "'bolt agent status' tells what an agent holds",
            "bolt bench stage",
            "what a stage waits for blocks is a column of 'bolt bench job', whose jobs 'wide' and 'narrow' do little "
                    + "besides one shuffle",
            "bolt verify --abi",
            "it compared this program with a header for those who change it, and is a test now: AbiAuditTest",
            "bolt queries",
            "'bolt bench job --answers' runs the same queries, with --job tpch or tpcds and --query all",
            "bolt bench start",
            "it showed on 2026-11-25 that an application starts with the plugin as fast as without it, within the "
                    + "spread; 'bolt bench job' times whole jobs");

    private RemovedWords() {}

    /** Returns the sentence about a verb or option of a command, if it was removed. */
    static Optional<String> sentence(String command, String word) {
        String removed = command + " " + word.split("=", 2)[0];
        return Optional.ofNullable(REASONS.get(removed)).map(reason -> "'" + removed + "' left in 0.2.0: " + reason);
    }
}
