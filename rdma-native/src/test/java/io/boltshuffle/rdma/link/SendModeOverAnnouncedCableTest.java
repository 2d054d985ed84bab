package io.boltshuffle.rdma.link;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Send mode where the device announces completions, as Linux has it, over a virtual cable. */
class SendModeOverAnnouncedCableTest extends LinkContract {

    private final VirtualCable cable;

    SendModeOverAnnouncedCableTest(@TempDir Path directory) throws Exception {
        super(LinkMode.SEND);
        cable = VirtualCable.ofLinux(directory, LinkMode.SEND);
    }

    @Override
    LinkHost open(int side, LinkMode mode, long slabBytes) throws Exception {
        return cable.open(side, mode, slabBytes);
    }

    @Test
    @Override
    void whatIsLateIsAwaitedAsleep() throws Exception {
        super.whatIsLateIsAwaitedAsleep();
    }

    @Test
    @Override
    void nothingIsAnnouncedWhereThatIsTurnedOff() throws Exception {
        super.nothingIsAnnouncedWhereThatIsTurnedOff();
    }

    @Test
    @Override
    void whereAnnouncementsFailCompletionsAreLookedFor() throws Exception {
        super.whereAnnouncementsFailCompletionsAreLookedFor();
    }
}
