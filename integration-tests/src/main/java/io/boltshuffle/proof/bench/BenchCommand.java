package io.boltshuffle.proof.bench;

import picocli.CommandLine.Command;

/** {@code bolt bench}: only names the measurements. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        header = "Measures; prints figures with their spread.",
        description = {
            "",
            "Examples:",
            "  bolt bench fetch --quick --json > fetch.json",
            "  bolt bench link --mode send --rounds 1 --seconds 1",
            ""
        },
        subcommands = {
            BenchBlocksCommand.class,
            BenchFetchCommand.class,
            BenchJobCommand.class,
            BenchLinkCommand.class,
            BenchWriteCommand.class
        })
public final class BenchCommand {}
