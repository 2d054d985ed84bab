package io.boltshuffle.topology;

import io.boltshuffle.testing.FuzzContract;
import io.boltshuffle.testing.FuzzTarget;
import io.boltshuffle.topology.mac.HardwarePorts;
import io.boltshuffle.topology.mac.ThunderboltPort;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;

/** Files of MLX, and what macOS prints of its ports. */
@Tag("slow")
class TopologyFuzzTest extends FuzzContract {

    @Override
    protected Stream<FuzzTarget> targets() {
        return Stream.of(
                FuzzTarget.ofText(
                        "hostfile",
                        text -> MlxHostfile.parse(text, "fuzz"),
                        Set.of(InvalidTopologyException.class),
                        "{\"backend\":\"jaccl\",\"envs\":[\"A=1\"],\"hosts\":["
                                + "{\"ssh\":\"mac1\",\"ips\":[\"10.0.0.1\"],\"rdma\":[null,\"rdma_en5\"]},"
                                + "{\"ssh\":\"mac2\",\"ips\":[],\"rdma\":[\"rdma_en6\",null]}]}",
                        "[{\"ssh\":\"mac1\",\"ips\":[],\"rdma\":[null]}]"),
                FuzzTarget.ofText(
                        "device-file",
                        text -> MlxDeviceFile.parse(text, "fuzz"),
                        Set.of(InvalidTopologyException.class),
                        "[[null,\"rdma_en5\",[\"rdma_en3\",\"rdma_en4\"]],[\"rdma_en5\",null,null],"
                                + "[[\"rdma_en4\",\"rdma_en3\"],null,null]]"),
                FuzzTarget.ofText("thunderbolt-ports", ThunderboltPort::parse, Set.of(), """
                        {"SPThunderboltDataType": [
                          {"domain_uuid_key": "aaaa-1", "receptacle_1_tag": {"receptacle_id_key": "3",
                             "current_speed_key": "Up to 80 Gb/s x1"},
                           "_items": [{"_name": "Mac Studio", "domain_uuid_key": "bbbb-2"}]}]}"""),
                FuzzTarget.ofText("hardware-ports", HardwarePorts::parse, Set.of(), """
                        Hardware Port: Thunderbolt 1
                        Device: en2
                        Ethernet Address: 36:a1

                        Hardware Port: Thunderbolt 3
                        Device: en5
                        """));
    }
}
