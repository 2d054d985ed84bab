package io.boltshuffle.spark.fetch;

import io.boltshuffle.spark.meter.FallbackReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.spark.network.shuffle.DownloadFileManager;
import org.jspecify.annotations.Nullable;

/** A transport that reaches every host and leaves the answers to the test. */
final class FakeTransport implements RdmaTransport {

    /** One call of fetch. */
    record Request(
            BlockSource source,
            List<String> blockIds,
            Receiver receiver,
            @Nullable DownloadFileManager files) {}

    /** The answer of the transport to a request. */
    @FunctionalInterface
    interface Behaviour {
        void answer(Request request);
    }

    final List<Request> requests = new ArrayList<>();
    Supplier<Optional<FallbackReason>> onRefusal = Optional::empty;
    Behaviour behaviour = request -> {};

    @Override
    public Optional<FallbackReason> refusal(String host) {
        return onRefusal.get();
    }

    @Override
    public void fetch(
            BlockSource source, List<String> blockIds, Receiver receiver, @Nullable DownloadFileManager files) {
        Request request = new Request(source, blockIds, receiver, files);
        requests.add(request);
        behaviour.answer(request);
    }

    @Override
    public long readAheadBytes() {
        return 0;
    }

    @Override
    public void close() {}
}
