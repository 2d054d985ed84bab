package io.boltshuffle.spark.fetch;

import io.boltshuffle.client.LayOutHandler;
import io.boltshuffle.conf.Options;
import io.boltshuffle.conf.Settings;
import io.boltshuffle.spark.meter.FallbackReason;
import io.boltshuffle.wire.FetchDeadline;
import io.boltshuffle.wire.HostName;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.internal.config.package$;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches single blocks from the memory of executors and the driver by RDMA, and waits for each. It has a session of
 * its own with the agent, beside that of the shuffle, from the first fetch or {@link #serve()} on.
 *
 * <p><b>Threads:</b> called from any thread, several at once.
 */
public final class LiveRoute implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LiveRoute.class);

    /** The agent's client answers a second after the deadline of a fetch; this is for what keeps it from that. */
    private static final Duration MARGIN = Duration.ofSeconds(5);

    private final LateTransport transport;
    private final List<FetchPolicy> policies;
    private final long longestNanos;
    /** The hosts and reasons of handed-back blocks that were logged already. */
    private final Set<String> logged = ConcurrentHashMap.newKeySet();

    /** The outcome of a fetch. */
    public sealed interface Answer {
        /** The block; its buffer is the caller's, who releases it. */
        record Block(ManagedBuffer buffer) implements Answer {}

        /** It goes by Netty. */
        record Refused(FallbackReason reason) implements Answer {}
    }

    /** @param longest after this long without an answer a block goes by Netty */
    LiveRoute(LateTransport transport, List<FetchPolicy> policies, Duration longest) {
        this.transport = transport;
        this.policies = List.copyOf(policies);
        this.longestNanos = longest.toNanos();
    }

    /**
     * Returns how long a fetch of one block may take, whatever becomes of the client: its deadline moves on with what
     * arrives, at {@link FetchDeadline#FLOOR_BYTES_PER_SECOND} or faster, and Spark asks for larger blocks in files.
     */
    static Duration longest(SparkConf conf, Settings settings) {
        long toMemory = (long) conf.get(package$.MODULE$.MAX_REMOTE_BLOCK_SIZE_FETCH_TO_MEM());
        return settings.get(Options.FETCH_TIMEOUT)
                .plusSeconds(toMemory / FetchDeadline.FLOOR_BYTES_PER_SECOND)
                .plus(MARGIN);
    }

    /**
     * Returns the route of this process, which has no session yet.
     *
     * @param handler lays blocks of this process out for other hosts
     */
    public static LiveRoute of(SparkEnv env, Settings settings, LayOutHandler handler) {
        LateTransport transport = new LateTransport(
                FetchPolicies.allowRdma(env.conf(), settings)
                        ? () -> AgentTransport.openForBlocks(env, settings, handler)
                        : NoAgentTransport::new);
        return new LiveRoute(
                transport,
                List.of(
                        FetchPolicies.encryptedWire(env.conf(), settings),
                        notFromHere(env.blockManager().blockManagerId().host()),
                        FetchPolicies.transportAvailability(transport)),
                longest(env.conf(), settings));
    }

    /**
     * Refuses fetches between processes of one host: nothing is gained there, and no cable leads from a host to itself.
     */
    static FetchPolicy notFromHere(String own) {
        String here = HostName.plain(own);
        return plan -> {
            if (HostName.plain(plan.host()).equals(here)) {
                plan.refuseAll(FallbackReason.NO_CABLE);
            }
        };
    }

    /** Lets other hosts ask for blocks of this process from now on. It waits for nothing. */
    public void serve() {
        transport.open();
    }

    /** Returns whether other hosts may ask already. */
    public boolean serves() {
        return transport.isOpen();
    }

    /** Fetches a block, or says at once why it does not go by RDMA. A block that is handed back goes by Netty, too. */
    public Answer fetch(String host, int port, String execId, String blockId) throws InterruptedException {
        FetchPlan plan = new FetchPlan(host, List.of(blockId));
        for (FetchPolicy policy : policies) {
            policy.review(plan);
            if (plan.candidates().isEmpty()) {
                return new Answer.Refused(plan.refused().keySet().iterator().next());
            }
        }
        Waiting waiting = new Waiting(host, blockId);
        transport.fetch(new BlockSource(host, port, execId), List.of(blockId), waiting, null);
        return waiting.await();
    }

    @Override
    public void close() {
        transport.close();
    }

    /** Takes the answer of one fetch, even of one that nobody waits for any more. */
    private final class Waiting implements RdmaTransport.Receiver {
        private final String host;
        private final String blockId;
        private final CompletableFuture<Answer> answer = new CompletableFuture<>();

        Waiting(String host, String blockId) {
            this.host = host;
            this.blockId = blockId;
        }

        Answer await() throws InterruptedException {
            try {
                return answer.get(longestNanos, TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                handedBack(0, FallbackReason.DEADLINE, "the agent's client does not answer");
                return answer.join();
            } catch (InterruptedException e) {
                if (!answer.cancel(false) && answer.join() instanceof Answer.Block block) {
                    block.buffer().release();
                }
                throw e;
            } catch (ExecutionException e) {
                throw new IllegalStateException("a fetch of a block in memory failed", e);
            }
        }

        @Override
        public void delivered(int block, ManagedBuffer buffer) {
            buffer.retain();
            if (!answer.complete(new Answer.Block(buffer))) {
                buffer.release();
            }
        }

        @Override
        public void handedBack(int block, FallbackReason reason, String detail) {
            if (logged.add(host + " " + reason)) {
                log.warn(
                        "{}: {} goes by Netty, because {} ({}); further blocks are only counted",
                        host,
                        blockId,
                        reason.meaning(),
                        detail);
            }
            answer.complete(new Answer.Refused(reason));
        }
    }
}
