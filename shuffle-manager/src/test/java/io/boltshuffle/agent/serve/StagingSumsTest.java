package io.boltshuffle.agent.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.agent.cable.ActiveLink;
import io.boltshuffle.agent.cable.LinkMeter;
import io.boltshuffle.rdma.link.Link;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
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
}
