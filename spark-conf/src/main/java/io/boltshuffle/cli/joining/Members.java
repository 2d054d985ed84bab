package io.boltshuffle.cli.joining;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Json;
import io.boltshuffle.cli.base.PrivateFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The machines that have joined, one private file for each. They stay when the cluster ends, so that a machine can come
 * back without a code.
 *
 * <p><b>Threads:</b> any.
 */
public final class Members {
    static final int MOST = 64;
    private static final int ID_BYTES = 8;
    private static final int KEY_BYTES = 32;
    private static final Pattern ID = Pattern.compile("[0-9a-f]{16}");

    private final Path directory;
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();

    public Members(Path directory, Clock clock) {
        this.directory = PrivateFiles.directory(directory);
        this.clock = clock;
    }

    public List<Member> all() {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .flatMap(id -> find(id).stream())
                    .sorted(Comparator.comparing(Member::name).thenComparing(Member::id))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Optional<Member> find(String id) {
        try {
            // A caller chose the id: nothing else than an id may become a path.
            return ID.matcher(id).matches() && Files.exists(directory.resolve(id))
                    ? Optional.of(Json.read(Files.readString(directory.resolve(id)), Member.class))
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.empty(); // forgotten meanwhile
        }
    }

    /** Returns whether there is room for one more. */
    boolean hasRoom() {
        return all().size() < MOST;
    }

    /** Gives a machine a key of its own. */
    synchronized Member add(String name, String address) {
        if (!hasRoom()) {
            throw BoltException.failed("there are " + MOST + " machines already");
        }
        Member member = new Member(randomHex(ID_BYTES), randomHex(KEY_BYTES), name, address, false, clock.millis());
        PrivateFiles.write(directory.resolve(member.id()), Json.write(member));
        return member;
    }

    /** Notes that a machine came back, or left. */
    synchronized Member note(Member member, String name, String address, boolean left) {
        Member now = new Member(member.id(), member.key(), name, address, left, clock.millis());
        PrivateFiles.write(directory.resolve(now.id()), Json.write(now));
        return now;
    }

    /** Forgets a machine: its key opens nothing any more. */
    synchronized void forget(Member member) {
        try {
            Files.deleteIfExists(directory.resolve(member.id()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String randomHex(int bytes) {
        byte[] chosen = new byte[bytes];
        random.nextBytes(chosen);
        return HexFormat.of().formatHex(chosen);
    }
}
