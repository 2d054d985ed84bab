package io.boltshuffle.spark.fetch;

import io.boltshuffle.client.FetchListener;
import io.boltshuffle.client.FetchedBytes;
import io.boltshuffle.spark.meter.FallbackReason;
import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.BlockSlice;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.LiveBlock;
import io.boltshuffle.wire.WireLimits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The blocks of one request as messages name them. Names that say nothing to an agent are left out, and handed back.
 *
 * <p><b>Threads:</b> confined to the thread that fetches; nothing changes afterwards.
 */
final class NamedBlocks {

    private final List<BlockRange> ranges;
    /** The place in the fetch of each range. */
    private final int[] places;

    private NamedBlocks(List<BlockRange> ranges, int[] places) {
        this.ranges = ranges;
        this.places = places;
    }

    /** Takes those blocks of a fetch that an agent can be asked for, in as few requests as they fit in. */
    static List<NamedBlocks> of(List<String> blockIds, RdmaTransport.Receiver receiver) {
        List<BlockRange> ranges = new ArrayList<>(blockIds.size());
        int[] places = new int[blockIds.size()];
        for (int place = 0; place < places.length; place++) {
            String blockId = blockIds.get(place);
            Optional<BlockRange> block = range(blockId);
            if (block.isPresent()) {
                places[ranges.size()] = place;
                ranges.add(block.get());
            } else {
                receiver.handedBack(place, FallbackReason.BLOCK_KIND, blockId);
            }
        }
        List<NamedBlocks> requests = new ArrayList<>();
        for (int from = 0; from < ranges.size(); from += WireLimits.MAX_BLOCKS) {
            int to = Math.min(ranges.size(), from + WireLimits.MAX_BLOCKS);
            requests.add(new NamedBlocks(ranges.subList(from, to), Arrays.copyOfRange(places, from, to)));
        }
        return requests;
    }

    private static Optional<BlockRange> range(String blockId) {
        Optional<BlockRange> ofShuffle = ShuffleBlockName.parse(blockId);
        return ofShuffle.isPresent() ? ofShuffle : LiveBlockName.parse(blockId).map(LiveBlock::toRange);
    }

    List<BlockRange> ranges() {
        return ranges;
    }

    /** Returns a listener to a request of the ranges. It tells another one the places of blocks in the fetch. */
    FetchListener toldAs(FetchListener listener) {
        int last = places.length - 1;
        return places[last] == last ? listener : new AtTheirPlaces(listener);
    }

    private final class AtTheirPlaces implements FetchListener {
        private final FetchListener listener;

        AtTheirPlaces(FetchListener listener) {
            this.listener = listener;
        }

        @Override
        public void onSlice(BlockSlice slice, FetchedBytes bytes) {
            listener.onSlice(slice.ofBlock(places[slice.blockIndex()]), bytes);
        }

        @Override
        public void onFailed(int blockIndex, FailureReason reason, String detail) {
            listener.onFailed(places[blockIndex], reason, detail);
        }
    }
}
