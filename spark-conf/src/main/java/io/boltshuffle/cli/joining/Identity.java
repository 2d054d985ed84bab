package io.boltshuffle.cli.joining;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.PrivateFiles;
import io.boltshuffle.cli.base.ShortCommand;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * The certificate of the first machine, and its key, which never leave it. The running Java's own keytool makes them
 * once.
 */
public final class Identity {
    static final String TLS = "TLSv1.3";
    private static final String ALIAS = "boltshuffle";
    /** The file's mode keeps others out. A secret password would have to lie beside the file and protect nothing. */
    private static final char[] PASSWORD = "boltshuffle".toCharArray();

    private static final String LIFE_DAYS = "7300";
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final KeyStore keys;

    private Identity(KeyStore keys) {
        this.keys = keys;
    }

    /** Reads the identity in a directory, and makes one if there is none. */
    public static Identity in(Path directory) {
        Path file = PrivateFiles.directory(directory).resolve("identity.p12");
        try {
            if (!Files.exists(file)) {
                make(directory, file);
            }
            KeyStore keys = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(file)) {
                keys.load(in, PASSWORD);
            }
            return new Identity(keys);
        } catch (IOException | GeneralSecurityException e) {
            throw BoltException.environment(
                    "the certificate in " + file + " cannot be read or made (" + e + ")",
                    "'bolt down --forget' removes it, and every machine has to join again");
        }
    }

    private static void make(Path directory, Path file) throws IOException {
        Path fresh = directory.resolve(".identity-" + ProcessHandle.current().pid());
        try {
            ShortCommand.run(
                    LIMIT,
                    List.of(
                            Path.of(System.getProperty("java.home"), "bin", "keytool")
                                    .toString(),
                            "-genkeypair",
                            "-alias",
                            ALIAS,
                            "-keyalg",
                            "EC",
                            "-groupname",
                            "secp256r1",
                            "-dname",
                            "CN=boltshuffle",
                            "-validity",
                            LIFE_DAYS,
                            "-storetype",
                            "PKCS12",
                            "-keystore",
                            fresh.toString(),
                            "-storepass",
                            new String(PASSWORD)));
            Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rw-------"));
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }

    public Fingerprint fingerprint() {
        try {
            return Fingerprint.of(keys.getCertificate(ALIAS));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    SSLContext server() {
        try {
            KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            own.init(keys, PASSWORD);
            SSLContext context = SSLContext.getInstance(TLS);
            context.init(own.getKeyManagers(), null, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
