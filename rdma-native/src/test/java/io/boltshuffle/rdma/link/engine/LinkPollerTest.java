package io.boltshuffle.rdma.link.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.boltshuffle.rdma.link.LinkMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LinkPollerTest {

    @Test
    void itsThreadEndsAlsoWhereALinkHasNotEndedAndThatIsSaid() {
        SimPair pair = new SimPair(new SimWorld(1), SimFaults.none(), SimPair.options(LinkMode.SEND));
        LinkPoller poller = LinkPoller.start("test-poller-of-" + LinkPollerTest.class.getSimpleName());
        poller.run(pair.end(0).link());

        assertThatIllegalStateException().isThrownBy(poller::close).withMessageContaining("still had links");

        assertThat(poller.isRunning()).isFalse();
    }
}
