package io.boltshuffle.topology;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a Mac's RDMA device: {@code rdma_enX} of Thunderbolt, which belongs to the network interface {@code enX},
 * or {@code rdma_mcrdmaX} of a card whose provider is not Apple's (docs/verbs-contract.md). X may change when a cable
 * is plugged in again, a card is removed or the Mac restarts, so no program should store the name for long.
 */
public record DeviceName(String value) implements Comparable<DeviceName> {

    private static final String PREFIX = "rdma_";
    private static final Pattern FORM = Pattern.compile("rdma_(en|mcrdma)([0-9]{1,3})");
    private static final Comparator<DeviceName> ORDER =
            Comparator.comparing(DeviceName::family).thenComparing(DeviceName::number);

    /** @throws InvalidTopologyException unless the name has one of the two forms */
    public DeviceName {
        if (!isDeviceName(value)) {
            throw new InvalidTopologyException("device", "unknown device name " + Quoted.of(value), FORM_IN_WORDS);
        }
    }

    static final String FORM_IN_WORDS = "rdma_enX or rdma_mcrdmaX with a number for X, as ibv_devices prints it";

    public static boolean isDeviceName(String text) {
        return FORM.matcher(text).matches();
    }

    /** Returns the device of an interface such as {@code en5}. */
    public static DeviceName ofInterface(String interfaceName) {
        return new DeviceName(PREFIX + interfaceName);
    }

    public String interfaceName() {
        return value.substring(PREFIX.length());
    }

    /** Returns whether it is a port of Apple's; another provider's device is used only if the user says so. */
    public boolean isThunderbolt() {
        return family().equals("en");
    }

    /** Orders names by interface number, so that {@code rdma_en10} comes after {@code rdma_en9}. */
    @Override
    public int compareTo(DeviceName other) {
        return ORDER.compare(this, other);
    }

    private String family() {
        return part(1);
    }

    private int number() {
        return Integer.parseInt(part(2));
    }

    private String part(int group) {
        Matcher matcher = FORM.matcher(value);
        if (!matcher.matches()) {
            throw new IllegalStateException("a device name that was not checked: " + value);
        }
        return matcher.group(group);
    }

    @Override
    public String toString() {
        return value;
    }
}
