package io.boltshuffle.cli.doctor.facts;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.topology.mac.ThunderboltPeer.RdmaService;
import io.boltshuffle.topology.mac.ThunderboltPort;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Single parsers on the forms their commands are documented to have. The clusters under test use them all together. */
class FactsTest {

    @ParameterizedTest
    @CsvSource({"26.2,26,2", "26.10.1,26,10", "27.0,27,0", "27,27,0"})
    void macOsVersions(String product, int major, int minor) {
        assertThat(MacOsVersion.parse("ProductName: macOS\nProductVersion: " + product + "\nBuildVersion: 25D125\n"))
                .hasValueSatisfying(version -> {
                    assertThat(version.major()).isEqualTo(major);
                    assertThat(version.minor()).isEqualTo(minor);
                    assertThat(version.toString()).isEqualTo("macOS " + product + " (25D125)");
                });
    }

    @Test
    void versionsCompareByNumberNotByText() {
        MacOsVersion version = new MacOsVersion(26, 10, "26.10", "b");

        assertThat(version.isAtLeast(26, 2)).isTrue();
        assertThat(version.isAtLeast(27, 0)).isFalse();
        assertThat(MacOsVersion.parse("ProductVersion: banana")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "Apple M4,THUNDERBOLT_4",
        "Apple M4 Pro,THUNDERBOLT_5",
        "Apple M4 Max,THUNDERBOLT_5",
        "Apple M3 Max,THUNDERBOLT_4",
        "Apple M3 Ultra,THUNDERBOLT_5",
        "Apple M2 Ultra,THUNDERBOLT_4",
        "Apple M5,THUNDERBOLT_4",
        "Apple M5 Pro,THUNDERBOLT_5",
        "Apple M9 Pro,UNKNOWN",
        "Intel(R) Core(TM) i9,UNKNOWN"
    })
    void chipsTellTheirPorts(String chip, MacHardware.Ports ports) {
        assertThat(MacHardware.parse("machdep.cpu.brand_string: " + chip).ports())
                .isEqualTo(ports);
    }

    @Test
    void aConnectedPortTellsItsPeerAndWhetherThatOffersRdma() {
        String json = """
                {"SPThunderboltDataType": [
                  {"domain_uuid_key": "b", "receptacle_1_tag": {"receptacle_id_key": "2",
                   "current_speed_key": "Up to 120 Gb/s", "receptacle_status_key": "receptacle_no_devices_connected"}},
                  {"domain_uuid_key": "a", "receptacle_1_tag": {"receptacle_id_key": "1",
                   "current_speed_key": "80 Gb/s", "receptacle_status_key": "receptacle_connected"},
                   "_items": [{"_name": "Dock"}, {"_name": "Mac Studio", "domain_uuid_key": "c", "services_title": %s}]}
                ]}""";
        String rdma = "[{\"protocol_id_key\": 1}, {\"protocol_id_key\": 64087}]";

        List<ThunderboltPort> ports = ThunderboltPort.parse(json.formatted(rdma));

        assertThat(ports).extracting(ThunderboltPort::receptacle).containsExactly(1, 2);
        assertThat(ports).extracting(ThunderboltPort::connected).containsExactly(true, false);
        assertThat(ports).extracting(ThunderboltPort::gigabits).containsExactly(80, 120);
        assertThat(ports.get(0).peer()).hasValueSatisfying(peer -> {
            assertThat(peer.domainUuid()).isEqualTo("C");
            assertThat(peer.rdma()).isEqualTo(RdmaService.OFFERED);
        });
        assertThat(service(json.formatted("[{\"service\": \"rdma\"}]"))).isEqualTo(RdmaService.OFFERED);
        assertThat(service(json.formatted("[{\"protocol_id_key\": 1}]"))).isEqualTo(RdmaService.NOT_OFFERED);
        assertThat(service(json.replace(", \"services_title\": %s", ""))).isEqualTo(RdmaService.UNKNOWN);
    }

