package io.boltshuffle.cli.doctor.facts;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The settings about memory and map outputs in a host's {@code spark-defaults.conf}; an application may set other
 * values.
 *
 * @param cores the processors of the host
 * @param file where the values come from; empty if the host has no such file
 * @param values by the name of the setting; those that are not set are missing
 */
public record SparkConfFacts(int cores, Optional<String> file, Map<String, String> values) {
    private static final Pattern CORES = Pattern.compile("(?m)^cores (\\d{1,5})$");
    private static final Pattern FILE = Pattern.compile("(?m)^file (.+)$");
    /** A name and its value, apart by white space, an equals sign or a colon, as in Java's property files. */
    private static final Pattern SETTING = Pattern.compile("(?m)^\\s*(spark\\.[\\w.]+)\\s*[\\s=:]\\s*(\\S.*)$");

    private static final Pattern SIZE = Pattern.compile("(\\d{1,12})([kmgt]?)b?");
    private static final String UNITS = "kmgt";

    public SparkConfFacts {
        values = Map.copyOf(values);
    }

    static Optional<SparkConfFacts> parse(String text) {
        Matcher cores = CORES.matcher(text);
        if (!cores.find()) {
            return Optional.empty();
        }
        Map<String, String> values = new LinkedHashMap<>();
        Matcher setting = SETTING.matcher(text);
        while (setting.find()) {
            values.put(setting.group(1), setting.group(2).strip());
        }
        Matcher file = FILE.matcher(text);
        return Optional.of(new SparkConfFacts(
                Math.max(1, Integer.parseInt(cores.group(1))),
                file.find() ? Optional.of(file.group(1).strip()) : Optional.empty(),
                values));
    }

    public boolean flag(String key, boolean otherwise) {
        String value = values.get(key);
        return value == null ? otherwise : Boolean.parseBoolean(value);
    }

    /** Returns a positive whole number; {@code otherwise} where there is none. */
    public int number(String key, int otherwise) {
        OptionalInt value = KeyValues.integer(values.getOrDefault(key, ""));
        return value.isPresent() && value.getAsInt() > 0 ? value.getAsInt() : otherwise;
    }

    /** Returns a fraction between 0 and 1; {@code otherwise} where there is none. */
    public double fraction(String key, double otherwise) {
        try {
            double value = Double.parseDouble(values.getOrDefault(key, ""));
            return value >= 0 && value <= 1 ? value : otherwise;
        } catch (NumberFormatException notANumber) {
            return otherwise;
        }
    }

    /** Returns a size such as {@code 4g} in bytes; a bare number is in {@code bareUnitBytes}. */
    public OptionalLong bytes(String key, long bareUnitBytes) {
        Matcher size = SIZE.matcher(values.getOrDefault(key, "").toLowerCase(Locale.ROOT));
        if (!size.matches()) {
            return OptionalLong.empty();
        }
        String unit = size.group(2);
        long unitBytes = unit.isEmpty() ? bareUnitBytes : 1L << (10 * (UNITS.indexOf(unit) + 1));
        long number = Long.parseLong(size.group(1));
        return number > Long.MAX_VALUE / unitBytes ? OptionalLong.empty() : OptionalLong.of(number * unitBytes);
    }
}
