package io.boltshuffle.client;

import io.boltshuffle.wire.OutputLayout;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.List;

/** Memory for an output without an agent, which records how it went back. */
public final class LentMemory implements OutputMemory.WayBack {

    private final ByteBuffer bytes;
    private final OutputMemory memory;
    private long publishedMap = -1;
    private OutputLayout layout = OutputLayout.PACKED;
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
    public void publish(long mapId, OutputLayout ofOutput, List<Long> ofPartitions) {
        returns++;
        publishedMap = mapId;
        layout = ofOutput;
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

    public OutputLayout layout() {
        return layout;
    }

    public List<Long> lengths() {
        return lengths;
    }

    /** Returns how often the memory went back. */
    public int returns() {
        return returns;
    }

    /** Returns the bytes of all published partitions, without the gaps between them. */
    public byte[] content() {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        long end = 0;
        for (long length : lengths) {
            long start = layout.start(end);
            byte[] partition = new byte[(int) length];
            bytes.get((int) start, partition);
            content.writeBytes(partition);
            end = start + length;
        }
        return content.toByteArray();
    }
}
