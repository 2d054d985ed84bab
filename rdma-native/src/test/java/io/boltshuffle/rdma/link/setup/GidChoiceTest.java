package io.boltshuffle.rdma.link.setup;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.rdma.Gid;
import io.boltshuffle.rdma.GidEntry;
import io.boltshuffle.rdma.link.protocol.PortAddresses;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tables as macOS 26 and 27 and Linux lay them out: the same GIDs at other places. */
class GidChoiceTest {

    private static final Gid DOMAIN = gid("d4c1ebfffeef0001d4c1ebfffeef0002");
    private static final Gid LINK_LOCAL = gid("fe80000000000000d6c1ebfffeeff317");
    private static final Gid OWN = gid("00000000000000000000ffff0a410006");
    private static final Gid BRIDGE = gid("00000000000000000000ffffa9fe0101");

    private static Gid gid(String hex) {
        return Gid.of(HexFormat.of().parseHex(hex));
    }

    private static GidChoice among(Set<InetAddress> addresses, Gid... table) {
        List<GidEntry> entries = IntStream.range(0, table.length)
                .mapToObj(index -> new GidEntry(index, table[index]))
                .toList();
        return GidChoice.among(entries, addresses);
    }

    private static Set<InetAddress> own() throws UnknownHostException {
        return Set.of(InetAddress.getByName("10.65.0.6"));
    }

    @Test
    void theSameGidsAreChosenWhereverTheyStand() {
        for (GidChoice choice : List.of(
                among(Set.of(), DOMAIN, LINK_LOCAL, OWN),
                among(Set.of(), LINK_LOCAL, OWN),
                among(Set.of(), OWN, DOMAIN, LINK_LOCAL))) {
            assertThat(choice.toAddresses()).isEqualTo(new PortAddresses(OWN, LINK_LOCAL));
        }
    }

    @Test
    void theIndexIsThatOfTheTable() {
        GidChoice choice = among(Set.of(), DOMAIN, LINK_LOCAL, OWN);

        assertThat(choice.ipv4()).isEqualTo(new GidEntry(2, OWN));
        assertThat(choice.linkLocal()).isEqualTo(new GidEntry(1, LINK_LOCAL));
    }

    @Test
    void anAddressOfAnotherInterfaceIsNotUsed() throws UnknownHostException {
        assertThat(among(own(), BRIDGE, OWN).toAddresses().ipv4()).isEqualTo(OWN);
        assertThat(among(own(), OWN, BRIDGE).toAddresses().ipv4()).isEqualTo(OWN);
        assertThat(among(own(), BRIDGE, LINK_LOCAL).toAddresses()).isEqualTo(new PortAddresses(null, LINK_LOCAL));
    }

    @Test
    void bothEndsAgreeOnOneFamily() {
        GidChoice both = among(Set.of(), LINK_LOCAL, OWN);
        Gid peer4 = gid("00000000000000000000ffff0a400006");
        Gid peer6 = gid("fe8000000000000000000000000000aa");

        assertThat(both.agree(new PortAddresses(peer4, peer6)))
                .isEqualTo(new GidChoice.Agreed(new GidEntry(1, OWN), peer4));
        assertThat(both.agree(new PortAddresses(null, peer6)))
                .isEqualTo(new GidChoice.Agreed(new GidEntry(0, LINK_LOCAL), peer6));
        assertThat(among(Set.of(), OWN).agree(new PortAddresses(null, peer6))).isNull();
    }
}
