package io.boltshuffle.cli.doctor.facts;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An IPv4 address with its prefix length. */
public record Ipv4Network(int address, int prefix) {

    private static final Pattern DOTTED = Pattern.compile("(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})");
    private static final int SELF_ASSIGNED = 0xa9fe0000;

    public static Optional<Ipv4Network> of(String dotted, int prefix) {
        Matcher matcher = DOTTED.matcher(dotted);
        if (!matcher.matches() || prefix < 0 || prefix > 32) {
            return Optional.empty();
        }
        int address = 0;
        for (int i = 1; i <= 4; i++) {
            int part = Integer.parseInt(matcher.group(i));
            if (part > 255) {
                return Optional.empty();
            }
            address = address << 8 | part;
        }
        return Optional.of(new Ipv4Network(address, prefix));
    }

    /** Returns true if an interface with either address would look for the other on its own cable. */
    public boolean sharesSubnetWith(Ipv4Network other) {
        return prefix == other.prefix && overlaps(other) && address != other.address;
    }

    public boolean overlaps(Ipv4Network other) {
        int mask = mask(Math.min(prefix, other.prefix));
        return (address & mask) == (other.address & mask);
    }

    /**
     * Returns true for 169.254/16. macOS picks such an address if nothing else gave the interface one, and changes it.
     */
    public boolean isSelfAssigned() {
        return (address & mask(16)) == SELF_ASSIGNED;
    }

    public boolean isLoopback() {
        return address >>> 24 == 127;
    }

    public String dotted() {
        return (address >>> 24) + "." + (address >>> 16 & 255) + "." + (address >>> 8 & 255) + "." + (address & 255);
    }

    @Override
    public String toString() {
        return dotted() + "/" + prefix;
    }

    private static int mask(int prefix) {
        return prefix == 0 ? 0 : -1 << (32 - prefix);
    }
}
