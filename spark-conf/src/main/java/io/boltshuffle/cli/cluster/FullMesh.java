package io.boltshuffle.cli.cluster;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Cables between any two hosts, each host's ports numbered from {@code en5} by the order of its peers.
 *
 * @param hosts addresses, as Spark names them
 */
public record FullMesh(List<String> hosts, int cablesPerPair) {
    private static final int FIRST_PORT = 5;

    /** Names without dots, as the virtual Thunderbolt wants them. */
    public String name(int host) {
        return "host" + host;
    }

    /**
     * Statements of the virtual Thunderbolt's topology file, after those that say what kind of cables these are.
     *
     * @param bytesPerSecond the rate that cables are held to; 0 for as fast as they can be
     */
    public List<String> statements(long bytesPerSecond) {
        String rate = bytesPerSecond == 0 ? "" : " bytes_per_second " + bytesPerSecond;
        List<String> statements = new ArrayList<>();
        for (int host = 0; host < hosts.size(); host++) {
            statements.add("host " + name(host));
        }
        for (Cable cable : all()) {
            statements.add("cable " + cable.name() + " " + end(cable.one(), cable.other(), cable.index()) + " "
                    + end(cable.other(), cable.one(), cable.index()) + rate);
        }
        return statements;
    }

    /** Returns the names of all cables. */
    public List<String> cables() {
        return all().stream().map(Cable::name).toList();
    }

    /** @param index from 0 among those that join the same two */
    private record Cable(int one, int other, int index) {
        String name() {
            return "c" + one + "-" + other + (index == 0 ? "" : "-" + index);
        }
    }

    private List<Cable> all() {
        List<Cable> all = new ArrayList<>();
        for (int one = 0; one < hosts.size(); one++) {
            for (int other = one + 1; other < hosts.size(); other++) {
                for (int index = 0; index < cablesPerPair; index++) {
                    all.add(new Cable(one, other, index));
                }
            }
        }
        return all;
    }

    private String end(int of, int facing, int index) {
        return name(of) + ":" + port(of, facing, index);
    }

    /** The same in MLX's hostfile format, which agents read. */
    public String hostfile() {
        return hostfile(
                hosts,
                (one, other) -> IntStream.range(0, cablesPerPair)
                        .mapToObj(index -> "rdma_" + port(one, other, index))
                        .toList());
    }

    /** Tells which devices of a host face another host, both by their index. */
    public interface Facing {
        List<String> devices(int host, int other);
    }

    /** MLX's hostfile format for hosts that are joined in another way. */
    public static String hostfile(List<String> hosts, Facing facing) {
        ArrayNode list = new ObjectMapper().createArrayNode();
        for (int one = 0; one < hosts.size(); one++) {
            ObjectNode entry = list.addObject();
            entry.put("ssh", hosts.get(one));
            entry.putArray("ips");
            ArrayNode row = entry.putArray("rdma");
            for (int other = 0; other < hosts.size(); other++) {
                if (one == other) {
                    row.addNull();
                } else {
                    facing.devices(one, other).forEach(row.addArray()::add);
                }
            }
        }
        return list.toString();
    }

    private String port(int of, int facing, int index) {
        int peer = facing < of ? facing : facing - 1;
        return "en" + (FIRST_PORT + peer * cablesPerPair + index);
    }
}
