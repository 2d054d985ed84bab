package io.boltshuffle.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.boltshuffle.wire.MeetingPlace;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Shows what an agent says whose port is taken. */
@Timeout(60)
class RunningAgentsTest {

    private final Path temp;

    RunningAgentsTest(@TempDir Path temp) {
        this.temp = temp;
    }

    /** The agents of the application before were started with another directory, for example. */
    @Test
    void anAgentWhosePortAnotherAgentOfThisUserHasNamesThatOnesDirectoryAndProcess() throws Exception {
        Path theirs = temp.resolve("theirs");
        MeetingPlace.open(theirs, TwoAgents.READER);
        try (TwoAgents hosts = new TwoAgents(temp, Map.of());
                ServerSocketChannel port =
                        ServerSocketChannel.open().bind(new InetSocketAddress(TwoAgents.READER, hosts.port()))) {
            // Longer than the part of a command line that the JVM tells of a process.
            String longClassPath = System.getProperty("java.class.path") + (File.pathSeparator + "none").repeat(2000);
            Process other = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            longClassPath,
                            Waiting.class.getName(),
                            AgentMain.class.getName(),
                            "--host",
                            TwoAgents.READER,
                            "--root",
                            theirs.toString(),
                            "--conf",
                            "spark.boltshuffle.agent.port=" + hosts.port())
                    .start();
            try {
                assertThatThrownBy(() -> hosts.startAgent(TwoAgents.READER, 1, Map.of()))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("cannot listen on 127.0.0.2:" + hosts.port())
                        .hasMessageContaining("process " + other.pid())
                        .hasMessageContaining("set spark.boltshuffle.agent.directory=" + theirs + ", or end");
                assertThat(RunningAgents.others())
                        .anyMatch(agent -> agent.start().root().equals(theirs));
            } finally {
                other.getOutputStream().close();
                other.waitFor();
            }
            assertThat(port.isOpen()).isTrue();
            assertThatThrownBy(() -> hosts.startAgent(TwoAgents.READER, 1, Map.of()))
                    .hasMessageContaining("another program has the port: end it, or choose another");
        }
    }

    /** Lives until its input ends. */
    static final class Waiting {
        public static void main(String[] args) throws IOException {
            assertThat(System.in.read()).isEqualTo(-1);
        }
    }
}
