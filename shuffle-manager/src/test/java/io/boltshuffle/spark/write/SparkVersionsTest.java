package io.boltshuffle.spark.write;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.spark.scheduler.MapStatus;
import org.apache.spark.storage.BlockManagerId;
import org.junit.jupiter.api.Test;
import scala.Option;

/** The handles find their methods in the Spark that the test runs on. */
class SparkVersionsTest {
    private static final BlockManagerId SERVER = BlockManagerId.apply("1", "mac1", 7337, Option.empty());

    @Test
    void aMapStatusIsSparksOwn() {
        MapStatus status = SparkVersions.mapStatus(SERVER, new long[] {100, 0}, 17, 5);

        assertThat(status.location()).isEqualTo(SERVER);
        assertThat(status.mapId()).isEqualTo(17);
        assertThat(status.getSizeForBlock(0)).isGreaterThanOrEqualTo(100);
    }

    @Test
    void checksumsOfRowsAreKnownWhereSparkHasThem() {
        String checksums = "org/apache/spark/shuffle/checksum/RowBasedChecksum.class";

        assertThat(SparkVersions.HAS_ROW_CHECKSUMS)
                .isEqualTo(MapStatus.class.getClassLoader().getResource(checksums) != null);
    }
}
