package io.boltshuffle.agent.cable;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Memory of which each device that did not connect makes so much less be registered. */
final class GivenMemory implements PortsFactory.RegisteredMemory {

    final List<Long> refused = new CopyOnWriteArrayList<>();
    private final long stepBytes;
    private long bytes;
    private boolean isInUse;

    /** @param stepBytes what is given up at a time; 0 for nothing */
    GivenMemory(long bytes, long stepBytes) {
        this.bytes = bytes;
        this.stepBytes = stepBytes;
    }

    synchronized void isInUse(boolean inUse) {
        isInUse = inUse;
    }

    @Override
    public synchronized long bytes() throws IOException {
        if (isInUse) {
            throw new IOException("in use still");
        }
        return bytes;
    }

    @Override
    public synchronized boolean giveUp(long registeredBytes) {
        refused.add(registeredBytes);
        bytes -= stepBytes;
        return stepBytes > 0;
    }
}
