package io.boltshuffle.agent;

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
final class ClusterSecret {

    private ClusterSecret() {}

    /**
     * {@link Secret#NONE} if no file is named.
     *
     * @throws IOException if the file is missing, empty, too long, or readable by others
     */
    static Secret read(Settings settings) throws IOException {
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
        if (size == 0 || size > WireLimits.MAX_SECRET_BYTES) {
            throw new IOException(file + " has " + size + " bytes; a secret has 1 to " + WireLimits.MAX_SECRET_BYTES);
        }
        return Secret.of(Files.readString(file).strip().getBytes(UTF_8));
    }
}