    @Test
    void anInterfaceTellsItsAddressesAndABridgeItsMembers() {
        List<NetworkInterface> interfaces = NetworkInterface.parseIfconfig("""
                en5: flags=8963<UP,BROADCAST,RUNNING> mtu 1500
                \tinet6 fe80::1c2b:3d4e%en5 prefixlen 64 secured scopeid 0xe
                \tinet6 fd00::1 prefixlen 64
                \tinet 10.81.0.1 netmask 0xfffffffc broadcast 10.81.0.3
                \tstatus: active
                bridge0: flags=8822<BROADCAST,SMART> mtu 1500
                \tmember: en3 flags=3<LEARNING,DISCOVER>
                \t        ifmaxaddr 0 port 11 priority 0 path cost 0
                """);

        assertThat(interfaces)
                .containsExactly(
                        new NetworkInterface(
                                "en5",
                                true,
                                List.of(new Ipv4Network(0x0a510001, 30)),
                                List.of("fe80::1c2b:3d4e"),
                                List.of()),
                        new NetworkInterface("bridge0", false, List.of(), List.of(), List.of("en3")));
    }

    @Test
    void onlyNeighboursWithAHardwareAddressAreKnown() {
        String arp = """
                ? (10.81.0.2) at 36:a:b:c:d:e on en5 ifscope [ethernet]
                ? (10.81.0.1) at 36:1:2:3:4:5 on en5 ifscope permanent [ethernet]
                ? (10.81.0.6) at (incomplete) on en6 ifscope [ethernet]
                """;
        String ndp = """
                Neighbor                        Linklayer Address  Netif Expire    St Flgs Prbs
                fe80::1%en5                     36:1:2:3:4:5         en5 permanent R
                fe80::2%en5                     36:a:b:c:d:e         en5 23h59m58s S
                fe80::3%en6                     (incomplete)         en6 1s        I
                """;

        assertThat(Neighbour.parse(arp, ndp))
                .containsExactly(new Neighbour("10.81.0.2", "en5"), new Neighbour("fe80::2", "en5"));
    }

    @Test
    void aProcessIsStuckOnlyIfItWasSoTwice() {
        String before = "  10 U    /usr/bin/java\n  11 U    disk\n  12 D    nfs\n 1x U bad\n";
        String after = "  10 UE   /usr/bin/java\n  11 S    disk\n  12 D    nfs\n  13 U    new\n";

        assertThat(ProcessState.stuck(before, after))
                .extracting(ProcessState::pid)
                .containsExactly(10, 12);
    }

    @ParameterizedTest
    @CsvSource({
        "Firewall is disabled. (State = 0),OFF",
        "Firewall is enabled. (State = 1),ON",
        "Firewall is blocking all non-essential incoming connections. (State = 2),BLOCKS_ALL",
        "socketfilterfw: denied,UNKNOWN"
    })
    void firewallStates(String text, Firewall state) {
        assertThat(Firewall.parse(text)).isEqualTo(state);
    }

    @Test
    void devicesOfRdmaCoreHaveTheSameForm() {
        List<VerbsDevice> devices = VerbsDevice.parse("""
                hca_id:\tmlx5_0
                \tmax_qp:\t\t131072
                \t\tport:\t1
                \t\t\tstate:\t\t\tPORT_DOWN (1)
                \t\t\tlink_layer:\t\tInfiniBand
                \t\tport:\t2
                \t\t\tstate:\t\t\tPORT_ACTIVE (4)
                """);

        assertThat(devices)
                .containsExactly(
                        new VerbsDevice("mlx5_0", "PORT_DOWN", "InfiniBand", OptionalInt.of(131072), List.of()));
    }

    @Test
    void subnetsAreComparedByTheirPrefix() {
        Ipv4Network one = Ipv4Network.of("10.81.0.1", 30).orElseThrow();

        assertThat(Ipv4Network.of("10.81.0.2", 30))
                .hasValueSatisfying(
                        other -> assertThat(one.sharesSubnetWith(other)).isTrue());
        assertThat(Ipv4Network.of("10.81.0.5", 30))
                .hasValueSatisfying(
                        other -> assertThat(one.sharesSubnetWith(other)).isFalse());
        assertThat(Ipv4Network.of("10.81.0.256", 30)).isEmpty();
        assertThat(Ipv4Network.of("169.254.3.4", 16))
                .hasValueSatisfying(other -> assertThat(other.isSelfAssigned()).isTrue());
        assertThat(one.toString()).isEqualTo("10.81.0.1/30");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            openjdk version "17.0.15" 2025-04-15 | 17
            openjdk version "21" 2023-09-19      | 21
            java version "1.8.0_421"             | 8
            """)
    void javaVersions(String text, int feature) {
        assertThat(JavaVersion.parse(text)).map(JavaVersion::feature).hasValue(feature);
    }

    private static RdmaService service(String json) {
        return ThunderboltPort.parse(json).get(0).peer().orElseThrow().rdma();
    }
}
