package io.boltshuffle.cli.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.conf.SparkSupport;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class SparkLineTest {
    @Test
    void theCommandHasTheLinesThatThePluginWasMadeFor() {
        assertThat(Arrays.stream(SparkLine.values()).map(SparkLine::label)).isEqualTo(SparkSupport.LINES);
    }
}
