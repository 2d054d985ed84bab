package io.boltshuffle.cli.demo;

import io.boltshuffle.cli.cluster.CableKind;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The cables of a demo's cluster.
 *
 * @param emulator what they are made of; null when there are none
 */
public record DemoCables(CableKind kind, @Nullable Path emulator) {
    public static final DemoCables NONE = new DemoCables(CableKind.NONE, null);
}
