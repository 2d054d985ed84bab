package io.boltshuffle.cli.doctor.facts;

import java.util.Optional;
import java.util.OptionalLong;

/** Free space of one file system, from {@code df -Pk}. */
public record FileSystem(String mountPoint, long freeBytes) {

    static Optional<FileSystem> parse(String df) {
        return df.lines().skip(1).findFirst().flatMap(line -> {
            String[] fields = line.strip().split("\\s+", 6);
            OptionalLong freeKib = fields.length < 6 ? OptionalLong.empty() : KeyValues.longInteger(fields[3]);
            return freeKib.isEmpty() || freeKib.getAsLong() < 0 || freeKib.getAsLong() > Long.MAX_VALUE / 1024
                    ? Optional.empty()
                    : Optional.of(new FileSystem(fields[5], freeKib.getAsLong() * 1024));
        });
    }
}
