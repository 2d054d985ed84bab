package io.boltshuffle.cli;

import picocli.CommandLine.Command;

/** {@code bolt bench}: only names the measurements. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        header = "Measures; prints figures with their spread and judges nothing.",
        description = {"", "Example:", "  bolt bench passthrough --size 128m --rounds 3", ""},
        subcommands = BenchPassthroughCommand.class)
final class BenchCommand {}
