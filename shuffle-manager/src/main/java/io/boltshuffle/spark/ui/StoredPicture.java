package io.boltshuffle.spark.ui;

import org.apache.spark.util.kvstore.KVIndex;

/** A {@link Picture} as the history server's store keeps it. It is public because the store reads it by reflection. */
public record StoredPicture(String id, String json) {
    static final String ID = "boltshuffle";

    @KVIndex
    @Override
    public String id() {
        return id;
    }
}
