package io.boltshuffle.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExecutorMetricsTest {
    private final Path directory;

    ExecutorMetricsTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @Test
    void theLastRowsOfAllExecutorsAreAddedUp() throws IOException {
        write("job.0.executor.shuffleRemoteBytesRead.csv", "t,count", "1,10", "2,30");
        write("job.1.executor.shuffleRemoteBytesRead.csv", "t,count", "1,12");

        assertThat(ExecutorMetrics.read(directory).total("executor.shuffleRemoteBytesRead"))
                .hasValue(42);
    }

    @Test
    void gaugesHaveTheirFigureInTheColumnValue() throws IOException {
        write("job.0.JVMCPU.jvmCpuTime.csv", "t,value", "1,77");

        assertThat(ExecutorMetrics.read(directory).total("JVMCPU.jvmCpuTime")).hasValue(77);
    }

    @Test
    void whatNobodyReportedIsMissingAndNotZero() throws IOException {
        write("job.0.executor.empty.csv", "t,count");
        write("job.0.executor.text.csv", "t,value", "1,abc");

        ExecutorMetrics metrics = ExecutorMetrics.read(directory);

        assertThat(metrics.total("executor.empty")).isEmpty();
        assertThat(metrics.total("executor.text")).isEmpty();
        assertThat(metrics.total("executor.none")).isEmpty();
    }

    @Test
    void aRowThatAKilledExecutorLeftHalfWrittenIsPassedOver() throws IOException {
        write("job.0.executor.cpuTime.csv", "t,count", "1,10", "2");
        write("job.0.boltshuffle.latency.csv", "t,count,max", "1,10,3", "2,1");

        ExecutorMetrics metrics = ExecutorMetrics.read(directory);

        assertThat(metrics.total("executor.cpuTime")).hasValue(10);
        assertThat(metrics.total("boltshuffle.latency")).hasValue(10);
    }

    @Test
    void theDriverDoesNotCount() throws IOException {
        write("job.driver.executor.shuffleRemoteBytesRead.csv", "t,count", "1,10");

        assertThat(ExecutorMetrics.read(directory).names("")).isEmpty();
    }

    private void write(String name, String... rows) throws IOException {
        Files.writeString(directory.resolve(name), String.join("\n", rows));
    }
}
