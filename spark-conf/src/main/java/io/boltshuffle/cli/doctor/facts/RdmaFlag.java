package io.boltshuffle.cli.doctor.facts;

import java.util.Locale;

/**
 * The answer of {@code rdma_ctl status}. The flag is set in System Settings or in Recovery, persists, and also exists
 * on Macs that cannot use it.
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
