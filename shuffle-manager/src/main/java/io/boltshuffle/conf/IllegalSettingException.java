package io.boltshuffle.conf;

import org.jspecify.annotations.Nullable;

/** An option has a value that it cannot have. The message is one line: the key, the value, and what would be legal. */
public final class IllegalSettingException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    IllegalSettingException(String key, String value, String limits, @Nullable IllegalArgumentException cause) {
        super(key + "=" + value + " is refused: it must be " + limits, cause);
    }
}
