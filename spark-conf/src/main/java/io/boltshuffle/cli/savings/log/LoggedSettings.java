package io.boltshuffle.cli.savings.log;

import java.util.Map;

/** Reads numbers among the settings in a log, which anyone may have written. */
final class LoggedSettings {
    private LoggedSettings() {}

    static int number(Map<String, String> settings, String key, int otherwise) {
        String value = settings.get(key);
        if (value == null) {
            return otherwise;
        }
        try {
            return Integer.parseInt(value.strip());
        } catch (NumberFormatException e) {
            return otherwise;
        }
    }
}
