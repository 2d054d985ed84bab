package io.boltshuffle.cli.doctor.facts;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Lines of {@code key: value}, as sw_vers and sysctl print them. */
final class KeyValues {

    private KeyValues() {}

    static Map<String, String> parse(String text) {
        Map<String, String> values = new LinkedHashMap<>();
        text.lines().forEach(line -> {
            int colon = line.indexOf(':');
            if (colon > 0) {
                values.putIfAbsent(
                        line.substring(0, colon).strip(),
                        line.substring(colon + 1).strip());
            }
        });
        return values;
    }

    static OptionalInt integer(String text) {
        try {
            return OptionalInt.of(Integer.parseInt(text));
        } catch (NumberFormatException notANumber) {
            return OptionalInt.empty();
        }
    }

    static OptionalLong longInteger(String text) {
        try {
            return OptionalLong.of(Long.parseLong(text));
        } catch (NumberFormatException notANumber) {
            return OptionalLong.empty();
        }
    }

    static Optional<String> get(Map<String, String> values, String key) {
        return Optional.ofNullable(values.get(key)).filter(value -> !value.isEmpty());
    }
}
