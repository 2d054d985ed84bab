package io.boltshuffle.spark.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.boltshuffle.wire.WireLimits;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.spark.network.shuffle.DownloadFile;
import org.apache.spark.network.shuffle.DownloadFileManager;
import org.apache.spark.network.shuffle.SimpleDownloadFile;
import org.apache.spark.network.util.TransportConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Holds what a transport promises that reaches the host of its source. */
abstract class ReachingTransportContract extends RdmaTransportContract {

    /** The most blocks that one message to an agent names. */
    private static final int MANY = WireLimits.MAX_BLOCKS;

    /** Writes a block which {@link #source} then has, as {@code shuffle_0_<map>_0}. Returns what it holds. */
    abstract byte[] written(long map, int bytes) throws IOException;

    /** Returns how much of the transport's memory blocks take that were delivered and not yet released. */
    abstract long heldBytes() throws IOException;

    @Test
    void aHostThatIsReachedIsNotRefused() {
        assertThat(transport().refusal(source().host())).isEmpty();
    }

    @Test
    void blocksOfAnySizeArriveWhole() throws Exception {
        List<byte[]> expected = new ArrayList<>();
        for (int bytes : new int[] {1, 1000, 5_000_017, 2000}) {
            expected.add(written(expected.size(), bytes));
        }

        Answers answers = fetch(names(0, 4)).await();

        for (int block = 0; block < 4; block++) {
            assertThat(answers.bytes(block)).isEqualTo(expected.get(block));
        }
        answers.release();
    }

    /** Where a transport asks in several requests, their answers may come in turn, a piece of a block each time. */
    @Test
    void largeBlocksOfAFetchOfVeryManyDoNotMix() throws Exception {
        byte[] first = written(0, 5_000_017);
        byte[] small = written(1, 10);
        byte[] last = written(2, 5_000_011);
        List<String> names = new ArrayList<>(names(0, 1));
        names.addAll(Collections.nCopies(20_000, names(1, 2).get(0)));
        names.add(MANY, names(2, 3).get(0));

        Answers answers = fetch(names).await();

        assertThat(answers.reasons).isEmpty();
        assertThat(answers.bytes(0)).isEqualTo(first);
        assertThat(answers.bytes(MANY)).isEqualTo(last);
        assertThat(answers.bytes(MANY - 1)).isEqualTo(small);
        assertThat(answers.bytes(20_001)).isEqualTo(small);
        answers.release();
    }

    @Test
    void aBlockThatIsMissingIsHandedBackAlone() throws Exception {
        byte[] before = written(0, 1000);
        byte[] behind = written(2, 1000);

        Answers answers = fetch(names(0, 3)).await();

        assertThat(answers.bytes(0)).isEqualTo(before);
        assertThat(answers.bytes(2)).isEqualTo(behind);
        assertThat(answers.reasons).containsOnlyKeys(1);
        answers.release();
    }

    @Test
    void memoryIsHeldAsLongAsSparkHoldsTheBlockAndNoLonger() throws Exception {
        written(0, 100_000);
        Answers answers = fetch(names(0, 1)).await();
        assertThat(heldBytes()).isGreaterThanOrEqualTo(100_000);

        answers.release();

        awaitNothingHeld();
    }

    @Test
    void aBlockThatSparkHoldsIsReadableAfterTheEnd() throws Exception {
        byte[] expected = written(0, 100_000);
        Answers answers = fetch(names(0, 1)).await();

        transport().close();

        assertThat(answers.bytes(0)).isEqualTo(expected);
        answers.release();
    }

    @Test
    void theEndAnswersForWhatIsUnderWay() throws Exception {
        for (int map = 0; map < 50; map++) {
            written(map, 100_000);
        }
        Answers answers = fetch(names(0, 50));

        transport().close();

        answers.await().release();
    }

    @Test
    void aLargeFetchIsStreamedToFilesOrHandedBack(@TempDir Path temp) throws Exception {
        byte[] expected = written(0, 5_000_017);

        Answers answers = fetch(names(0, 1), new Downloads(temp)).await();

        if (answers.reasons.isEmpty()) {
            assertThat(answers.bytes(0)).isEqualTo(expected);
            assertThat(temp).isNotEmptyDirectory();
        }
        awaitNothingHeld();
    }

    @Test
    void fetchesOfSeveralThreadsDoNotMix() throws Exception {
        List<CompletableFuture<Answers>> fetches = new ArrayList<>();
        List<byte[]> expected = new ArrayList<>();
        for (int map = 0; map < 8; map++) {
            expected.add(written(map, 1000 + map));
        }
        for (int map = 0; map < 8; map++) {
            List<String> names = names(map, map + 1);
            fetches.add(CompletableFuture.supplyAsync(() -> fetch(names)));
        }

        for (int map = 0; map < 8; map++) {
            Answers answers = fetches.get(map).get(60, TimeUnit.SECONDS).await();
            assertThat(answers.bytes(0)).isEqualTo(expected.get(map));
            answers.release();
        }
    }

    private void awaitNothingHeld() {
        await().atMost(Duration.ofSeconds(20)).until(() -> heldBytes() == 0);
    }

    private static List<String> names(int fromMap, int toMap) {
        List<String> names = new ArrayList<>();
        for (int map = fromMap; map < toMap; map++) {
            names.add("shuffle_0_" + map + "_0");
        }
        return names;
    }

    private record Downloads(Path directory) implements DownloadFileManager {
        @Override
        public DownloadFile createTempFile(TransportConf conf) {
            return new SimpleDownloadFile(new File(directory.toFile(), "block"), conf);
        }

        @Override
        public boolean registerTempFileToClean(DownloadFile file) {
            return true;
        }
    }
}
