package io.boltshuffle.cli.up;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Json;
import io.boltshuffle.cli.base.TextOutput;
import io.boltshuffle.cli.joining.JoinCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The line that is typed on another machine, as far as it is not secret.
 *
 * @param host by which others call this machine
 * @param port of the join server
 * @param history the page of the history server
 */
record JoinLine(String host, int port, String history) {
    private static Path file(SharedPlace place) {
        return place.cluster().root().resolve("join.json");
    }

    static JoinLine read(SharedPlace place) {
        if (!Files.exists(file(place))) {
            throw BoltException.failed("the cluster is not ready yet: try again in a minute");
        }
        try {
            return Json.read(Files.readString(file(place)), JoinLine.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void keep(SharedPlace place) {
        TextOutput.write(file(place), Json.write(this));
    }

    /** Returns the line with a code. */
    String with(JoinCode code) {
        return of(host, port, code);
    }

    /** Returns the line by which a machine joins at a host. */
    static String of(String host, int port, JoinCode code) {
        String plain = host.indexOf(':') < 0 ? host : "[" + host + "]";
        return "bolt join " + plain + (port == UpCommand.USUAL_PORT ? "" : ":" + port) + " " + code.text();
    }
}
