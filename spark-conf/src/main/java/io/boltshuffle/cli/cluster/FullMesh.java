package io.boltshuffle.cli.cluster;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/**
 * One cable between any two hosts, each host's ports numbered from {@code en5} by the order of its peers.
 *
 * @param hosts addresses, as Spark names them
 */
record FullMesh(List<String> hosts) {
    private static final int FIRST_PORT = 5;

    /** Names without dots, as the virtual Thunderbolt wants them. */
    String name(int host) {
        return "host" + host;
    }

    /** Statements of the virtual Thunderbolt's topology file, after those that say what kind of cables these are. */
    List<String> statements() {
        List<String> statements = new ArrayList<>();
        for (int host = 0; host < hosts.size(); host++) {
            statements.add("host " + name(host));
        }
        for (int one = 0; one < hosts.size(); one++) {
            for (int other = one + 1; other < hosts.size(); other++) {
                statements.add("cable " + cable(one, other) + " " + name(one) + ":" + port(one, other) + " "
                        + name(other) + ":" + port(other, one));
            }
        }
        return statements;
    }

    /** The names of all cables. */
    List<String> cables() {
        List<String> cables = new ArrayList<>();
        for (int one = 0; one < hosts.size(); one++) {
            for (int other = one + 1; other < hosts.size(); other++) {
                cables.add(cable(one, other));
            }
        }
        return cables;
    }

    private static String cable(int one, int other) {
        return "c" + one + "-" + other;
    }

    /** The same in MLX's hostfile format, which agents read. */
    String hostfile() {
        ArrayNode list = new ObjectMapper().createArrayNode();
        for (int one = 0; one < hosts.size(); one++) {
            ObjectNode entry = list.addObject();
            entry.put("ssh", hosts.get(one));
            entry.putArray("ips");
            ArrayNode facing = entry.putArray("rdma");
            for (int other = 0; other < hosts.size(); other++) {
                if (one == other) {
                    facing.addNull();
                } else {
                    facing.add("rdma_" + port(one, other));
                }
            }
        }
        return list.toString();
    }

    private static String port(int of, int facing) {
        return "en" + (FIRST_PORT + (facing < of ? facing : facing - 1));
    }
}
