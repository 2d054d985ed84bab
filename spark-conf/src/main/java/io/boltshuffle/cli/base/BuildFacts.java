package io.boltshuffle.cli.base;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/**
 * Names the build of boltshuffle that made a report, because version numbers alone do not tell builds of a checkout
 * apart.
 *
 * @param version the version in the names of its jars
 * @param sha256 the checksums of boltshuffle's jars, by their names; empty if they are not packed into jars
 */
public record BuildFacts(String version, Map<String, String> sha256) {

    public BuildFacts {
        sha256 = Map.copyOf(sha256);
    }

    /** Returns the facts of the jars that this command runs from. */
    public static BuildFacts current() {
        try {
            Installation installation = Installation.current();
            return of(installation.examplesJar(), installation.pluginJar());
        } catch (BoltException | IOException e) {
            return new BuildFacts("unknown: " + e.getMessage(), Map.of());
        }
    }

    static BuildFacts of(Path command, Path plugin) throws IOException {
        Map<String, String> sums = new TreeMap<>();
        sums.put(name(command), sha256(command));
        sums.put(name(plugin), sha256(plugin));
        return new BuildFacts(name(command).replaceAll("^boltshuffle-cli-|\\.jar$", ""), sums);
    }

    private static String name(Path jar) {
        return jar.getFileName().toString();
    }

    /** Returns the checksum of a file, in hexadecimal digits. */
    public static String sha256(Path file) throws IOException {
        try (DigestInputStream in =
                new DigestInputStream(Files.newInputStream(file), MessageDigest.getInstance("SHA-256"))) {
            in.transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(in.getMessageDigest().digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
