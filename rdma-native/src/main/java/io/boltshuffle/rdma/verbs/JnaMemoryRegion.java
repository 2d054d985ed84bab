package io.boltshuffle.rdma.verbs;

import com.sun.jna.Pointer;
import io.boltshuffle.rdma.MemoryRegion;
import io.boltshuffle.rdma.VerbsException;
import io.boltshuffle.rdma.verbs.Abi.Mr;

/** A registered range of a {@link JnaDevice}. It reads its keys once, because they never change. */
final class JnaMemoryRegion implements MemoryRegion {

    private final JnaDevice device;
    private final Handle region;
    private final int localKey;
    private final int remoteKey;

    JnaMemoryRegion(JnaDevice device, Pointer region) {
        this.device = device;
        this.region = new Handle("memory region of " + device.name(), region);
        this.localKey = region.getInt(Mr.LKEY);
        this.remoteKey = region.getInt(Mr.RKEY);
    }

    @Override
    public int localKey() {
        return localKey;
    }

    @Override
    public int remoteKey() {
        return remoteKey;
    }

    @Override
    public void close() throws VerbsException {
        device.destroy(VerbsCall.DEREG_MR, region, device.functions()::ibv_dereg_mr);
    }
}
