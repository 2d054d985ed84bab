package io.boltshuffle.cli.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.client.AgentJvm;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
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
        AgentService service = service(manager);

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
        AgentService service = service(manager);
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
        AgentService service = service(manager);
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

    @Test
    void launchdGetsTheSameWords() throws Exception {
        String plist = service(ServiceManager.LAUNCHD).unit(COMMAND);
        assertThat(plist).doesNotContain("@");
        assertThat(service(ServiceManager.LAUNCHD).file())
                .isEqualTo(home.resolve("Library/LaunchAgents/io.boltshuffle.agent.plist"));

        DocumentBuilderFactory xml = DocumentBuilderFactory.newInstance();
        xml.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
        NodeList words = xml.newDocumentBuilder()
                .parse(new InputSource(new StringReader(plist)))
                .getElementsByTagName("array")
                .item(0)
                .getChildNodes();
        assertThat(IntStream.range(0, words.getLength())
                        .mapToObj(words::item)
                        .filter(node -> node.getNodeName().equals("string"))
                        .map(node -> node.getTextContent()))
                .isEqualTo(COMMAND);
    }

    private AgentService service(ServiceManager manager) {
        return new AgentService(manager, home, command -> {
            ran.add(command);
            return exitCode;
        });
    }
}
