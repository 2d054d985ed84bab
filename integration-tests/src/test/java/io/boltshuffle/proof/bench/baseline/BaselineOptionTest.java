package io.boltshuffle.proof.bench.baseline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.ExitCode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class BaselineOptionTest {
    /** A verb with this option. */
    @Command
    static final class Verb {
        @Mixin
        private final BaselineOption baselines = new BaselineOption();
    }

    private static BaselineOption parsed(String... arguments) {
        Verb verb = new Verb();
        new CommandLine(verb).setCaseInsensitiveEnumValuesAllowed(true).parseArgs(arguments);
        return verb.baselines;
    }

    @Test
    void theDefaultAlwaysTakesPartAndNeedNotBeNamed() {
        assertThat(parsed().besidesDefault()).isEmpty();
        assertThat(parsed("--baseline", "default").besidesDefault()).isEmpty();
        assertThat(parsed("--baseline", "connections-4,default,nio").besidesDefault())
                .containsExactly(Baseline.NIO, Baseline.CONNECTIONS_4);
    }

    @Test
    void epollNeedsLinux() {
        BaselineOption epoll = parsed("--baseline", "epoll");

        assertThatCode(() -> epoll.check("Linux")).doesNotThrowAnyException();
        assertThatThrownBy(() -> epoll.check("Mac OS X"))
                .isInstanceOfSatisfying(
                        BoltException.class,
                        refused -> assertThat(refused.exitCode()).isEqualTo(ExitCode.USAGE))
                .hasMessage("--baseline epoll needs Linux, and this is Mac OS X: leave epoll out");
    }

    @Test
    void whereNoFilesAreInMemoryTheSentenceSaysSo(@TempDir Path directory) {
        assertThatThrownBy(() -> MemoryDirectory.require(directory.resolve("none")))
                .isInstanceOf(BoltException.class)
                .hasMessageStartingWith("--baseline tmpfs needs a file system in memory at ")
                .hasMessageEndingWith("leave tmpfs out");
    }
}
