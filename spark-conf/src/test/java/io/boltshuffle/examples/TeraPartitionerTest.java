package io.boltshuffle.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class TeraPartitionerTest {
    private final List<byte[]> keys = LongStream.range(0, 4_000)
            .mapToObj(TeraRecord::row)
            .map(row -> Arrays.copyOf(row, TeraRecord.KEY_BYTES))
            .toList();

    @Test
    void aSmallerKeyNeverGoesToALaterPartition() {
        TeraPartitioner partitioner = TeraPartitioner.ofSample(keys.subList(0, 500), 8);
        int before = 0;
        for (byte[] key : keys.stream().sorted(TeraRecord.KEY_ORDER).toList()) {
            int partition = partitioner.getPartition(key);
            assertThat(partition).isBetween(before, partitioner.numPartitions() - 1);
            before = partition;
        }
        assertThat(before).isEqualTo(7);
    }

    @Test
    void partitionsAreAboutEqual() {
        TeraPartitioner partitioner = TeraPartitioner.ofSample(keys.subList(0, 2_000), 8);
        int[] sizes = new int[8];
        keys.forEach(key -> sizes[partitioner.getPartition(key)]++);

        assertThat(Arrays.stream(sizes)).allMatch(size -> size > 350 && size < 650);
    }

    @Test
    void anEmptySampleMakesOnePartition() {
        assertThat(TeraPartitioner.ofSample(List.of(), 8).numPartitions()).isEqualTo(1);
    }
}
