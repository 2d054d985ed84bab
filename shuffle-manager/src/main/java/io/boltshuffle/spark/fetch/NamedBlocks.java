package io.boltshuffle.spark.fetch;

import io.boltshuffle.client.FetchListener;
import io.boltshuffle.client.FetchedBytes;
import io.boltshuffle.spark.meter.FallbackReason;
import io.boltshuffle.wire.BlockRange;
import io.boltshuffle.wire.BlockSlice;
import io.boltshuffle.wire.FailureReason;
import io.boltshuffle.wire.LiveBlock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The blocks of one fetch as messages name them. Names that say nothing to an agent are left out, and handed back.
 *
 * <p><b>Threads:</b> confined to the thread that fetches; nothing changes afterwards.
 */
final class NamedBlocks {

    private final List<BlockRange> ranges;
    /** The place in the fetch of each range. */
    private final int[] places;

    private final boolean isAll;

    private NamedBlocks(List<BlockRange> ranges, int[] places, boolean isAll) {
        this.ranges = ranges;
        this.places = places;
        this.isAll = isAll;
    }

    /** Takes those blocks that an agent can be asked for, and hands the others back. */
    static NamedBlocks of(List<String> blockIds, RdmaTransport.Receiver receiver) {
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
        return new NamedBlocks(ranges, Arrays.copyOf(places, ranges.size()), ranges.size() == places.length);
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
        return isAll ? listener : new AtTheirPlaces(listener);
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
