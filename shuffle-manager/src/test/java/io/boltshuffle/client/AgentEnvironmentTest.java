package io.boltshuffle.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AgentEnvironmentTest {

    @Test
    void whatAnAgentNeedsStaysAndEverythingElseGoes() {
        Map<String, String> environment = new HashMap<>(Map.of(
                "PATH", "/bin",
                "LC_ALL", "C",
                "LD_LIBRARY_PATH", "/opt/rdma",
                "MLX5_SINGLE_THREADED", "1",
                "BOLT_VTB_HOST", "a",
                "_SPARK_AUTH_SECRET", "secret",
                "AWS_SECRET_ACCESS_KEY", "secret",
                "JAVA_TOOL_OPTIONS", "-Djavax.net.ssl.keyStorePassword=secret",
                "PATHS", "another"));

        AgentEnvironment.keepOnlyNeeded(environment);

        assertThat(environment)
                .containsOnlyKeys("PATH", "LC_ALL", "LD_LIBRARY_PATH", "MLX5_SINGLE_THREADED", "BOLT_VTB_HOST");
    }
}
