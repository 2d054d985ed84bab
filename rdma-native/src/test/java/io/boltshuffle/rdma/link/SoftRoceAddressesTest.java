package io.boltshuffle.rdma.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.rdma.Gid;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A kernel's own GID table, whose entries are chosen by content: both families carry a link. */
@Tag("soft-roce")
@Timeout(300)
class SoftRoceAddressesTest {

    private static final long SLAB_BYTES = 32L << 20;

    @ParameterizedTest
    @EnumSource(LinkMode.class)
    void anIpv4MappedGidCarriesALink(LinkMode mode) throws Exception {
        fetchesBy(mode, Set.of(), Gid::isIpv4Mapped);
    }

    /** An interface that has an IPv4 address which is in no GID leaves the link-local one. */
    @ParameterizedTest
    @EnumSource(LinkMode.class)
    void aLinkLocalGidCarriesALink(LinkMode mode) throws Exception {
        fetchesBy(mode, Set.of(InetAddress.getByName("192.0.2.1")), Gid::isLinkLocal);
    }

    private static void fetchesBy(LinkMode mode, Set<InetAddress> addresses, Predicate<Gid> family) throws Exception {
        LinkOptions options = LinkOptions.defaults(mode)
                .withCandidates(List.of(new Candidate(64 << 10, 1 << 20)), Duration.ofMillis(20))
                .withInterfaceAddresses(addresses);
        try (LinkHost first = SoftRoce.open(0, mode, SLAB_BYTES);
                LinkHost second = SoftRoce.open(1, mode, SLAB_BYTES)) {
            LinkPair links = new LinkPair(first, second, options, null).awaitUp();
            assertThat(links.awaitUp(0).localGid()).matches(family);
            assertThat(links.awaitUp(0).peerGid()).matches(family);
            links.fetchAndCompare(0, 300_000, 1);
            links.fetchAndCompare(1, 300_000, 2);
            links.close();
        }
    }
}
