package io.boltshuffle.rdma.link;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reliable connected RDMA READ, over the virtual Thunderbolt. */
@Tag("slow")
class ReadModeOverVirtualCableTest extends LinkContract {

    private final VirtualCable cable;

    ReadModeOverVirtualCableTest(@TempDir Path directory) throws Exception {
        super(LinkMode.READ);
        cable = new VirtualCable(directory, LinkMode.READ);
    }

    @Override
    LinkHost open(int side, LinkMode mode, long slabBytes) throws Exception {
        return cable.open(side, mode, slabBytes);
    }

    @Test
    void whatOnlyTheHardwareChecksArrivesWhole() throws Exception {
        manyTransfersWithoutSums();
    }
}
