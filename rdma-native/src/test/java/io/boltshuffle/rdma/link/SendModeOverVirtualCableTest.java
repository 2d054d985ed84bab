package io.boltshuffle.rdma.link;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Unreliable connected SEND and RECV, over the virtual Thunderbolt. */
@Tag("slow")
class SendModeOverVirtualCableTest extends LinkContract {

    private final VirtualCable cable;

    SendModeOverVirtualCableTest(@TempDir Path directory) throws Exception {
        super(LinkMode.SEND);
        cable = new VirtualCable(directory, LinkMode.SEND);
    }

    @Override
    LinkHost open(int side, LinkMode mode, long slabBytes) throws Exception {
        return cable.open(side, mode, slabBytes);
    }

    @Test
    void itCannotGoWithoutSums() {
        LinkOptions options = LinkOptions.defaults(LinkMode.SEND);

        assertThatThrownBy(options::withoutSums).isInstanceOf(IllegalArgumentException.class);
    }
}
