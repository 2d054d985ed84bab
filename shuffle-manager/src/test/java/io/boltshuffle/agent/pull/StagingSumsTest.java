package io.boltshuffle.agent.pull;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.agent.cable.ActiveLink;
import io.boltshuffle.agent.cable.LinkMeter;
import io.boltshuffle.rdma.link.Link;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StagingSumsTest {
    private static final int BYTES = 100_000;

    private final byte[] staged = new byte[BYTES];

    StagingSumsTest() {
        new Random(1).nextBytes(staged);
    }

    /** The part of the range from {@code offset} on, over a link whose messages have this many bytes. */
    private static StripePlan.Part part(long offset, long bytes, int messageBytes) {
        Link link = (Link) Proxy.newProxyInstance(
                Link.class.getClassLoader(), new Class<?>[] {Link.class}, (proxy, method, arguments) -> {
                    assertThat(method.getName()).isEqualTo("offerMessageBytes");
                    return messageBytes;
                });
        return new StripePlan.Part(
                new ActiveLink(
                        1,
                        link,
                        lease -> {
                            throw new AssertionError("not asked for");
                        },
                        null,
                        new LinkMeter()),
                offset,
                bytes);
    }

    private int crc(int from, int to) {
        CRC32C crc = new CRC32C();
        crc.update(staged, from, to - from);
        return (int) crc.getValue();
    }

    private void addAll(StagingSums sums, int pieceBytes) {
        for (int start = 0; start < BYTES; start += pieceBytes) {
            sums.add(ByteBuffer.wrap(staged, start, Math.min(pieceBytes, BYTES - start)));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 999, 4_096, 50_000, BYTES})
    void sumsAreThoseOfMessagesHoweverTheBytesCome(int pieceBytes) {
        StagingSums sums = new StagingSums(List.of(part(0, 60_000, 40_000), part(60_000, 40_000, 16_384)));

        addAll(sums, pieceBytes);

        assertThat(sums.of(0)).containsExactly(crc(0, 40_000), crc(40_000, 60_000));
        assertThat(sums.of(1)).containsExactly(crc(60_000, 76_384), crc(76_384, 92_768), crc(92_768, BYTES));
    }

    @Test
    void aRunMayBeginAnywhere() {
        StagingSums sums = new StagingSums(List.of(part(8_192, 60_000, 40_000), part(68_192, 40_000, 16_384)));

        addAll(sums, 4_096);

        assertThat(sums.of(0)).containsExactly(crc(0, 40_000), crc(40_000, 60_000));
        assertThat(sums.of(1)).containsExactly(crc(60_000, 76_384), crc(76_384, 92_768), crc(92_768, BYTES));
    }

    @Test
    void spoiltSumsAreNotGiven() {
        StagingSums sums = new StagingSums(List.of(part(0, BYTES, 40_000)));
        sums.spoil();

        addAll(sums, 4_096);

        assertThat(sums.of(0)).isNull();
    }

    /** Pieces of which somebody says what their sums are, among others; messages cut them anywhere. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void claimedPiecesMakeTheSameSums(int seed) {
        Random random = new Random(seed);
        int messageBytes = 4_096 << random.nextInt(6);
        int second = 40_000 + random.nextInt(20_000);
        StagingSums sums =
                new StagingSums(List.of(part(0, second, messageBytes), part(second, BYTES - second, 16_384)));
        boolean[] claimed = {false, false};

        for (int start = 0; start < BYTES; ) {
            int end = Math.min(BYTES, start + 1 + random.nextInt(random.nextBoolean() ? 100 : 30_000));
            ByteBuffer piece = ByteBuffer.wrap(staged, start, end - start);
            if (random.nextBoolean()) {
                sums.addClaimed(piece, crc(start, end));
                claimed[0] |= start < second;
                claimed[1] |= end > second;
            } else {
                sums.add(piece);
            }
            assertThat(piece.hasRemaining()).isFalse();
            start = end;
        }

        assertThat(sums.of(0)).isEqualTo(expected(0, second, messageBytes));
        assertThat(sums.of(1)).isEqualTo(expected(second, BYTES, 16_384));
        assertThat(List.of(sums.isClaimed(0), sums.isClaimed(1))).containsExactly(claimed[0], claimed[1]);
    }

    private int[] expected(int from, int to, int messageBytes) {
        return IntStream.iterate(from, at -> at < to, at -> at + messageBytes)
                .map(at -> crc(at, Math.min(to, at + messageBytes)))
                .toArray();
    }

    @Test
    void aWrongClaimMakesAWrongSumOfItsMessagesOnly() {
        StagingSums sums = new StagingSums(List.of(part(0, BYTES, 40_000)));

        sums.add(ByteBuffer.wrap(staged, 0, 50_000));
        sums.addClaimed(ByteBuffer.wrap(staged, 50_000, 10_000), crc(50_000, 60_000) ^ 1);
        sums.add(ByteBuffer.wrap(staged, 60_000, 40_000));

        int[] right = expected(0, BYTES, 40_000);
        assertThat(sums.of(0)).hasSize(3).contains(right[0], right[2]).doesNotContain(right[1]);
    }
}
