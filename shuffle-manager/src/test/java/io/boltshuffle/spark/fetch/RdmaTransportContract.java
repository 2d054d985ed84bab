package io.boltshuffle.spark.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.spark.meter.FallbackReason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.shuffle.DownloadFileManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Holds what every transport promises; {@link ReachingTransportContract} adds what needs a host that is reached. */
@Timeout(120)
abstract class RdmaTransportContract {
    private RdmaTransport transport;

    /** Opens a transport that is ready to fetch. */
    abstract RdmaTransport open() throws Exception;

    /** Returns the process that the blocks of the tests are fetched from. */
    abstract BlockSource source();

    @BeforeEach
    void openTransport() throws Exception {
        transport = open();
    }

    @AfterEach
    void closeTransport() {
        transport.close();
    }

    RdmaTransport transport() {
        return transport;
    }

    /** Begins to fetch blocks into memory. */
    Answers fetch(List<String> blockIds) {
        return fetch(blockIds, null);
    }

    Answers fetch(List<String> blockIds, @Nullable DownloadFileManager files) {
        Answers answers = new Answers(blockIds.size());
        transport.fetch(source(), blockIds, answers, files);
        return answers;
    }

    @Test
    void whatIsNotThereOrIsNoBlockIsHandedBackWithItsReason() throws Exception {
        Answers answers =
                fetch(List.of("shuffle_0_404_0", "not the name of a block")).await();

        assertThat(answers.reasons).containsOnlyKeys(0, 1);
        assertThat(answers.details).allSatisfy(detail -> assertThat(detail).isNotEmpty());
    }

    @Test
    void aClosedTransportRefusesEveryHostAndHandsBackWhatItIsAskedFor() throws Exception {
        transport.close();

        assertThat(transport.refusal(source().host())).isPresent();
        assertThat(transport.readAheadBytes()).isZero();
        assertThat(fetch(List.of("shuffle_0_1_0", "shuffle_0_2_0")).await().reasons)
                .containsOnlyKeys(0, 1);
    }

    @Test
    void closingAgainDoesNothing() {
        transport.close();
        transport.close();
    }

    /** Collects the answers of one fetch, and retains each block as Spark does. */
    static final class Answers implements RdmaTransport.Receiver {
        final Map<Integer, ManagedBuffer> blocks = new ConcurrentHashMap<>();
        final Map<Integer, FallbackReason> reasons = new ConcurrentHashMap<>();
        final List<String> details = new ArrayList<>();
        private final CountDownLatch open;

        Answers(int count) {
            open = new CountDownLatch(count);
        }

        @Override
        public void delivered(int block, ManagedBuffer buffer) {
            assertThat(blocks.put(block, buffer.retain())).isNull();
            open.countDown();
        }

        @Override
        public synchronized void handedBack(int block, FallbackReason reason, String detail) {
            details.add(detail);
            if (reasons.put(block, reason) == null) { // an answer may be repeated
                open.countDown();
            }
        }

        /** Waits until every block has an answer. */
        Answers await() throws InterruptedException {
            assertThat(open.await(60, TimeUnit.SECONDS))
                    .as("there is an answer for each block; handed back so far: %s", reasons)
                    .isTrue();
            return this;
        }

        byte[] bytes(int block) throws IOException {
            ManagedBuffer buffer = blocks.get(block);
            assertThat(buffer).as("block %s; handed back: %s", block, reasons).isNotNull();
            return buffer.createInputStream().readAllBytes();
        }

        void release() {
            blocks.values().forEach(ManagedBuffer::release);
        }
    }
}
