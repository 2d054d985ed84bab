package io.boltshuffle.cli.verify;

import io.boltshuffle.rdma.CompletionStatus;
import io.boltshuffle.rdma.verbs.Abi;
import java.lang.reflect.Field;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Maps every number of {@link Abi} and {@link CompletionStatus} to the name by which {@code abi_audit.c} prints it. */
final class AbiTable {

    /**
     * A number that is known to differ between headers, and the reason why the binding is right with each of its
     * values.
     *
     * @param others values of other headers than the one in {@link Abi}
     */
    record KnownDifference(Set<Long> others, String reason) {}

    private static final KnownDifference ON_LINUX_ALONE = new KnownDifference(
            Set.of(-1L), "of completion channels, which are used on Linux alone: Apple's header is not asked");

    static final Map<String, KnownDifference> KNOWN_DIFFERENCES = Map.of(
            "ibv_context.ops_req_notify_cq",
            ON_LINUX_ALONE,
            "ibv_comp_channel.fd",
            ON_LINUX_ALONE,
            "ibv_port_attr.size",
            new KnownDifference(
                    Set.of(56L),
                    "52 in Apple's SDK and in rdma-core before active_speed_ex, 56 since; the binding gives "
                            + Abi.PORT_ATTR_ROOM
                            + " zeroed bytes and reads only what both have"));

    private AbiTable() {}

    static Map<String, Long> entries() {
        Map<String, Long> entries = new TreeMap<>();
        for (Class<?> struct : Abi.class.getDeclaredClasses()) {
            for (Field field : struct.getDeclaredFields()) {
                entries.put(cName(struct, field), value(field));
            }
        }
        for (int code = 0; code < CompletionStatus.values().length; code++) {
            entries.put("IBV_WC_" + CompletionStatus.of(code), (long) code);
        }
        return entries;
    }

    /**
     * Returns the C name. {@code QpAttr.PATH_MTU} is {@code ibv_qp_attr.path_mtu}; enumerators carry their C names
     * already.
     */
    private static String cName(Class<?> struct, Field field) {
        if (struct == Abi.Const.class) {
            return field.getName();
        }
        String snake = struct.getSimpleName().replaceAll("(?<=[a-z])(?=[A-Z])", "_");
        return ("ibv_" + snake + "." + field.getName()).toLowerCase(Locale.ROOT);
    }

    private static long value(Field field) {
        try {
            return field.getInt(null);
        } catch (IllegalAccessException e) {
            throw new AssertionError("the constants of Abi are public", e);
        }
    }
}
