package io.boltshuffle.proof.bench;

import io.boltshuffle.cli.base.BoltException;
import picocli.CommandLine.Option;

/** {@code --rounds}: how often each kind of measurement is made; the kinds take turns. */
final class RoundsOption {
    @Option(
            names = "--rounds",
            paramLabel = "COUNT",
            description = "Times that each kind of measurement is made, by turns (default: ${DEFAULT-VALUE}).")
    private int rounds;

    /** @param usual without the option */
    RoundsOption(int usual) {
        this.rounds = usual;
    }

    /** @throws BoltException for less than one */
    void check() {
        if (rounds < 1) {
            throw BoltException.usage("--rounds is " + rounds + "; it has to be 1 or more");
        }
    }

    int count() {
        return rounds;
    }
}
