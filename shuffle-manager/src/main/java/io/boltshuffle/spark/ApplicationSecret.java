package io.boltshuffle.spark;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.boltshuffle.conf.Options;
import io.boltshuffle.wire.Secret;
import java.security.SecureRandom;
import java.util.HexFormat;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;

/**
 * By what agents tell an application's executors from strangers: Spark's own secret, or one that the driver makes up
 * and executors get with the rest of the driver's configuration. It is as well kept as that configuration, which Spark
 * without {@code spark.authenticate} gives to whoever reaches the driver.
 */
final class ApplicationSecret {

    private static final int BYTES = 32;

    private ApplicationSecret() {}

    /** Makes a secret up where Spark has none. Called on the driver, before executors ask for its configuration. */
    static void provide(SparkConf conf) {
        if (!conf.getBoolean("spark.authenticate", false)) {
            byte[] secret = new byte[BYTES];
            new SecureRandom().nextBytes(secret);
            conf.setIfMissing(Options.SECRET.key(), HexFormat.of().formatHex(secret));
        }
    }

    static Secret of(SparkEnv env) {
        String secret = env.securityManager().isAuthenticationEnabled()
                ? env.securityManager().getSecretKey()
                : env.conf().get(Options.SECRET.key(), "");
        return Secret.of(secret.getBytes(UTF_8));
    }
}
