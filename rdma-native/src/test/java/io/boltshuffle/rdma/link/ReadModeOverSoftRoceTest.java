package io.boltshuffle.rdma.link;

import org.junit.jupiter.api.Tag;

/** Reliable connected RDMA READ, over the kernel's Soft-RoCE. */
@Tag("soft-roce")
class ReadModeOverSoftRoceTest extends LinkContract {

    ReadModeOverSoftRoceTest() {
        super(LinkMode.READ);
    }

    @Override
    LinkHost open(int side, LinkMode mode, long slabBytes) throws Exception {
        return SoftRoce.open(side, mode, slabBytes);
    }
}
