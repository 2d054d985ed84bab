package io.boltshuffle.topology;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The N x N matrix of the MLX formats: cell (i, j) lists the devices on host i that face host j.
 *
 * <p><b>Invariant:</b> the matrix is square. The diagonal is empty, because no cable joins a host to itself. Cells (i,
 * j) and (j, i) list equally many devices, and the k-th device of each is one end of the same cable. A device appears
 * once in its row.
 */
public record DeviceMatrix(List<List<List<DeviceName>>> rows) {

    /** @throws InvalidTopologyException if the invariant does not hold */
    public DeviceMatrix {
        rows = rows.stream().map(row -> row.stream().map(List::copyOf).toList()).toList();
        check(rows);
    }

    public static DeviceMatrix of(Topology topology) {
        List<List<List<DeviceName>>> rows = new ArrayList<>();
        for (Host from : topology.hosts()) {
            List<List<DeviceName>> row = new ArrayList<>();
            for (Host to : topology.hosts()) {
                row.add(topology.cables(from.name(), to.name()).stream()
                        .map(cable -> cable.near().device())
                        .toList());
            }
            rows.add(row);
        }
        return new DeviceMatrix(rows);
    }

    public int size() {
        return rows.size();
    }

    public List<DeviceName> cell(int from, int to) {
        return rows.get(from).get(to);
    }

    /**
     * Assigns hosts to the ranks of this matrix.
     *
     * @throws InvalidTopologyException if there are not exactly {@link #size()} distinct hosts
     */
    public Topology toTopology(List<Host> hosts) {
        if (hosts.size() != size()) {
            throw new InvalidTopologyException(
                    "hosts", hosts.size() + " hosts for a matrix of " + size() + " rows", "one host for each row");
        }
        List<Cable> cables = new ArrayList<>();
        for (int i = 0; i < size(); i++) {
            for (int j = i + 1; j < size(); j++) {
                for (int k = 0; k < cell(i, j).size(); k++) {
                    Port near = new Port(hosts.get(i).name(), cell(i, j).get(k));
                    Port far = new Port(hosts.get(j).name(), cell(j, i).get(k));
                    cables.add(new Cable(near, far));
                }
            }
        }
        return new Topology(hosts, cables);
    }

    private static void check(List<List<List<DeviceName>>> rows) {
        int size = rows.size();
        if (size > TopologyLimits.MAX_HOSTS) {
            throw new InvalidTopologyException("matrix", size + " rows", "at most " + TopologyLimits.MAX_HOSTS);
        }
        for (int i = 0; i < size; i++) {
            if (rows.get(i).size() != size) {
                throw new InvalidTopologyException(
                        "[" + i + "]", rows.get(i).size() + " cells", size + " cells, one for each row");
            }
        }
        for (int i = 0; i < size; i++) {
            checkRow(rows, i);
        }
    }

    private static void checkRow(List<List<List<DeviceName>>> rows, int i) {
        Map<DeviceName, String> cellOfDevice = new HashMap<>();
        for (int j = 0; j < rows.size(); j++) {
            String where = cellPath(i, j);
            List<DeviceName> devices = rows.get(i).get(j);
            if (i == j && !devices.isEmpty()) {
                throw new InvalidTopologyException(where, "a device facing its own host", "null on the diagonal");
            }
            if (devices.size() > TopologyLimits.MAX_CABLES_PER_PAIR) {
                throw new InvalidTopologyException(
                        where, devices.size() + " devices", "at most " + TopologyLimits.MAX_CABLES_PER_PAIR);
            }
            int back = rows.get(j).get(i).size();
            if (devices.size() != back) {
                throw new InvalidTopologyException(
                        where,
                        devices.size() + " device(s) here but " + back + " in " + cellPath(j, i),
                        "as many in both, because a cable has two ends");
            }
            for (DeviceName device : devices) {
                String other = cellOfDevice.putIfAbsent(device, where);
                if (other != null) {
                    throw new InvalidTopologyException(
                            where, device + " is already used in " + other, "one cable for each device");
                }
            }
        }
    }

    private static String cellPath(int from, int to) {
        return "[" + from + "][" + to + "]";
    }
}
