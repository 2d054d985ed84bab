package io.boltshuffle.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.boltshuffle.cli.cluster.CableKind;
import io.boltshuffle.client.AgentClient;
import io.boltshuffle.client.ClientStart;
import io.boltshuffle.client.FetchListener;
import io.boltshuffle.client.FetchRequest;
import io.boltshuffle.client.FetchedBytes;
import io.boltshuffle.conf.Settings;
import io.boltshuffle.proof.bench.fetch.FetchLife;
import io.boltshuffle.testing.ShuffleFiles;
import io.boltshuffle.trace.FetchStep;
import io.boltshuffle.trace.FetchTrace;
import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.BlockSlice;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.Registration;
import io.boltshuffle.wire.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How often a fetch of one window changes threads, on two agents as users run them. Each change is a thread that has to
 * be woken, which takes longer than most of what is done between two of them.
 */
@Tag("slow")
class HandOffsTest {

    private static final BlockRange BLOCK = new BlockRange(0, 1, 0, 1);
    private static final int BLOCK_BYTES = 32 << 10;
    private static final int FETCHES = 200;

    /** Long enough that all threads sleep when the next fetch begins, and find each other so. */
    private static final long REST_MILLIS = 5;

    private final Path temp;

    HandOffsTest(@TempDir Path temp) {
        this.temp = temp;
    }

    @AfterEach
    void traceNoMore() {
        FetchTrace.off();
    }

    @Test
    void aFetchOfOneWindowChangesThreadsOnlyWhereItHasTo() throws Exception {
        threadsChangeOnlyWhereTheyHaveTo(CableKind.SEND);
    }

    @Tag("ci")
    @Test
    void aFetchOfOneWindowChangesThreadsOnlyWhereItHasToWherePeersRead() throws Exception {
        threadsChangeOnlyWhereTheyHaveTo(CableKind.READ);
    }

    private void threadsChangeOnlyWhereTheyHaveTo(CableKind cables) throws Exception {
        Path trace = temp.resolve("trace");
        ShuffleFiles files = new ShuffleFiles(Files.createDirectories(temp.resolve("blocks")));
        files.write(0, 1, BLOCK_BYTES);
        try (AgentPair agents = new AgentPair(temp, 1, cables)
                        .with("spark.boltshuffle.fetch.trace", trace.toString())
                        .startBoth();
                AgentClient server = client(agents, AgentPair.SERVER, "1", files);
                AgentClient reader = client(agents, AgentPair.READER, "2", files)) {
            awaitConnected(server);
            awaitConnected(reader);
            await().atMost(Duration.ofSeconds(60)).until(() -> fetch(reader).isEmpty());
            for (int i = 0; i < FETCHES; i++) {
                assertThat(fetch(reader)).isEmpty();
                Thread.sleep(REST_MILLIS);
            }
        }

        List<FetchLife> lives = FetchLife.read(trace);
        assertThat(lives).hasSizeGreaterThanOrEqualTo(FETCHES);
        List<FetchLife> warm = lives.subList(lives.size() - FETCHES / 2, lives.size());
        assertThat(least(warm, FetchStep.Host.ASKING))
                .as("asking host: %s", warm.get(0))
                .isBetween(1, ASKING);
        assertThat(least(warm, FetchStep.Host.SERVING))
                .as("serving host: %s", warm.get(0))
                .isBetween(1, serving(cables));
    }

    /** A fetch goes from the task to the agent's loop, then to the poller that checks, then to the client's thread. */
    private static final int ASKING = 3;

    /** It goes from the loop to a reader, which says READY itself; in send mode the loop serves GO. */
    private static int serving(CableKind cables) {
        return cables == CableKind.SEND ? 2 : 1;
    }

    /** Where a machine is busy, some fetches find a loop awake, and change threads more often or less often. */
    private static int least(List<FetchLife> lives, FetchStep.Host host) {
        return lives.stream().mapToInt(life -> life.handOffs(host)).min().orElseThrow();
    }

    private AgentClient client(AgentPair agents, String host, String executor, ShuffleFiles files) throws IOException {
        Registration registration = new Registration(
                "app-1",
                executor,
                List.of(files.localDir().toString()),
                ShuffleFiles.SUB_DIRS,
                "org.apache.spark.shuffle.sort.SortShuffleManager",
                Secret.of(new byte[] {1}));
        Settings settings = Settings.parse(agents.settings());
        return AgentClient.open(new ClientStart(host, agents.root(), settings, registration, agents.settings()));
    }

    private static void awaitConnected(AgentClient client) {
        await().atMost(Duration.ofSeconds(30)).until(() -> client.readAheadBytes() > 0);
    }

    /** Fetches the block. Returns why it did not come. */
    private static Optional<FailureReason> fetch(AgentClient reader) throws Exception {
        CompletableFuture<Optional<FailureReason>> over = new CompletableFuture<>();
        reader.fetch(new FetchRequest(AgentPair.SERVER, "1", 7, List.of(BLOCK)), new FetchListener() {
            @Override
            public void onSlice(BlockSlice slice, FetchedBytes bytes) {
                bytes.release();
                over.complete(Optional.empty());
            }

            @Override
            public void onFailed(int blockIndex, FailureReason reason, String detail) {
                over.complete(Optional.of(reason));
            }
        });
        return over.get(30, TimeUnit.SECONDS);
    }
}
