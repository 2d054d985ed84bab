package io.boltshuffle.rdma.link;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** Send mode where the device announces completions, as Linux has it, over a virtual cable. */
@Tag("ci")
class SendModeOverAnnouncedCableTest extends AnnouncedLinkContract {

    private final VirtualCable cable;

    SendModeOverAnnouncedCableTest(@TempDir Path directory) throws Exception {
        super(LinkMode.SEND);
        cable = VirtualCable.ofLinux(directory, LinkMode.SEND);
    }

    @Override
    LinkHost open(int side, LinkMode mode, long slabBytes) throws Exception {
        return cable.open(side, mode, slabBytes);
    }
}
