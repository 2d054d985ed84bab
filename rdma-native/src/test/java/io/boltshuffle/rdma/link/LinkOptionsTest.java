package io.boltshuffle.rdma.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LinkOptionsTest {

    @Test
    void allDeadlinesGrowTogether() {
        LinkOptions usual = LinkOptions.defaults(LinkMode.SEND)
                .withTimeouts(Duration.ofSeconds(10), Duration.ofSeconds(5), Duration.ofSeconds(7));

        LinkOptions patient = usual.withDeadlinesTimes(6);

        assertThat(patient.setup()).hasSeconds(60);
        assertThat(patient.stall()).hasSeconds(30);
        assertThat(patient.control()).hasSeconds(42);
        assertThat(patient.withTimeouts(usual.setup(), usual.stall(), usual.control()))
                .isEqualTo(usual);
    }
}
