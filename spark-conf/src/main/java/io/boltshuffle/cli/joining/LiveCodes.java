package io.boltshuffle.cli.joining;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Json;
import io.boltshuffle.cli.base.PrivateFiles;
import io.boltshuffle.wire.Secret;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The codes that were printed and not used yet, one private file for each, so that a command can add one for the server
 * that runs already.
 *
 * <p><b>Invariant:</b> a code is good for one machine: who deletes its file has used it, and only one can.
 *
 * <p><b>Threads:</b> any.
 */
public final class LiveCodes {
    public static final Duration LIFE = Duration.ofMinutes(15);

    /** After so many wrong tries in its life a code is withdrawn: the chance that one was right is then 1 in 2^64. */
    static final int MOST_WRONG_TRIES = 1 << 16;

    static final int MOST = 16;

    private final Path directory;
    private final Clock clock;
    private final Map<Path, Integer> wrongTries = new HashMap<>();

    public LiveCodes(Path directory, Clock clock) {
        this.directory = PrivateFiles.directory(directory);
        this.clock = clock;
    }

    private record Kept(String key, long endsMillis) {}

    /** A code that may still be used. */
    record Live(Path file, Secret secret) {}

    /** Makes a code that lives for {@link #LIFE}. */
    public JoinCode issue() {
        if (live().size() >= MOST) {
            throw BoltException.failed(MOST + " codes are waiting to be used already: use one of them, or wait");
        }
        JoinCode code = JoinCode.random(new SecureRandom());
        Kept kept = new Kept(
                HexFormat.of().formatHex(code.key()), clock.instant().plus(LIFE).toEpochMilli());
        PrivateFiles.write(directory.resolve(UUID.randomUUID().toString()), Json.write(kept));
        return code;
    }

    /** Returns the codes that are good now, and removes those whose time is over. */
    synchronized List<Live> live() {
        List<Live> live = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.filter(LiveCodes::isCode).sorted().toList()) {
                Optional<Kept> kept = read(file);
                if (kept.isEmpty()) {
                    continue;
                }
                if (kept.get().endsMillis() <= clock.millis() || wrongTries.getOrDefault(file, 0) >= MOST_WRONG_TRIES) {
                    take(file);
                } else {
                    live.add(new Live(
                            file, Secret.of(HexFormat.of().parseHex(kept.get().key()))));
                }
            }
            return live;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Uses a code. Returns false if it was used meanwhile. */
    synchronized boolean take(Live code) {
        return take(code.file());
    }

    private boolean take(Path file) {
        wrongTries.remove(file);
        try {
            return Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Notes wrong tries, which count for every code, as nobody knows which one was meant. */
    synchronized void wrongTries(int count) {
        live().forEach(code -> wrongTries.merge(code.file(), count, Integer::sum));
    }

    private static boolean isCode(Path file) {
        return !file.getFileName().toString().startsWith(".");
    }

    /** Another connection may have used it meanwhile. */
    private static Optional<Kept> read(Path file) {
        try {
            return Optional.of(Json.read(Files.readString(file), Kept.class));
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
