package io.boltshuffle.spark.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;

class AgentTransportTest {

    @Test
    void anAgentIsStartedWithOurSettingsButNoSecret() {
        SparkConf conf = new SparkConf(false)
                .set("spark.app.name", "a job")
                .set("spark.boltshuffle.agent.port", "7000")
                .set("spark.boltshuffle.secret", "for the executors");

        assertThat(AgentTransport.agentProperties(conf)).isEqualTo(Map.of("spark.boltshuffle.agent.port", "7000"));
    }
}
