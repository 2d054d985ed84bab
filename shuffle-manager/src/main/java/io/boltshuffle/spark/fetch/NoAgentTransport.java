package io.boltshuffle.spark.fetch;

import io.boltshuffle.spark.meter.FallbackReason;
import java.util.List;
import java.util.Optional;
import org.apache.spark.network.shuffle.DownloadFileManager;
import org.jspecify.annotations.Nullable;

/** The transport of a host without a node agent. It refuses every host and says why. */
final class NoAgentTransport implements RdmaTransport {

    @Override
    public Optional<FallbackReason> refusal(String host) {
        return Optional.of(FallbackReason.NO_AGENT);
    }

    /** Hands every block back: a caller that asks in spite of {@link #refusal} gets the same answer. */
    @Override
    public void fetch(
            BlockSource source, List<String> blockIds, Receiver receiver, @Nullable DownloadFileManager downloadFiles) {
        for (int block = 0; block < blockIds.size(); block++) {
            receiver.handedBack(block, FallbackReason.NO_AGENT, "no node agent on this host");
        }
    }

    @Override
    public long readAheadBytes() {
        return 0;
    }

    @Override
    public void close() {
        // Nothing is open.
    }
}
