package io.boltshuffle.rdma.link;

import org.junit.jupiter.api.Tag;

/**
 * Unreliable connected SEND and RECV, over the kernel's Soft-RoCE. It has no credits: a SEND without a receive is lost.
 */
@Tag("soft-roce")
class SendModeOverSoftRoceTest extends LinkContract {

    SendModeOverSoftRoceTest() {
        super(LinkMode.SEND);
    }

    @Override
    LinkHost open(int side, LinkMode mode, long slabBytes) throws Exception {
        return SoftRoce.open(side, mode, slabBytes);
    }
}
