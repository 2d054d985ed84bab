package io.boltshuffle.conf;

import org.jspecify.annotations.Nullable;

/** A value that an option cannot have. The message is one line: key, value, and what would be legal. */
public final class IllegalSettingException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    IllegalSettingException(String key, String value, String limits, @Nullable IllegalArgumentException cause) {
        super(key + "=" + value + " is refused: it must be " + limits, cause);
    }
}
