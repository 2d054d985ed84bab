package io.boltshuffle.cli.doctor.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.cli.doctor.fabric.Fabric;
import io.boltshuffle.cli.doctor.facts.HostFacts;
import io.boltshuffle.cli.doctor.probe.EvidenceFile;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The page sizes behind the figures are Spark 4.2.0's, which takes a sixteenth of a task's share as a power of two. */
class WriterCheckTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', textBlock = """
            '' | \
                up to 200 partitions, gathering 32.0 KiB of each (executors of 1.0 GiB and 14 cores)
            spark.executor.memory 4g | \
                up to 1024 partitions, gathering 32.0 KiB of each (executors of 4.0 GiB and 14 cores)
            spark.executor.memory=4096 | \
                up to 1024 partitions, gathering 32.0 KiB of each (executors of 4.0 GiB and 14 cores)
            spark.executor.memory 4g; spark.executor.cores 1 | \
                up to 8192 partitions, gathering 32.0 KiB of each (executors of 4.0 GiB and 1 core)
            spark.executor.memory 4g; spark.memory.fraction 0.1 | up to 200 partitions
            spark.buffer.pageSize 8m                        | up to 1024 partitions
            spark.io.compression.lz4.blockSize 64k; spark.buffer.pageSize 32m | \
                up to 2048 partitions, gathering 64.0 KiB
            spark.shuffle.compress false; spark.buffer.pageSize 8m | up to 1024 partitions
            spark.io.compression.codec zstd; spark.buffer.pageSize 8m | up to 200 partitions
            spark.io.encryption.enabled true; spark.buffer.pageSize 8m | up to 200 partitions
            spark.memory.offHeap.enabled true; spark.buffer.pageSize 8m | up to 200 partitions
            spark.shuffle.sort.bypassMergeThreshold 300     | up to 300 partitions
            spark.boltshuffle.writer.maxPartitions: 50      | up to 50 partitions
            spark.io.compression.codec lzf                  | Spark's own writers, because the codec lzf
            spark.boltshuffle.writer.enabled false | \
                Spark's own writers, because spark.boltshuffle.writer.enabled is false
            spark.boltshuffle.enabled false | \
                Spark's own writers, because spark.boltshuffle.enabled is false
            spark.shuffle.sort.io.plugin.class a.B          | Spark's own writers, because a.B expects them
            spark.shuffle.manager io.boltshuffle.spark.BoltShuffleManager | up to 200 partitions
            spark.shuffle.manager a.M; spark.plugins a.P,io.boltshuffle.spark.BoltShufflePlugin | \
                map outputs are written by the shuffle manager a.M, and go by RDMA
            spark.shuffle.manager sort | \
                by TCP: spark.plugins does not name io.boltshuffle.spark.BoltShufflePlugin
            spark.shuffle.manager sort; spark.boltshuffle.shuffles own | by TCP: spark.boltshuffle.shuffles is own
            """)
    void saysWhichWriterMapTasksWouldUse(String settings, String said) {
        List<Finding> findings = findings(settings);

        assertThat(findings).singleElement().satisfies(finding -> {
            assertThat(finding.severity()).isEqualTo(Severity.OK);
            assertThat(finding.seen()).contains(said);
        });
    }

    @Test
    void whereTheDoctorDidNotLookItSaysNothing() {
        assertThat(new WriterCheck().on(cluster(""))).isEmpty();
    }

    private static List<Finding> findings(String settings) {
        return new WriterCheck()
                .on(cluster("""
                =====[ spark-settings ]===== ran exit=0: read spark-defaults.conf
                cores 14
                file /opt/spark/conf/spark-defaults.conf
                %s
                """.formatted(settings.replace("''", "").replace("; ", "\n"))));
    }

    private static Cluster cluster(String evidence) {
        HostFacts host = new HostFacts(
                EvidenceFile.parse("mac1", "=====[ uname ]===== ran exit=0: uname -s\nDarwin\n" + evidence));
        return new Cluster(Fabric.discover(List.of(host)), Optional.empty());
    }
}
