package io.boltshuffle.agent.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;

class GreetingSlotsTest {

    private final GreetingSlots<Integer> slots = new GreetingSlots<>();
    private int next;

    @Test
    void theOldestOfAnAddressMakesRoomForTheNextOfIt() throws Exception {
        InetAddress host = address(1, 1);
        for (int i = 0; i < GreetingSlots.FROM_ONE_ADDRESS; i++) {
            assertThat(slots.take(next++, host)).isEmpty();
        }
        assertThat(slots.take(next++, host)).contains(0);
        assertThat(slots.take(next++, host)).contains(1);
        assertThat(slots.take(next++, address(1, 2))).isEmpty();
    }

    @Test
    void whatIsReleasedIsFree() throws Exception {
        InetAddress host = address(1, 1);
        for (int i = 0; i < 3 * GreetingSlots.FROM_ONE_ADDRESS; i++) {
            assertThat(slots.take(i, host)).isEmpty();
            slots.release(i);
        }
    }

    @Test
    void strangersFromManyAddressesTakeEachOthersPlacesAndNeverThoseOfHostsThatAreKnown() throws Exception {
        InetAddress known = address(2, 1);
        slots.know("mac2", List.of(known));
        int ofKnown = next++;
        assertThat(slots.take(ofKnown, known)).isEmpty();
        for (int i = 0; i < GreetingSlots.FROM_STRANGERS; i++) {
            assertThat(slots.take(next++, address(1, i))).isEmpty();
        }
        for (int i = 0; i < GreetingSlots.FROM_STRANGERS; i++) {
            assertThat(slots.take(next++, address(3, i))).isPresent().get().isNotEqualTo(ofKnown);
        }
        assertThat(slots.take(next++, known)).as("room of a known host").isEmpty();
        slots.forget("mac2");
        assertThat(slots.take(next++, address(4, 1))).contains(ofKnown);
    }

    private static InetAddress address(int network, int host) throws UnknownHostException {
        return InetAddress.getByAddress(new byte[] {10, 0, (byte) network, (byte) host});
    }
}
