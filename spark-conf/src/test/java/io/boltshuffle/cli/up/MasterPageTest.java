package io.boltshuffle.cli.up;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

class MasterPageTest {

    @Test
    void workersThatLiveCount() throws JsonProcessingException {
        MasterPage page = MasterPage.of(new ObjectMapper().readTree("""
                {"workers": [
                  {"host": "10.0.0.1", "cores": 8, "memory": 4096, "state": "ALIVE"},
                  {"host": "10.0.0.2", "cores": 4, "memory": 2048, "state": "DEAD"}]}
                """));

        assertThat(page.workers()).containsExactly(new MasterPage.Worker("10.0.0.1", 8, 4096));
        assertThat(page.hasWorkerAt("10.0.0.1")).isTrue();
        assertThat(page.hasWorkerAt("10.0.0.2")).isFalse();
    }

    @Test
    void aMasterThatDoesNotAnswerIsNoError() {
        assertThat(MasterPage.at("http://127.0.0.1:1")).isEmpty();
        assertThat(MasterPage.at("no page")).isEmpty();
    }
}
