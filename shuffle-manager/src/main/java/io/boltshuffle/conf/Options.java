package io.boltshuffle.conf;

import static io.boltshuffle.conf.ValueTypes.flag;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Every option, once. A new option is one {@code declare} here; parsing, refusal of illegal values, the warning for
 * misspelt keys and {@code docs/configuration.md} follow from it.
 */
public final class Options {

    /** What every key starts with. */
    public static final String PREFIX = "spark.boltshuffle.";

    private static final List<Option<?>> DECLARED = new ArrayList<>();

    public static final Option<Boolean> ENABLED = declare(
            "enabled",
            flag(),
            true,
            "0.1.0",
            "The kill switch: `false` sends every shuffle block by Netty, as without the plugin.");

    public static final Option<Boolean> ALLOW_CLEARTEXT = declare(
            "allowCleartext",
            flag(),
            false,
            "0.1.0",
            "RDMA does not encrypt. When Spark is told to encrypt the wire (`spark.network.crypto.enabled` or"
                    + " `spark.ssl.rpc.enabled`), RDMA is refused unless this says that the cable may carry cleartext.");

    private Options() {}

    /** All options, in the order of the documentation. */
    public static List<Option<?>> all() {
        return Collections.unmodifiableList(DECLARED);
    }

    private static <T> Option<T> declare(String name, ValueType<T> type, T defaultValue, String since, String doc) {
        Option<T> option = new Option<>(PREFIX + name, type, defaultValue, since, doc);
        DECLARED.add(option);
        return option;
    }
}
