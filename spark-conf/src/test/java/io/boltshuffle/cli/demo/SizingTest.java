package io.boltshuffle.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.cli.cluster.VirtualCluster;
import org.junit.jupiter.api.Test;

class SizingTest {
    @Test
    void aSmallInputStillGivesEveryCoreTwoTasks() {
        assertThat(new Sizing(1 << 20, 4).partitions()).isEqualTo(8);
    }

    @Test
    void aLargeInputIsCutIntoPiecesOf32MiB() {
        assertThat(new Sizing(1L << 30, 2).partitions()).isEqualTo(32);
        assertThat(new Sizing(1L << 40, 2).partitions()).isEqualTo(32 << 10);
    }

    @Test
    void theTablesAreAQuarterOfTheRows() {
        assertThat(new Sizing(1L << 30, 2).tpchScale()).isEqualTo("0.2500");
        assertThat(new Sizing(1L << 20, 2).tpchScale()).isEqualTo("0.0050");
    }

    @Test
    void jobsOnMuchDataAreNotKeptFromCompiling() {
        assertThat(new Sizing(20L << 20, 2).quickStart("-Da=b"))
                .containsEntry("spark.driver.extraJavaOptions", VirtualCluster.QUICK_START + " -Da=b");
        assertThat(new Sizing(1L << 30, 2).quickStart("-Da=b")).isEmpty();
    }
}
