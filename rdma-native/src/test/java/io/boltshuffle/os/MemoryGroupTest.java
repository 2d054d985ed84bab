package io.boltshuffle.os;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryGroupTest {

    private static final long MIB = 1 << 20;

    private final Path root;
    private final Path membership;

    MemoryGroupTest(@TempDir Path directory) {
        this.root = directory.resolve("cgroup");
        this.membership = directory.resolve("membership");
    }

    @Test
    void cachedFilesOfTheSecondVersionAreFree() throws Exception {
        belongTo("0::/job");
        second("job", "1073741824", 600 * MIB, 100 * MIB, 200 * MIB);

        assertThat(MemoryGroup.tightest(membership, root))
                .contains(new MemoryGroup(root.resolve("job"), 1024 * MIB, 724 * MIB));
    }

    @Test
    void aGroupAboveThatHasLessRoomCounts() throws Exception {
        belongTo("0::/pod/container");
        second("pod", "1073741824", 1000 * MIB, 0, 0);
        second("pod/container", "max", 100 * MIB, 0, 0);

        assertThat(MemoryGroup.tightest(membership, root))
                .contains(new MemoryGroup(root.resolve("pod"), 1024 * MIB, 24 * MIB));
    }

    @Test
    void groupsOfTheFirstVersionAreAmongThoseOfOtherControllers() throws Exception {
        belongTo("9:cpu,cpuacct:/other", "4:memory:/job", "0::/");
        first("job", 512 * MIB, 500 * MIB, 8 * MIB, 4 * MIB);

        assertThat(MemoryGroup.tightest(membership, root))
                .contains(new MemoryGroup(root.resolve("memory/job"), 512 * MIB, 24 * MIB));
    }

    @Test
    void aContainerThatIsToldItsHostsPathFindsItsGroupAtTheRoot() throws Exception {
        belongTo("4:memory:/docker/0123");
        first("", 512 * MIB, 100 * MIB, 0, 0);

        assertThat(MemoryGroup.tightest(membership, root))
                .contains(new MemoryGroup(root.resolve("memory"), 512 * MIB, 412 * MIB));
    }

    @Test
    void withoutALimitOrWithoutCgroupsThereIsNone() throws Exception {
        assertThat(MemoryGroup.tightest(membership, root)).isEmpty();

        belongTo("4:memory:/job", "0::/job", "nonsense");
        first("job", 9223372036854771712L, 100 * MIB, 0, 0);
        second("job", "max", 100 * MIB, 0, 0);

        assertThat(MemoryGroup.tightest(membership, root)).isEmpty();
    }

    private void belongTo(String... lines) throws IOException {
        Files.write(membership, List.of(lines));
    }

    private void second(String group, String limit, long used, long inactive, long active) throws IOException {
        Path directory = Files.createDirectories(root.resolve(group));
        Files.writeString(directory.resolve("memory.max"), limit + "\n");
        Files.writeString(directory.resolve("memory.current"), used + "\n");
        Files.write(
                directory.resolve("memory.stat"),
                List.of("anon 7", "file 9", "inactive_file " + inactive, "active_file " + active, "unevictable 0"));
    }

    private void first(String group, long limit, long used, long inactive, long active) throws IOException {
        Path directory = Files.createDirectories(root.resolve("memory").resolve(group));
        Files.writeString(directory.resolve("memory.limit_in_bytes"), limit + "\n");
        Files.writeString(directory.resolve("memory.usage_in_bytes"), used + "\n");
        Files.write(
                directory.resolve("memory.stat"),
                List.of(
                        "inactive_file 0",
                        "active_file 0",
                        "total_inactive_file " + inactive,
                        "total_active_file " + active));
    }
}
