package io.boltshuffle.agent;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.boltshuffle.wire.MeetingPlace;
import java.util.UUID;

/**
 * The name of an agent's slab: always the same for one meeting place, so that an agent replaces the slab that a crash
 * left there.
 */
public final class SlabName {

    private SlabName() {}

    public static String of(MeetingPlace place) {
        UUID hash = UUID.nameUUIDFromBytes(place.directory().toString().getBytes(UTF_8));
        return "bolt-" + Long.toHexString(hash.getMostSignificantBits() ^ hash.getLeastSignificantBits());
    }
}
