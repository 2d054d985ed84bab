package io.boltshuffle.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.cli.cluster.ClusterSpec;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.internal.config.package$;
import org.junit.jupiter.api.Test;

class JobRunnerTest {
    /** Spark's standalone back end expects spark.cores.max cores, or none where that is not set. */
    @Test
    void noTaskStartsBeforeTheExecutorsOfAllHostsAreThere() {
        Map<String, String> settings = JobRunner.onAllHosts(new ClusterSpec(3, 2, "1024m"));
        SparkConf conf = new SparkConf(false);
        settings.forEach(conf::set);

        assertThat(conf.getInt(package$.MODULE$.CORES_MAX().key(), 0)).isEqualTo(6);
        assertThat(conf.getInt(package$.MODULE$.EXECUTOR_CORES().key(), 0)).isEqualTo(2);
        assertThat(conf.getDouble(
                        package$.MODULE$
                                .SCHEDULER_MIN_REGISTERED_RESOURCES_RATIO()
                                .key(),
                        0))
                .isEqualTo(1.0);
    }
}
