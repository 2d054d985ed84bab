package io.boltshuffle.cli.localcluster;

import picocli.CommandLine.Command;

/** {@code bolt cluster}, which only names the verbs below it. */
@Command(
        name = "cluster",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        header = "Starts, shows and stops a Spark cluster of virtual hosts on this machine, for your own jobs.",
        description = {
            "",
            "A master on 127.0.0.1, a worker and a node agent on each of 127.0.0.2, 127.0.0.3, ..., and virtual cables "
                    + "between them. It stays until it is stopped. There is one for each user.",
            "",
            "Example:",
            "  bolt cluster start --hosts 2",
            "  bolt cluster status",
            "  bolt cluster stop",
            ""
        },
        subcommands = {ClusterStartCommand.class, ClusterStatusCommand.class, ClusterStopCommand.class})
public final class ClusterVerb {}
