package io.boltshuffle.rdma.link;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** Read mode where the device announces completions, as Linux has it, over a virtual cable. */
@Tag("ci")
class ReadModeOverAnnouncedCableTest extends AnnouncedLinkContract {

    private final VirtualCable cable;

    ReadModeOverAnnouncedCableTest(@TempDir Path directory) throws Exception {
        super(LinkMode.READ);
        cable = VirtualCable.ofLinux(directory, LinkMode.READ);
    }

    @Override
    LinkHost open(int side, LinkMode mode, long slabBytes) throws Exception {
        return cable.open(side, mode, slabBytes);
    }
}
