package io.boltshuffle.spark.fetch;

import io.boltshuffle.conf.Options;
import io.boltshuffle.conf.Settings;
import io.boltshuffle.spark.meter.FallbackReason;
import java.util.List;
import java.util.Optional;
import org.apache.spark.SparkConf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The policy chain, in order: what the user forbids, what RDMA cannot carry, what the transport refuses now. */
public final class FetchPolicies {
    private static final Logger log = LoggerFactory.getLogger(FetchPolicies.class);

    /** Each of these keys tells Spark to encrypt blocks on their way between hosts. */
    private static final List<String> WIRE_ENCRYPTION_KEYS =
            List.of("spark.network.crypto.enabled", "spark.authenticate.enableSaslEncryption", "spark.ssl.rpc.enabled");

    private static final FetchPolicy ALLOW = plan -> {};

    private FetchPolicies() {}

    /** Returns all policies for one executor, and logs once what is refused for good. */
    public static List<FetchPolicy> chain(SparkConf conf, Settings settings, RdmaTransport transport) {
        return List.of(
                killSwitch(settings), encryptedWire(conf, settings), blockKinds(), transportAvailability(transport));
    }

    static FetchPolicy killSwitch(Settings settings) {
        return settings.get(Options.ENABLED) ? ALLOW : always(FallbackReason.DISABLED);
    }

    /** Returns whether any block of this application may go by RDMA: only then there is a reason to meet an agent. */
    static boolean allowRdma(SparkConf conf, Settings settings) {
        return settings.get(Options.ENABLED)
                && (encryptionKey(conf).isEmpty() || settings.get(Options.ALLOW_CLEARTEXT));
    }

    private static Optional<String> encryptionKey(SparkConf conf) {
        return WIRE_ENCRYPTION_KEYS.stream()
                .filter(key -> conf.getBoolean(key, false))
                .findFirst();
    }

    static FetchPolicy encryptedWire(SparkConf conf, Settings settings) {
        Optional<String> key = encryptionKey(conf);
        if (key.isEmpty()) {
            return ALLOW;
        }
        if (settings.get(Options.ALLOW_CLEARTEXT)) {
            log.warn(
                    "{} is set, but blocks that go by RDMA are not encrypted, as {} allows",
                    key.get(),
                    Options.ALLOW_CLEARTEXT.key());
            return ALLOW;
        }
        log.warn(
                "No block goes by RDMA, because {} is set and RDMA does not encrypt; {}=true lets it",
                key.get(),
                Options.ALLOW_CLEARTEXT.key());
        return always(FallbackReason.ENCRYPTED_WIRE);
    }

    /** Allows shuffle blocks and batches of them. Chunks of push-merged files have another layout. */
    static FetchPolicy blockKinds() {
        return plan -> plan.refuse(FallbackReason.BLOCK_KIND, blockId -> !blockId.startsWith("shuffle_"));
    }

    static FetchPolicy transportAvailability(RdmaTransport transport) {
        return plan -> {
            try {
                transport.refusal(plan.host()).ifPresent(plan::refuseAll);
            } catch (RuntimeException | LinkageError e) {
                log.debug("The RDMA transport threw when asked for {}", plan.host(), e);
                plan.refuseAll(FallbackReason.TRANSPORT_ERROR);
            }
        };
    }

    private static FetchPolicy always(FallbackReason reason) {
        return plan -> plan.refuseAll(reason);
    }
}
