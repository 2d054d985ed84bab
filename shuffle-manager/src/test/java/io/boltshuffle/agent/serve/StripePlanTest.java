package io.boltshuffle.agent.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.agent.cable.ActiveLink;
import io.boltshuffle.agent.cable.LinkMeter;
import io.boltshuffle.rdma.link.Link;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StripePlanTest {
    private static final long MIB = 1 << 20;

    @Test
    void aSmallPullGoesOverOneLink() {
        assertThat(cut(3, 0, 100_000)).containsExactly("1: 0+100000");
        assertThat(cut(3, 1, 100_000)).containsExactly("2: 0+100000");
        assertThat(cut(3, 2, 100_000)).containsExactly("3: 0+100000");
        assertThat(cut(3, 3, 100_000)).containsExactly("1: 0+100000");
    }

    @Test
    void linksShareALargerOne() {
        assertThat(cut(2, 1, MIB)).containsExactly("2: 0+524288", "1: 524288+524288");
    }

    @Test
    void whatOneLinkCarriesIsCutWhereAMemoryRegionMayEnd() {
        assertThat(cut(1, 0, 10 * MIB)).containsExactly("1: 0+" + 8 * MIB, "1: " + 8 * MIB + "+" + 2 * MIB);
        assertThat(cut(2, 0, 12 * MIB))
                .containsExactly("1: 0+" + 6 * MIB, "2: " + 6 * MIB + "+" + 2 * MIB, "2: " + 8 * MIB + "+" + 4 * MIB);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 4095, 4097, 262_143, 786_433, 8_388_608, 8_388_609, 12_000_001, 16_777_216, 67_108_863})
    void partsFollowEachOtherOnFramesAndStayWithinARegion(long bytes) {
        for (int links = 1; links <= 4; links++) {
            long position = 0;
            for (StripePlan.Part part : plan(links, 0).cut(bytes)) {
                assertThat(part.offset()).isEqualTo(position).matches(offset -> offset % 4096 == 0);
                assertThat((part.offset() + part.bytes() - 1) / StripePlan.REGION_BYTES)
                        .isEqualTo(part.offset() / StripePlan.REGION_BYTES);
                position += part.bytes();
            }
            assertThat(position).isEqualTo(bytes);
        }
    }

    private static List<String> cut(int links, int first, long bytes) {
        return plan(links, first).cut(bytes).stream()
                .map(part -> part.link().id() + ": " + part.offset() + "+" + part.bytes())
                .toList();
    }

    private static StripePlan plan(int links, int first) {
        return new StripePlan(
                Stream.iterate(1, id -> id + 1)
                        .limit(links)
                        .map(StripePlanTest::link)
                        .toList(),
                first);
    }

    private static ActiveLink link(int id) {
        Link none = (Link) Proxy.newProxyInstance(
                Link.class.getClassLoader(), new Class<?>[] {Link.class}, (proxy, method, arguments) -> {
                    throw new AssertionError("not asked for");
                });
        return new ActiveLink(
                id,
                none,
                lease -> {
                    throw new AssertionError("not asked for");
                },
                null,
                new LinkMeter());
    }
}
