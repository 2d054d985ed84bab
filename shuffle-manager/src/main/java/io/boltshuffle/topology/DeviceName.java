package io.boltshuffle.topology;

import java.util.regex.Pattern;

/**
 * The name of a Thunderbolt RDMA device, {@code rdma_enX}, which belongs to the network interface {@code enX}
 * (docs/verbs-contract.md). X may change when a cable is plugged in again or the Mac restarts, so no program should
 * store the name for long.
 */
public record DeviceName(String value) implements Comparable<DeviceName> {

    private static final String PREFIX = "rdma_";
    private static final Pattern FORM = Pattern.compile("rdma_en[0-9]{1,3}");

    /**
     * Checks the name.
     *
     * @throws InvalidTopologyException unless the name has the form {@code rdma_enX}
     */
    public DeviceName {
        if (!isDeviceName(value)) {
            throw new InvalidTopologyException("device", "unknown device name " + Quoted.of(value), FORM_IN_WORDS);
        }
    }

    static final String FORM_IN_WORDS = "rdma_enX with a number for X, as ibv_devices prints it";

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

    /** Orders names by interface number, so that {@code rdma_en10} comes after {@code rdma_en9}. */
    @Override
    public int compareTo(DeviceName other) {
        return Integer.compare(number(), other.number());
    }

    private int number() {
        return Integer.parseInt(value.substring(PREFIX.length() + 2));
    }

    @Override
    public String toString() {
        return value;
    }
}
