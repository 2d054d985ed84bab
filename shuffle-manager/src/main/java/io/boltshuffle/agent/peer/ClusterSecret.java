package io.boltshuffle.agent.peer;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.boltshuffle.conf.Options;
import io.boltshuffle.conf.Settings;
import io.boltshuffle.wire.Secret;
import io.boltshuffle.wire.WireLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;

/** The secret that all agents of a cluster share, read from its file. */
public final class ClusterSecret {

    private ClusterSecret() {}

    /**
     * {@link Secret#NONE} only if no file is named. White space around the secret is not part of it.
     *
     * @throws IOException if the file is missing, blank, too long, or readable by others
     */
    public static Secret read(Settings settings) throws IOException {
        String name = settings.get(Options.AGENT_SECRET_FILE);
        if (name.isEmpty()) {
            return Secret.NONE;
        }
        Path file = Path.of(name);
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
        if (permissions.contains(PosixFilePermission.GROUP_READ)
                || permissions.contains(PosixFilePermission.OTHERS_READ)) {
            throw new IOException("the secret in " + file + " can be read by others: chmod 600 it");
        }
        long size = Files.size(file);
        if (size > WireLimits.MAX_SECRET_BYTES) {
            throw new IOException(file + " has " + size + " bytes; a secret has 1 to " + WireLimits.MAX_SECRET_BYTES);
        }
        String secret = Files.readString(file).strip();
        if (secret.isEmpty()) {
            throw new IOException("there is no secret in " + file + ": write one that cannot be guessed, such as by"
                    + " 'openssl rand -hex 32', or leave " + Options.AGENT_SECRET_FILE.key() + " empty");
        }
        return Secret.of(secret.getBytes(UTF_8));
    }
}
