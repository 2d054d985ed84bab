package io.boltshuffle.conf;

import java.util.Objects;

/**
 * @param key the full key, prefix included
 * @param type how the text is read, and which values are legal
 * @param defaultValue the value that holds when the key is not set
 * @param since the release that introduced the option
 * @param doc what the option does, for the person who sets it
 */
public record Option<T>(String key, ValueType<T> type, T defaultValue, String since, String doc) {

    public Option {
        Objects.requireNonNull(defaultValue, key);
        if (!key.startsWith(Options.PREFIX)) {
            throw new IllegalArgumentException("an option's key starts with " + Options.PREFIX + ": " + key);
        }
    }

    /** Reads a value of this option. */
    T parse(String text) {
        try {
            return type.parse(text.strip());
        } catch (IllegalArgumentException e) {
            throw new IllegalSettingException(key, isSecret() ? "(hidden)" : text, type.limits(), e);
        }
    }

    private boolean isSecret() {
        return key.endsWith(".secret");
    }
}
