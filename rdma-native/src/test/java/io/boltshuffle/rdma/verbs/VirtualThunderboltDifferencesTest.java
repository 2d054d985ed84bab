package io.boltshuffle.rdma.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.rdma.QueuePairType;
import io.boltshuffle.rdma.verbs.Errno.Platform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * One sequence of verbs calls on the kernel's Soft-RoCE and on the virtual Thunderbolt. Each difference is a row of
 * {@code docs/verbs-contract.md} that says why, and each row there is a difference that is still seen.
 */
@Tag("soft-roce")
@Timeout(900)
class VirtualThunderboltDifferencesTest {

    private static final Path CONTRACT = Path.of("..", "docs", "verbs-contract.md");
    private static final String SECTION = "## Where the virtual Thunderbolt differs from a kernel";

    @Test
    void everyDifferenceIsListedWithItsReasonAndEveryOneListedIsSeen(@TempDir Path directory) throws Exception {
        List<String> seen = new ArrayList<>();
        for (QueuePairType type : QueuePairType.values()) {
            Map<String, String> kernel = onSoftRoce(type);
            compare(seen, type, "linux", kernel, onVirtual(directory, "linux", Platform.LINUX, type));
            if (type == QueuePairType.UNRELIABLE_CONNECTED) {
                compare(seen, type, "apple", kernel, onVirtual(directory, "apple", Platform.DARWIN, type));
            }
        }
        seen.forEach(System.out::println);

        assertThat(seen).containsExactlyInAnyOrderElementsOf(listed());
    }

    private static Map<String, String> onSoftRoce(QueuePairType type) throws IOException {
        JnaVerbsProvider provider = JnaVerbsProvider.ofThisHost();
        return VerbsScript.run(provider, provider, Platform.LINUX, type);
    }

    private static Map<String, String> onVirtual(Path root, String profile, Platform platform, QueuePairType type)
            throws IOException {
        Path directory = Files.createDirectories(root.resolve(profile + type));
        // Credits are Thunderbolt's; without them a SEND that finds no receive is lost, as the kernel does it.
        String credits = "option credits " + (profile.equals("apple") ? "on" : "off");
        VirtualFabric fabric =
                VirtualFabric.of(directory, "profile " + profile, credits, "host a", "host b", "cable c a:en5 b:en6");
        return VerbsScript.run(fabric.provider("a"), fabric.provider("b"), platform, type);
    }

    private static void compare(
            List<String> seen,
            QueuePairType type,
            String profile,
            Map<String, String> kernel,
            Map<String, String> own) {
        String kind = type == QueuePairType.RELIABLE_CONNECTED ? "RC" : "UC";
        kernel.forEach((step, outcome) -> {
            if (!outcome.equals(own.get(step))) {
                seen.add(row(List.of(kind, profile, step, outcome, String.valueOf(own.get(step)))));
            }
        });
    }

    /** The rows of the page's table, without their reasons, of which none may be empty. */
    private static List<String> listed() throws IOException {
        String page = Files.readString(CONTRACT);
        String section = page.substring(page.indexOf(SECTION) + SECTION.length());
        return section.lines()
                .takeWhile(line -> !line.startsWith("## "))
                .filter(line -> line.startsWith("| RC") || line.startsWith("| UC"))
                .map(line -> List.of(line.split("\\s*\\|\\s*", -1)))
                .peek(cells -> assertThat(cells.get(6)).as(cells.toString()).isNotBlank())
                .map(cells -> row(cells.subList(1, 6)))
                .toList();
    }

    private static String row(List<String> cells) {
        return "| " + String.join(" | ", cells) + " |";
    }
}
