package io.boltshuffle.cli.option;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

class CommandWordsTest {
    /** A verb that keeps the command line by which it was run. */
    @Command(name = "run")
    static final class Verb implements Runnable {
        @Spec
        private CommandSpec command = CommandSpec.create();

        @Option(names = "--sizes", split = ",")
        private List<String> sizes = List.of();

        private String words = "";

        @Override
        public void run() {
            words = CommandWords.of(command) + " " + sizes.size();
        }
    }

    @Command(name = "bolt")
    static final class Root {}

    @Test
    void wordsAreAsTheUserGaveThem() {
        Verb verb = new Verb();

        new CommandLine(new Root()).addSubcommand(verb).execute("run", "--sizes", "1,2");

        assertThat(verb.words).isEqualTo("bolt run --sizes 1,2 2");
    }

    @Test
    void whatAShellWouldTakeApartIsQuoted() {
        assertThat(CommandWords.of("bolt", List.of("--data", "a b", "it's", "mac:14c,1g", "--x=1")))
                .isEqualTo("bolt --data 'a b' 'it'\\''s' mac:14c,1g --x=1");
    }
}
