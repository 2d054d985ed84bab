package io.boltshuffle.cli.nearby;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.boltshuffle.cli.joining.Fingerprint;
import java.io.IOException;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Announces and looks for desks on the loopback, where other runs may do so, too. */
@Tag("slow")
class MulticastFinderTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final InetAddress loopback = InetAddress.getLoopbackAddress();
    private final MulticastFinder finder = new MulticastFinder(List.of(loopback));
    private final List<Announcement> announced = new ArrayList<>();

    private NearbyDesk desk(String name, int port) {
        byte[] chosen = new byte[32];
        new SecureRandom().nextBytes(chosen);
        return new NearbyDesk(
                name, loopback, port, new Fingerprint(HexFormat.of().formatHex(chosen)));
    }

    private void awaitFound(NearbyDesk... desks) {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(finder.find()).contains(desks));
    }

    @AfterEach
    void takeBack() {
        announced.forEach(Announcement::close);
    }

    private Announcement announce(NearbyDesk desk) throws IOException {
        Announcement announcement = Announcement.of(desk);
        announced.add(announcement);
        return announcement;
    }

    @Test
    void eachDeskThatAnnouncesItselfIsFoundUntilItTakesItBack() throws IOException {
        NearbyDesk one = desk("mac1.local", 7340);
        NearbyDesk two = desk("mac2", 7341);
        announce(one);
        Announcement second = announce(two);

        awaitFound(one, two);
        second.close();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(finder.find()).contains(one).doesNotContain(two));
    }

    /** Somebody who copies a fingerprint is a second machine, which the user has to tell from the first. */
    @Test
    void anotherMachineWithTheSameFingerprintIsNotTakenForTheFirst() throws IOException {
        NearbyDesk real = desk("mac1.local", 7340);
        NearbyDesk copy = new NearbyDesk("mac1.local", loopback, 7999, real.fingerprint());
        announce(real);
        announce(copy);

        awaitFound(real, copy);
    }

    @Test
    void whereNoNetworkCarriesMulticastNothingIsFoundAtOnce() {
        long begunNanos = System.nanoTime();

        assertThat(new MulticastFinder(List.of()).find()).isEmpty();
        assertThat(Duration.ofNanos(System.nanoTime() - begunNanos)).isLessThan(Duration.ofSeconds(2));
    }

    @Test
    void theLoopbackIsNoNetworkToAnnounceIn() {
        assertThat(MulticastNetworks.has(loopback)).isFalse();
        assertThat(MulticastNetworks.own())
                .doesNotContain(loopback)
                .allSatisfy(own -> assertThat(MulticastNetworks.has(own)).isTrue());
    }
}
