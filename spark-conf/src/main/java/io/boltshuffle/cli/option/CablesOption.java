package io.boltshuffle.cli.option;

import io.boltshuffle.cli.cluster.CableKind;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code --cables}, for verbs that need cables. */
public final class CablesOption {
    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it before it sets an option
    private CommandSpec command;

    private CableKind kind = CableKind.SEND;

    @Option(
            names = "--cables",
            paramLabel = "KIND",
            defaultValue = "send",
            description = "What joins the hosts: send, by Apple's rules, or read, with RDMA READ (default: "
                    + "${DEFAULT-VALUE}).")
    void setKind(CableKind chosen) {
        if (chosen != CableKind.SEND && chosen != CableKind.READ) {
            throw new ParameterException(command.commandLine(), "--cables has to be send or read");
        }
        kind = chosen;
    }

    public CableKind kind() {
        return kind;
    }
}
