package io.boltshuffle.agent;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.boltshuffle.wire.MeetingPlace;
import java.util.UUID;

/** What an agent calls its slab: always the same for one meeting place, so that what a crash left there is replaced. */
public final class SlabName {

    private SlabName() {}

    public static String of(MeetingPlace place) {
        UUID hash = UUID.nameUUIDFromBytes(place.directory().toString().getBytes(UTF_8));
        return "bolt-" + Long.toHexString(hash.getMostSignificantBits() ^ hash.getLeastSignificantBits());
    }
}
