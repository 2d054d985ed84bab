package io.boltshuffle.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class AgentJvmTest {
    @Test
    void aProcessHasTheEnvironmentOfEveryAgentButWhatTheUserSet() {
        Map<String, String> users = System.getenv();

        assertThat(AgentJvm.process(List.of("java")).environment())
                .containsAllEntriesOf(users)
                .containsAllEntriesOf(AgentJvm.ENVIRONMENT.entrySet().stream()
                        .filter(each -> !users.containsKey(each.getKey()))
                        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
    }
}
