package io.boltshuffle.cli;

import picocli.CommandLine.Command;

/** {@code bolt bench}: only names the measurements. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        header = "Measures; prints figures with their spread.",
        description = {"", "Examples:", "  bolt bench link", "  bolt bench passthrough --size 128m --rounds 3", ""},
        subcommands = {BenchLinkCommand.class, BenchPassthroughCommand.class})
final class BenchCommand {}
