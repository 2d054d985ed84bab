package io.boltshuffle.spark.write;

import static io.boltshuffle.spark.write.WriterOutputTest.assertHolds;
import static io.boltshuffle.spark.write.WriterOutputTest.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.shuffle.sort.SortShuffleManager;

/** Writes to a disk that has room for small outputs only. Its argument is a directory there. */
final class FullDiskProgram {
    static final String SUCCESS = "every output that did not fit failed and left nothing";

    private static final int PARTITIONS = 40;

    private FullDiskProgram() {}

    public static void main(String[] arguments) {
        Path directory = Path.of(arguments[0]);
        runFull(directory, WriterMemoryTest.little("lz4", "kryo", false)); // a spill meets the end of the disk
        runFull(directory, settings("lz4", "kryo", false)); // only the output does
        System.out.println(SUCCESS);
    }

    private static void runFull(Path directory, Map<String, String> settings) {
        settings.put("spark.task.maxFailures", "1");
        try (WriterFixture fixture = new WriterFixture(directory, settings)) {
            for (SortShuffleManager manager : new SortShuffleManager[] {fixture.stock(), fixture.ours()}) {
                ShuffleDependency<Object, Object, Object> shuffle = fixture.shuffle(PARTITIONS);
                Rows little = Rows.noise(1_000, 1_000, 1_000);
                assertHolds(fixture, shuffle, fixture.write(manager, shuffle, fixture.newMapId(), little), little);
                Set<Path> before = fixture.files();

                Throwable thrown = fixture.inTask(() -> catchThrowable(() ->
                        fixture.writeHere(manager, shuffle, fixture.newMapId(), Rows.noise(30_000, 1_000, 1_000))));

                assertThat(rootOf(thrown)).isInstanceOf(IOException.class).hasMessage("No space left on device");
                assertThat(fixture.files()).isEqualTo(before);
                assertHolds(fixture, shuffle, fixture.write(manager, shuffle, fixture.newMapId(), little), little);
                manager.unregisterShuffle(shuffle.shuffleId());
            }
        }
    }

    private static Throwable rootOf(Throwable thrown) {
        Throwable root = thrown;
        for (Throwable cause = root; cause != null; cause = cause.getCause()) {
            root = cause;
        }
        return root;
    }
}
