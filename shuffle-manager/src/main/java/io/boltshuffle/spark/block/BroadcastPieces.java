package io.boltshuffle.spark.block;

import io.boltshuffle.wire.LiveBlock;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Knows which broadcasts have more than one piece, as far as this process has asked for any. Nothing tells a reader how
 * large a block is, and the only piece of a broadcast may be tiny: every stage broadcasts its task, of a few kilobytes,
 * which Netty brings some milliseconds sooner. Spark asks for the pieces in an order that it shuffles, so that the
 * first one of a large broadcast seldom comes before all others.
 *
 * <p><b>Threads:</b> safe from any.
 */
final class BroadcastPieces {

    /** Broadcasts that are remembered. One that is forgotten costs the way of one piece. */
    static final int REMEMBERED = 1024;

    private final Map<Long, Boolean> several = new LinkedHashMap<>() { // guarded by this
                @Override
                protected boolean removeEldestEntry(Map.Entry<Long, Boolean> eldest) {
                    return size() > REMEMBERED;
                }
            };

    /** Returns whether the block may be all there is of its broadcast; call it for each block that is asked for. */
    synchronized boolean mayBeTheOnly(LiveBlock block) {
        if (block.kind() != LiveBlock.Kind.BROADCAST_PIECE) {
            return false;
        }
        if (block.part() > 0) {
            several.put(block.id(), true);
        }
        return !several.containsKey(block.id());
    }
}
