package io.boltshuffle.client;

import java.nio.ByteBuffer;
import java.util.List;

/** Memory for an output without an agent, which records how it went back. */
public final class LentMemory implements OutputMemory.WayBack {

    private final ByteBuffer bytes;
    private final OutputMemory memory;
    private long publishedMap = -1;
    private List<Long> lengths = List.of();
    private int returns;

    public LentMemory(int capacity) {
        this.bytes = ByteBuffer.allocateDirect(capacity);
        this.memory = new OutputMemory(bytes.duplicate(), this);
    }

    public OutputMemory memory() {
        return memory;
    }

    @Override
    public void publish(long mapId, List<Long> ofPartitions) {
        returns++;
        publishedMap = mapId;
        lengths = ofPartitions;
    }

    @Override
    public void giveBack() {
        returns++;
    }

    /** Returns the map that was published, or -1. */
    public long publishedMap() {
        return publishedMap;
    }

    public List<Long> lengths() {
        return lengths;
    }

    /** Returns how often the memory went back. */
    public int returns() {
        return returns;
    }

    /** Returns the first bytes of the memory. */
    public byte[] content(int length) {
        byte[] content = new byte[length];
        bytes.get(0, content);
        return content;
    }
}
