package io.boltshuffle.conf;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The values of all {@link Options}, read once at start-up.
 *
 * <p><b>Invariant:</b> every value is legal; an illegal one never gets here.
 */
public final class Settings {
    private final Map<Option<?>, Object> values;
    private final List<UnknownKey> unknownKeys;

    private Settings(Map<Option<?>, Object> values, List<UnknownKey> unknownKeys) {
        this.values = Map.copyOf(values);
        this.unknownKeys = List.copyOf(unknownKeys);
    }

    /**
     * Reads the settings. Keys without our prefix belong to others and are passed over.
     *
     * @throws IllegalSettingException for the first illegal value
     */
    public static Settings parse(Map<String, String> properties) {
        Map<String, Option<?>> known = new HashMap<>();
        Map<Option<?>, Object> values = new HashMap<>();
        for (Option<?> option : Options.all()) {
            known.put(option.key(), option);
            String text = properties.get(option.key());
            values.put(option, text == null ? option.defaultValue() : option.parse(text));
        }
        List<UnknownKey> unknownKeys = new ArrayList<>();
        for (String key : properties.keySet()) {
            if (key.startsWith(Options.PREFIX) && !known.containsKey(key)) {
                unknownKeys.add(UnknownKey.of(key, known.keySet()));
            }
        }
        return new Settings(values, unknownKeys);
    }

    /** The value that holds for {@code option}. */
    @SuppressWarnings("unchecked") // parse() put a T, or the T default, under an Option<T>
    public <T> T get(Option<T> option) {
        Object value = values.get(option);
        if (value == null) {
            throw new IllegalArgumentException("not declared in Options: " + option.key());
        }
        return (T) value;
    }

    /** Keys with our prefix that no option has: misspelt, or of another release. */
    public List<UnknownKey> unknownKeys() {
        return unknownKeys;
    }
}
