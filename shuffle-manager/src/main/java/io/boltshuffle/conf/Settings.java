package io.boltshuffle.conf;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Holds the values of all {@link Options}, read once at start-up.
 *
 * <p><b>Invariant:</b> every value is legal, because {@link #parse} refuses an illegal one.
 */
public final class Settings {
    private final Map<String, Object> values; // by the option's key
    private final List<UnknownKey> unknownKeys;

    private Settings(Map<String, Object> values, List<UnknownKey> unknownKeys) {
        this.values = Map.copyOf(values);
        this.unknownKeys = List.copyOf(unknownKeys);
    }

    /**
     * Reads the settings. It ignores keys without the plugin's prefix.
     *
     * @throws IllegalSettingException for the first illegal value, or the first that does not fit another
     */
    public static Settings parse(Map<String, String> properties) {
        Map<String, Object> values = new HashMap<>();
        for (Option<?> option : Options.all()) {
            String text = properties.get(option.key());
            values.put(option.key(), text == null ? option.defaultValue() : option.parse(text));
        }
        List<UnknownKey> unknownKeys = new ArrayList<>();
        for (String key : properties.keySet()) {
            if (key.startsWith(Options.PREFIX) && !values.containsKey(key)) {
                unknownKeys.add(UnknownKey.of(key, values.keySet()));
            }
        }
        Settings settings = new Settings(values, unknownKeys);
        settings.checkTogether();
        return settings;
    }

    /** Refuses combinations with which no agent could work, although each option allows its value. */
    private void checkTogether() {
        Duration interval = get(Options.AGENT_HEARTBEAT_INTERVAL);
        Duration timeout = get(Options.AGENT_HEARTBEAT_TIMEOUT);
        if (timeout.compareTo(interval.multipliedBy(2)) < 0) {
            throw new IllegalSettingException(
                    Options.AGENT_HEARTBEAT_TIMEOUT.key(),
                    TimeSpan.format(timeout),
                    "at least twice " + Options.AGENT_HEARTBEAT_INTERVAL.key() + ", which is "
                            + TimeSpan.format(interval),
                    null);
        }
        long mostBytes = get(Options.AGENT_SLAB) / 16 * 3;
        if (get(Options.FETCH_WINDOW) > mostBytes) {
            throw new IllegalSettingException(
                    Options.FETCH_WINDOW.key(),
                    SizeNotation.format(get(Options.FETCH_WINDOW)),
                    "at most " + SizeNotation.format(mostBytes) + ", three sixteenths of " + Options.AGENT_SLAB.key(),
                    null);
        }
    }

    /** Returns the value that holds for {@code option}. */
    @SuppressWarnings("unchecked") // parse() put a T, or the T default, under an Option<T>
    public <T> T get(Option<T> option) {
        Object value = values.get(option.key());
        if (value == null) {
            throw new IllegalArgumentException("not declared in Options: " + option.key());
        }
        return (T) value;
    }

    /**
     * Returns the keys with the plugin's prefix that no option has: they are misspelt, or belong to another release.
     */
    public List<UnknownKey> unknownKeys() {
        return unknownKeys;
    }
}
