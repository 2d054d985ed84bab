package io.boltshuffle.cli.doctor.facts;

import java.util.Map;
import java.util.Optional;

/** Version and build of macOS, from {@code sw_vers}; the build is empty if it is unknown. */
public record MacOsVersion(int major, int minor, String product, String build) {

    static Optional<MacOsVersion> parse(String swVers) {
        Map<String, String> values = KeyValues.parse(swVers);
        return KeyValues.get(values, "ProductVersion").flatMap(product -> {
            String[] parts = product.split("\\.", -1);
            int major = KeyValues.integer(parts.length > 0 ? parts[0] : "").orElse(-1);
            int minor = parts.length > 1 ? KeyValues.integer(parts[1]).orElse(-1) : 0;
            return major < 0 || minor < 0
                    ? Optional.empty()
                    : Optional.of(new MacOsVersion(
                            major,
                            minor,
                            product,
                            KeyValues.get(values, "BuildVersion").orElse("")));
        });
    }

    public boolean isAtLeast(int otherMajor, int otherMinor) {
        return major > otherMajor || (major == otherMajor && minor >= otherMinor);
    }

    @Override
    public String toString() {
        return "macOS " + product + (build.isEmpty() ? "" : " (" + build + ")");
    }
}
