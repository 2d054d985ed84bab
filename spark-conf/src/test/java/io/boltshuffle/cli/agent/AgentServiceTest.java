package io.boltshuffle.cli.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.client.AgentJvm;
import io.boltshuffle.os.SystemCommand;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.w3c.dom.Document;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class AgentServiceTest {
    private static final List<String> COMMAND =
            List.of("/a java/bin/java", "-cp", "a&b.jar:c/*", "--conf", "k=50%$<\"");

    private final Path home;
    private final List<List<String>> ran = new ArrayList<>();
    private int exitCode;

    AgentServiceTest(@TempDir Path home) {
        this.home = home;
    }

    @ParameterizedTest
    @EnumSource
    void installWritesAndStartsAndUninstallLeavesNothing(ServiceManager manager) throws IOException {
        UserService service = service(manager);

        service.install(COMMAND);
        assertThat(service.file()).hasContent(service.unit(COMMAND));
        assertThat(ran).isEqualTo(service.startCommands()).isNotEmpty();

        ran.clear();
        service.uninstall();
        assertThat(ran).isEqualTo(service.stopCommands()).isNotEmpty();
        assertThat(service.file()).doesNotExist();
    }

    @ParameterizedTest
    @EnumSource
    void whatIsThereIsNotReplacedAndWhatIsNotThereIsNotRemoved(ServiceManager manager) throws IOException {
        UserService service = service(manager);
        assertThatThrownBy(service::uninstall)
                .isInstanceOf(BoltException.class)
                .hasMessageContaining("no agent was installed");

        Files.createDirectories(service.file().getParent());
        Files.writeString(service.file(), "mine");
        assertThatThrownBy(() -> service.install(COMMAND))
                .isInstanceOf(BoltException.class)
                .hasMessageContaining("is there already");
        assertThat(service.file()).hasContent("mine");
        assertThat(ran).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aCommandThatFailsIsNamedWithWhatWasDone(ServiceManager manager) {
        UserService service = service(manager);
        exitCode = 5;

        assertThatThrownBy(() -> service.install(COMMAND))
                .isInstanceOf(BoltException.class)
                .hasMessageContaining(service.file() + " is written, but '")
                .hasMessageContaining("ended with 5");
        assertThatThrownBy(service::uninstall)
                .isInstanceOf(BoltException.class)
                .hasMessageContaining(service.file() + " is removed, but '");
        assertThat(service.file()).doesNotExist();
    }

    @Test
    void systemdGetsWordsThatItDoesNotExpand() {
        assertThat(service(ServiceManager.SYSTEMD).unit(COMMAND))
                .contains("\nExecStart=\"/a java/bin/java\" \"-cp\" \"a&b.jar:c/*\" \"--conf\" \"k=50%%$$<\\\"\"\n")
                .contains("\nTimeoutStopSec=30\n")
                .doesNotContain("@");
        assertThat(service(ServiceManager.SYSTEMD).file())
                .isEqualTo(home.resolve(".config/systemd/user/boltshuffle-agent.service"));
    }

    @Test
    void systemdGetsTheEnvironmentOfEveryAgent() {
        assertThat(AgentJvm.ENVIRONMENT)
                .allSatisfy((name, value) -> assertThat(
                                service(ServiceManager.SYSTEMD).unit(COMMAND))
                        .contains("\nEnvironment=" + name + "=" + value + "\n"));
    }

    /** A command that starts what stays: nothing may end that when the command has ended. */
    @Test
    void aPartInAClusterIsAServiceOfItsOwn() throws Exception {
        UserService systemd = cluster(ServiceManager.SYSTEMD);
        assertThat(systemd.file()).isEqualTo(home.resolve(".config/systemd/user/boltshuffle-cluster.service"));
        assertThat(systemd.unit(COMMAND))
                .contains("\nType=oneshot\nRemainAfterExit=yes\nExecStart=\"/a java/bin/java\" ", "TimeoutStopSec=30\n")
                .doesNotContain("@");

        UserService launchd = cluster(ServiceManager.LAUNCHD);
        assertThat(launchd.file()).isEqualTo(home.resolve("Library/LaunchAgents/io.boltshuffle.cluster.plist"));
        assertThat(launchd.stopCommands().get(0).get(2)).endsWith("/io.boltshuffle.cluster");
        String plist = launchd.unit(COMMAND);
        assertThat(plist)
                .contains("<key>AbandonProcessGroup</key>\n    <true/>")
                .doesNotContain("@");
        assertThat(elements(xml(plist).getElementsByTagName("array").item(0)))
                .extracting(Node::getTextContent)
                .isEqualTo(COMMAND);
    }

    private UserService cluster(ServiceManager manager) {
        return new UserService(manager, "cluster", "bolt down", home, command -> 0);
    }

    @Test
    void launchdGetsTheSameWords() throws Exception {
        String plist = service(ServiceManager.LAUNCHD).unit(COMMAND);
        assertThat(plist).doesNotContain("@");
        assertThat(service(ServiceManager.LAUNCHD).file())
                .isEqualTo(home.resolve("Library/LaunchAgents/io.boltshuffle.agent.plist"));

        Node words = xml(plist).getElementsByTagName("array").item(0);
        assertThat(elements(words)).extracting(Node::getTextContent).isEqualTo(COMMAND);
    }

    /** Finds entries that launchd would ignore in silence: a misspelt key, a value of another type. */
    @Test
    void launchdGetsKeysThatItKnowsWithValuesOfTheirTypes() throws Exception {
        List<Node> entries = elements(xml(service(ServiceManager.LAUNCHD).unit(COMMAND))
                .getElementsByTagName("dict")
                .item(0));
        Map<String, String> types = new HashMap<>();
        Map<String, String> values = new HashMap<>();
        for (int at = 0; at < entries.size(); at += 2) {
            assertThat(entries.get(at).getNodeName()).isEqualTo("key");
            types.put(entries.get(at).getTextContent(), entries.get(at + 1).getNodeName());
            values.put(entries.get(at).getTextContent(), entries.get(at + 1).getTextContent());
        }

        assertThat(types)
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "Label", "string",
                        "ProgramArguments", "array",
                        "RunAtLoad", "true",
                        "KeepAlive", "dict",
                        "ThrottleInterval", "integer",
                        "ExitTimeOut", "integer",
                        "ProcessType", "string",
                        "StandardOutPath", "string",
                        "StandardErrorPath", "string"));
        // Else macOS lets timers of the agent's threads wait for each other, and a sleep of 20 us may take
        // milliseconds.
        assertThat(values).containsEntry("ProcessType", "Interactive").containsEntry("Label", "io.boltshuffle.agent");
        assertThat(values).containsEntry("ExitTimeOut", Long.toString(AgentCommand.STOP_TIME.toSeconds()));
    }

    @Test
    void theLintOfMacOsAcceptsTheFileForLaunchd() throws IOException {
        Path plutil = Path.of("/usr/bin/plutil");
        assumeThat(plutil).as("only macOS has it").isExecutable();
        Path file = Files.writeString(
                home.resolve("agent.plist"), service(ServiceManager.LAUNCHD).unit(COMMAND));

        SystemCommand.Result lint = SystemCommand.run(
                Duration.ofSeconds(30), new ProcessBuilder(plutil.toString(), "-lint", file.toString()));
        assertThat(lint.succeeded()).as("%s%s", lint.stdout(), lint.stderr()).isTrue();
    }

    private static Document xml(String text) throws Exception {
        DocumentBuilderFactory xml = DocumentBuilderFactory.newInstance();
        xml.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
        return xml.newDocumentBuilder().parse(new InputSource(new StringReader(text)));
    }

    private static List<Node> elements(Node parent) {
        NodeList children = parent.getChildNodes();
        return IntStream.range(0, children.getLength())
                .mapToObj(children::item)
                .filter(node -> node.getNodeType() == Node.ELEMENT_NODE)
                .toList();
    }

    private UserService service(ServiceManager manager) {
        return new UserService(manager, home, command -> {
            ran.add(command);
            return exitCode;
        });
    }
}
