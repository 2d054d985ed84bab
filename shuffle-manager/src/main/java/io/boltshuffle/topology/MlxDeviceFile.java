package io.boltshuffle.topology;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reads and writes the file that {@code MLX_IBV_DEVICES} names: a JSON matrix whose cell [i][j] lists the devices on
 * rank i that face rank j.
 */
public final class MlxDeviceFile {

    private static final Pattern LIST_IN_LIST = Pattern.compile("\\s*\\[\\s*\\[");

    private MlxDeviceFile() {}

    /**
     * Returns whether a text is meant to be in this format. It is not if its list holds objects, as a hostfile's does.
     */
    public static boolean isMeantBy(String text) {
        return LIST_IN_LIST.matcher(text).lookingAt();
    }

    /**
     * @param file the name for messages
     * @throws InvalidTopologyException with the place and the error
     */
    public static DeviceMatrix parse(String text, String file) {
        JsonNode root = TopologyJson.parse(text, file);
        TopologyJson.requireHosts(root, file, "a list of rows, one for each host");
        List<List<List<DeviceName>>> rows = new ArrayList<>();
        for (int i = 0; i < root.size(); i++) {
            rows.add(TopologyJson.row(root.get(i), file + ": [" + i + "]"));
        }
        return matrix(rows, file);
    }

    /** Writes one row a line. A cell with one device becomes a plain string, which every MLX version reads. */
    public static String format(DeviceMatrix matrix) {
        return matrix.rows().stream()
                .map(row -> "  " + formatRow(row))
                .collect(Collectors.joining(",\n", "[\n", "\n]\n"));
    }

    static String formatRow(List<List<DeviceName>> row) {
        return row.stream().map(MlxDeviceFile::formatCell).collect(Collectors.joining(", ", "[", "]"));
    }

    static DeviceMatrix matrix(List<List<List<DeviceName>>> rows, String file) {
        try {
            return new DeviceMatrix(rows);
        } catch (InvalidTopologyException e) {
            throw e.in(file);
        }
    }

    private static String formatCell(List<DeviceName> devices) {
        return switch (devices.size()) {
            case 0 -> "null";
            case 1 -> quote(devices.get(0).value());
            default ->
                devices.stream().map(device -> quote(device.value())).collect(Collectors.joining(", ", "[", "]"));
        };
    }

    static String quote(String text) {
        try {
            return TopologyJson.MAPPER.writeValueAsString(text);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a string is always JSON", e);
        }
    }
}
