package io.boltshuffle.spark.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.spark.start.SparkSettings;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReadAheadTest {

    private static final long MIB = 1 << 20;
    private static final String NOTHING = "spark.app.name=x";

    @ParameterizedTest(name = "{0}: heap {1}, room {2}, {3}: {4} MiB")
    @CsvSource({
        "what the option allows, 2048, 512, " + NOTHING + ", 128",
        "more where it allows more, 8192, 512, spark.boltshuffle.fetch.readAhead=1g, 200",
        "and so does the size that goes to disk, 8192, 512, spark.boltshuffle.fetch.readAhead=1g"
                + " spark.network.maxRemoteBlockSizeFetchToMem=1g, 512",
        "no more than there is room, 8192, 100, " + NOTHING + ", 100",
        "no more than a part of the heap, 800, 512, " + NOTHING + ", 100",
        "never less than Spark's limit, 8192, 16, " + NOTHING + ", 48",
        "nor with a small heap, 128, 512, " + NOTHING + ", 48",
        "nor without an agent, 8192, 0, " + NOTHING + ", 48",
        "nothing where it is switched off, 8192, 512, spark.boltshuffle.fetch.readAhead=0, 48",
        "nor where the user chose, 8192, 512, spark.reducer.maxSizeInFlight=96m, 96",
        "be it Spark's own limit, 8192, 512, spark.reducer.maxSizeInFlight=48m, 48",
        "requests never become so large that they go to disk, 8192, 512,"
                + " spark.network.maxRemoteBlockSizeFetchToMem=60m, 60",
    })
    void aTaskReadsAheadAsFarAsMemoryAllows(String why, long heap, long room, String settings, long expected) {
        assertThat(readAhead(heap, settings.split(" ", -1)).take(room * MIB).limit())
                .isEqualTo(expected * MIB);
    }

    @Test
    void whatGoesByNettyKeepsSparksLimit() {
        assertThat(readAhead(8192, NOTHING).sparkLimit()).isEqualTo(48 * MIB);
    }

    @Test
    void tasksShareTheRoomFirstComeFirstServed() {
        ReadAhead readAhead = readAhead(8192, NOTHING);
        long room = 300 * MIB;

        ReadAhead.Share first = readAhead.take(room);
        assertThat(first.limit()).isEqualTo(128 * MIB);
        assertThat(readAhead.take(room).limit()).isEqualTo(128 * MIB);
        assertThat(readAhead.take(room).limit()).isEqualTo(48 * MIB);

        first.close();
        first.close();
        assertThat(readAhead.take(room).limit()).isEqualTo(128 * MIB);
        assertThat(readAhead.take(room).limit()).isEqualTo(48 * MIB);
    }

    /** The agent was lost and came back with a smaller slab, while a task has its share of the larger one. */
    @Test
    void roomThatShrankLeavesSparksLimit() {
        ReadAhead readAhead = readAhead(8192, NOTHING);

        assertThat(readAhead.take(200 * MIB).limit()).isEqualTo(128 * MIB);
        assertThat(readAhead.take(64 * MIB).limit()).isEqualTo(48 * MIB);
    }

    private static ReadAhead readAhead(long heap, String... settings) {
        SparkConf conf = new SparkConf(false);
        for (String setting : settings) {
            int equals = setting.indexOf('=');
            conf.set(setting.substring(0, equals), setting.substring(equals + 1));
        }
        return ReadAhead.of(conf, SparkSettings.of(conf), heap * MIB);
    }
}
