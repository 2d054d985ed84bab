package io.boltshuffle.rdma.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Pointer;
import org.junit.jupiter.api.Test;

class HandleTest {

    private final Handle handle = new Handle("an object", new Pointer(4096));

    @Test
    void whatIsReleasedStaysReleasedWhateverASecondReleaseComesTo() {
        handle.beginRelease();
        handle.beginRelease();
        handle.released();

        handle.releaseFailed();

        assertThat(handle.isReleased()).isTrue();
        assertThat(handle.beginRelease()).isNull();
    }

    @Test
    void aRefusedReleaseLeavesTheObjectInUse() {
        assertThat(handle.beginRelease()).isNotNull();
        assertThat(handle.isOpen()).isFalse();

        handle.releaseFailed();

        assertThat(handle.isOpen()).isTrue();
    }
}
