package io.boltshuffle.cli.doctor.facts;

import java.util.Locale;

/**
 * What {@code rdma_ctl status} says. The flag is set in Recovery, persists, and also exists on Macs that cannot use it.
 */
public enum RdmaFlag {
    ENABLED,
    DISABLED,
    UNKNOWN;

    static RdmaFlag parse(String status) {
        return switch (status.strip().toLowerCase(Locale.ROOT)) {
            case "enabled" -> ENABLED;
            case "disabled" -> DISABLED;
            default -> UNKNOWN;
        };
    }
}
