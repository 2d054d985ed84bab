package io.boltshuffle.cli.doctor.facts;

import java.util.Locale;

/** The macOS application firewall, from {@code socketfilterfw --getglobalstate}. */
public enum Firewall {
    OFF,
    ON,
    BLOCKS_ALL,
    UNKNOWN;

    static Firewall parse(String globalState) {
        String text = globalState.toLowerCase(Locale.ROOT);
        if (text.contains("state = 2")) {
            return BLOCKS_ALL;
        }
        if (text.contains("state = 1") || text.contains("firewall is enabled")) {
            return ON;
        }
        return text.contains("state = 0") || text.contains("firewall is disabled") ? OFF : UNKNOWN;
    }
}
