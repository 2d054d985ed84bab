package io.boltshuffle.spark.fetch;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.boltshuffle.conf.Options;
import io.boltshuffle.wire.Secret;
import java.security.SecureRandom;
import java.util.HexFormat;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;

/**
 * Provides the secret by which agents tell an application's executors from strangers. It is Spark's own secret, or one
 * that the driver generates and that executors get with the rest of the driver's configuration. The secret is kept as
 * well as that configuration, which Spark without {@code spark.authenticate} gives to every client that reaches the
 * driver.
 */
public final class ApplicationSecret {

    private static final int BYTES = 32;

    private ApplicationSecret() {}

    /** Generates a secret if Spark has none. The driver calls this before executors ask for its configuration. */
    public static void provide(SparkConf conf) {
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
