package io.boltshuffle.spark.differential;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Trials that {@link ShuffleDifferentialTest} has failed by, and the differences that are explained. A line names only
 * the choices that matter.
 */
@Tag("slow")
class ShuffleDifferenceTest {
    private static final String ANSWERS_COUNT = "partitioned=false wrongPartitioner=ANSWERS_COUNT ";

    private final Path directory;

    ShuffleDifferenceTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Records of a partitioner that answers the number of partitions were dropped.
                ANSWERS_COUNT + "partitions=17 objects=INTS serializer=kryo",
                ANSWERS_COUNT + "partitions=17 rows=true",
                ANSWERS_COUNT + "partitions=1000 bypass=1000 rows=true sqlRows=false",
                ANSWERS_COUNT + "partitions=200 serializer=user codec=NONE encryption=true",
            })
    void whatOnceDifferedEndsAsWithSpark(String line) {
        try (Trials trials = new Trials(directory)) {
            assertThat(trials.run(Trial.ofLine(line))).isEmpty();
            assertThat(trials.byPlugin()).isEqualTo(1);
            assertThat(trials.explained()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "SPARK_CUTS_PARTITION_NUMBERS,"
                + " partitions=300 maxPartitions=20000 partitioned=false wrongPartitioner=ANSWERS_LEAST",
        "ANOTHER_THING_FAILS_FIRST,"
                + " partitions=2 records=100 lz4.block=8b faulty=true fault=INPUT_FAILS_CHECKED faultAtPercent=1",
        "SPARKS_SLOW_MERGE_EXPECTS_COMPRESSION,"
                + " codec=NONE bypass=0 fastMerge=false rows=true columns=70 pressure=ALL_BUT_SOME_KIB",
        "SPARKS_SLOW_MERGE_EXPECTS_COMPRESSION, codec=NONE bypass=0 fastMerge=false partitions=40 recordBytes=1000"
                + " records=1500 serializer=user user.fails=true user.failure=CLOSE pressure=ALL_BUT_SOME_KIB",
        "SPARKS_SLOW_MERGE_EXPECTS_COMPRESSION, codec=NONE maxPartitions=20000 fastMerge=false rows=true columns=70"
                + " executionBytesLog2=16 partitions=10000 partitioned=false wrongPartitioner=ANSWERS_LEAST",
        "SPARKS_SORTER_CLOSES_NO_STREAM, bypass=0 serializer=user user.fails=true user.failure=CLOSE",
        "SPARK_ONLY_ASSERTS_THAT_A_FLUSH_HELPS, partitions=300 maxPartitions=20000"
                + " serializer=user user.form=FRAMED_AND_WRONG user.delay=UNTIL_CLOSE",
        "SPARKS_SORTER_DROPS_FRAMES, bypass=0 serializer=user user.form=FRAMED_AND_WRONG user.delay=UNTIL_CLOSE",
        "SPARKS_SORTER_DROPS_FRAMES, bypass=0 serializer=user user.form=FRAMED_AND_WRONG",
        "SPARKS_SORTER_HAD_NO_MEMORY, partitions=300 maxPartitions=20000 pressure=ALL executionBytesLog2=20",
    })
    void whatMayDifferDoesSoForAReason(Explained reason, String line) {
        try (Trials trials = new Trials(directory)) {
            assertThat(trials.run(Trial.ofLine(line))).isEmpty();
            assertThat(trials.byPlugin()).isEqualTo(1);
            assertThat(trials.explained()).containsOnlyKeys(reason);
        }
    }
}
