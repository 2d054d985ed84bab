package io.boltshuffle.rdma.link.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.boltshuffle.rdma.link.LinkMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LinkPollerTest {

    private static final String THREAD = "test-poller-of-" + LinkPollerTest.class.getSimpleName();

    @Test
    void itsThreadEndsAlsoWhereALinkHasNotEndedAndThatIsSaid() {
        SimPair pair = new SimPair(new SimWorld(1), SimFaults.none(), SimPair.options(LinkMode.SEND));
        LinkPoller poller = LinkPoller.start(THREAD);
        poller.run(pair.end(0).link());

        assertThatIllegalStateException().isThrownBy(poller::close).withMessageContaining("still had links");

        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .doesNotContain(THREAD);
    }
}
