package io.boltshuffle.topology;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The MLX hostfile: {@code {"backend", "envs", "hosts": [{"ssh", "ips", "rdma"}]}}, or the bare list of hosts. Keys
 * that MLX does not know are ignored, as MLX ignores them; {@code backend} and {@code envs} are kept for writing the
 * file back.
 */
public record MlxHostfile(String backend, List<String> envs, Topology topology) {

    private static final String DEFAULT_BACKEND = "jaccl";

    public MlxHostfile {
        envs = List.copyOf(envs);
    }

    public static MlxHostfile of(Topology topology) {
        return new MlxHostfile(DEFAULT_BACKEND, List.of(), topology);
    }

    /**
     * @param file the name for messages
     * @throws InvalidTopologyException with the place and the error
     */
    public static MlxHostfile parse(String text, String file) {
        JsonNode root = TopologyJson.parse(text, file);
        if (root.isArray()) {
            return new MlxHostfile(DEFAULT_BACKEND, List.of(), topology(root, file, ""));
        }
        if (!root.isObject()) {
            throw new InvalidTopologyException(
                    file, TopologyJson.kind(root), "a list of hosts, or an object with a list \"hosts\"");
        }
        JsonNode backend = root.path("backend");
        JsonNode envs = root.path("envs");
        return new MlxHostfile(
                backend.isMissingNode() ? DEFAULT_BACKEND : TopologyJson.string(backend, file + ": backend"),
                envs.isMissingNode() ? List.of() : TopologyJson.strings(envs, file + ": envs", TopologyLimits.MAX_ENVS),
                topology(root.path("hosts"), file, "hosts"));
    }

    /** Writes one host a line, in the object form. */
    public String format() {
        DeviceMatrix matrix = DeviceMatrix.of(topology);
        StringBuilder text = new StringBuilder("{\n  \"backend\": ")
                .append(MlxDeviceFile.quote(backend))
                .append(",\n  \"envs\": ")
                .append(strings(envs))
                .append(",\n  \"hosts\": [\n");
        for (int rank = 0; rank < matrix.size(); rank++) {
            Host host = topology.hosts().get(rank);
            text.append("    {\"ssh\": ")
                    .append(MlxDeviceFile.quote(host.name()))
                    .append(", \"ips\": ")
                    .append(strings(host.addresses()))
                    .append(", \"rdma\": ")
                    .append(MlxDeviceFile.formatRow(matrix.rows().get(rank)))
                    .append(rank + 1 < matrix.size() ? "},\n" : "}\n");
        }
        return text.append("  ]\n}\n").toString();
    }

    private static Topology topology(JsonNode hosts, String file, String path) {
        String at = file + ": " + path;
        TopologyJson.requireHosts(hosts, at, "a list of hosts");
        List<Host> named = new ArrayList<>();
        List<List<List<DeviceName>>> rows = new ArrayList<>();
        for (int rank = 0; rank < hosts.size(); rank++) {
            String where = at + "[" + rank + "]";
            named.add(host(hosts.get(rank), where, file));
            rows.add(row(hosts.get(rank), where + ".rdma", hosts.size()));
        }
        DeviceMatrix matrix = MlxDeviceFile.matrix(rows, file);
        try {
            return matrix.toTopology(named);
        } catch (InvalidTopologyException e) {
            throw e.in(file);
        }
    }

    private static Host host(JsonNode node, String where, String file) {
        if (!node.isObject()) {
            throw new InvalidTopologyException(where, TopologyJson.kind(node), "an object with \"ssh\"");
        }
        String name = TopologyJson.string(node.path("ssh"), where + ".ssh");
        JsonNode ips = node.path("ips");
        List<String> addresses = ips.isMissingNode()
                ? List.of()
                : TopologyJson.strings(ips, where + ".ips", TopologyLimits.MAX_ADDRESSES_PER_HOST);
        try {
            return new Host(name, addresses);
        } catch (InvalidTopologyException e) {
            throw e.in(file);
        }
    }

    /** Reads one row. A hostfile for TCP has no {@code rdma}; then no cable joins the host to another. */
    private static List<List<DeviceName>> row(JsonNode host, String where, int size) {
        JsonNode rdma = host.path("rdma");
        if (rdma.isMissingNode() || rdma.isNull()) {
            List<List<DeviceName>> row = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                row.add(List.of());
            }
            return row;
        }
        return TopologyJson.row(rdma, where);
    }

    private static String strings(List<String> values) {
        return values.stream().map(MlxDeviceFile::quote).collect(Collectors.joining(", ", "[", "]"));
    }
}
