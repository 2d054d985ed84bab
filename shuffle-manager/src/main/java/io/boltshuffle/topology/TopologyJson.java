package io.boltshuffle.topology;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Reads strict, bounded JSON: it refuses duplicate keys, trailing text, deep nesting and long strings, and names the
 * place.
 */
final class TopologyJson {

    private static final int MAX_NESTING = 16;

    static final ObjectMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(MAX_NESTING)
                            .maxStringLength(TopologyLimits.MAX_TEXT_CHARS)
                            .maxNumberLength(MAX_NESTING)
                            .build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    /** Matches the parser's advice on what it would have accepted, which means nothing to a user. */
    private static final Pattern PARSER_ADVICE = Pattern.compile("(?s)(: |; | \\()(expected|maybe|was expecting) .*");

    private TopologyJson() {}

    /** @throws InvalidTopologyException with line and column if the text is not one JSON value */
    static JsonNode parse(String text, String file) {
        if (text.length() > TopologyLimits.MAX_FILE_CHARS) {
            throw new InvalidTopologyException(
                    file, text.length() + " characters", "at most " + TopologyLimits.MAX_FILE_CHARS);
        }
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            JsonLocation location = e.getLocation();
            String where = location == null ? file : file + ":" + location.getLineNr() + ":" + location.getColumnNr();
            throw new InvalidTopologyException(
                    where, PARSER_ADVICE.matcher(e.getOriginalMessage()).replaceFirst(""), "valid JSON");
        }
    }

    /** Reads a cell of the matrix: null, one device, or a list of devices. */
    static List<DeviceName> cell(JsonNode node, String where) {
        if (node.isNull()) {
            return List.of();
        }
        if (node.isTextual()) {
            return List.of(device(node, where));
        }
        if (!node.isArray()) {
            throw new InvalidTopologyException(
                    where, kind(node), "null, a device such as \"rdma_en5\", or a list of devices");
        }
        List<DeviceName> devices = new ArrayList<>();
        for (int k = 0; k < node.size(); k++) {
            devices.add(device(node.get(k), where + "[" + k + "]"));
        }
        return devices;
    }

    static List<List<DeviceName>> row(JsonNode node, String where) {
        requireHosts(node, where, "a list with one cell for each host");
        List<List<DeviceName>> row = new ArrayList<>();
        for (int j = 0; j < node.size(); j++) {
            row.add(cell(node.get(j), where + "[" + j + "]"));
        }
        return row;
    }

    /** Checks the number of hosts before anything is built from it: a long list must not cost its square in memory. */
    static void requireHosts(JsonNode node, String where, String expected) {
        requireArray(node, where, expected);
        if (node.size() > TopologyLimits.MAX_HOSTS) {
            throw new InvalidTopologyException(where, node.size() + " hosts", "at most " + TopologyLimits.MAX_HOSTS);
        }
    }

    static List<String> strings(JsonNode node, String where, int max) {
        requireArray(node, where, "a list of strings");
        if (node.size() > max) {
            throw new InvalidTopologyException(where, node.size() + " entries", "at most " + max);
        }
        List<String> strings = new ArrayList<>();
        for (int i = 0; i < node.size(); i++) {
            strings.add(string(node.get(i), where + "[" + i + "]"));
        }
        return strings;
    }

    static String string(JsonNode node, String where) {
        if (!node.isTextual()) {
            throw new InvalidTopologyException(where, kind(node), "a string");
        }
        return node.textValue();
    }

    private static void requireArray(JsonNode node, String where, String expected) {
        if (!node.isArray()) {
            throw new InvalidTopologyException(where, kind(node), expected);
        }
    }

    static String kind(JsonNode node) {
        return switch (node.getNodeType()) {
            case MISSING -> "nothing";
            case NULL -> "null";
            case STRING -> "the string " + Quoted.of(node.textValue());
            case ARRAY -> "a list";
            case OBJECT -> "an object";
            default -> "the value " + Quoted.of(node.asText());
        };
    }

    private static DeviceName device(JsonNode node, String where) {
        String name = string(node, where);
        if (!DeviceName.isDeviceName(name)) {
            throw new InvalidTopologyException(
                    where, "unknown device name " + Quoted.of(name), DeviceName.FORM_IN_WORDS);
        }
        return new DeviceName(name);
    }
}
