package io.boltshuffle.agent.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Shows that a name service which does not answer, or breaks, holds up no other look-up. */
@Timeout(60)
class NameLookUpsTest {

    private static final int MORE_THAN_MAY_WAIT = 300;

    @Test
    void aNameThatIsNeverAnsweredKeepsNoOtherFromBeingFound() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        try (NameLookUps names = new NameLookUps(new HostAddresses(host -> addresses(host, never)))) {
            CompletableFuture<List<InetAddress>> silent = names.find("silent");

            assertThat(names.find("known").get(30, TimeUnit.SECONDS)).containsExactly(InetAddress.getLoopbackAddress());
            assertThat(silent).isNotDone();
        }
    }

    @Test
    void namesBeyondThoseThatMayWaitAreRefusedAtOnce() {
        CountDownLatch never = new CountDownLatch(1);
        try (NameLookUps names = new NameLookUps(new HostAddresses(host -> addresses(host, never)))) {
            List<CompletableFuture<List<InetAddress>>> asked = new ArrayList<>();
            for (int i = 0; i < MORE_THAN_MAY_WAIT; i++) {
                asked.add(names.find("silent"));
            }

            assertThat(asked.get(0)).isNotDone();
            assertThatThrownBy(asked.get(MORE_THAN_MAY_WAIT - 1)::join)
                    .hasCauseInstanceOf(RejectedExecutionException.class);
        }
    }

    @Test
    void aLookUpThatBreaksIsAnswered() {
        try (NameLookUps names = new NameLookUps(new HostAddresses(host -> {
            throw new OutOfMemoryError("made by a test");
        }))) {
            assertThatThrownBy(() -> names.find("any").get(30, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(OutOfMemoryError.class);
        }
    }

    private static InetAddress[] addresses(String host, CountDownLatch never) {
        if (host.equals("silent")) {
            try {
                never.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        return new InetAddress[] {InetAddress.getLoopbackAddress()};
    }
}
