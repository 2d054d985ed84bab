package io.boltshuffle.rdma.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.jna.Callback;
import com.sun.jna.CallbackReference;
import com.sun.jna.Pointer;
import io.boltshuffle.rdma.verbs.Abi.RecvWr;
import io.boltshuffle.rdma.verbs.Abi.SendWr;
import io.boltshuffle.rdma.verbs.Abi.Sge;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Posts to a function of this test that walks the chain as a driver does. */
class WorkRequestChainTest {

    private static final long QUEUE_PAIR = 0x1234_5678_9abcL;

    /** {@code int post(struct ibv_qp *, struct ibv_wr *, struct ibv_wr **)}. */
    interface PostFunction extends Callback {
        int post(Pointer queuePair, Pointer firstRequest, Pointer badRequest);
    }

    private record Posted(long id, long address, int length, int key) {}

    private final List<Posted> posted = new ArrayList<>();
    private int answer;
    private final PostFunction driver = this::walk;
    private final long function = Pointer.nativeValue(CallbackReference.getFunctionPointer(driver));

    private int walk(Pointer queuePair, Pointer firstRequest, Pointer badRequest) {
        assertThat(Pointer.nativeValue(queuePair)).isEqualTo(QUEUE_PAIR);
        for (Pointer request = firstRequest; request != null; request = request.getPointer(SendWr.NEXT)) {
            assertThat(request.getInt(SendWr.NUM_SGE)).isEqualTo(1);
            Pointer entry = request.getPointer(SendWr.SG_LIST);
            posted.add(new Posted(
                    request.getLong(SendWr.WR_ID),
                    entry.getLong(Sge.ADDR),
                    entry.getInt(Sge.LENGTH),
                    entry.getInt(Sge.LKEY)));
        }
        badRequest.setPointer(0, firstRequest);
        return answer;
    }

    @ParameterizedTest
    @ValueSource(ints = {SendWr.SIZE, RecvWr.SIZE})
    void theDriverSeesWhatWasAppendedInOrderBatchAfterBatch(int requestBytes) {
        try (WorkRequestChain chain = new WorkRequestChain(3, requestBytes, function, QUEUE_PAIR)) {
            for (int count : new int[] {3, 1, 2, 3}) {
                posted.clear();
                List<Posted> expected = new ArrayList<>();
                for (int i = 0; i < count; i++) {
                    Posted request = new Posted(-1L - i, 0xffff_8000_0000_0000L + i, 4096 * (i + 1), 0x8000_0001 + i);
                    chain.append(request.id, request.address, request.length, request.key);
                    expected.add(request);
                }

                assertThat(chain.post()).isZero();
                assertThat(posted).isEqualTo(expected);
                assertThat(chain.count()).isZero();
            }
        }
    }

    @Test
    void aRefusedPostKeepsItsRequestsAndTellsTheCode() {
        try (WorkRequestChain chain = new WorkRequestChain(2, SendWr.SIZE, function, QUEUE_PAIR)) {
            chain.append(1, 4096, 1, 1);
            answer = -12;

            assertThat(chain.post()).isEqualTo(-12);
            assertThat(chain.count()).isEqualTo(1);
        }
    }

    @Test
    void anEmptyBatchIsNotPosted() {
        try (WorkRequestChain chain = new WorkRequestChain(2, SendWr.SIZE, function, QUEUE_PAIR)) {
            answer = -12;

            assertThat(chain.post()).isZero();
            assertThat(posted).isEmpty();
        }
    }

    @Test
    void aFullBatchAndAnEmptyMessageAreRefused() {
        try (WorkRequestChain chain = new WorkRequestChain(1, SendWr.SIZE, function, QUEUE_PAIR)) {
            assertThatThrownBy(() -> chain.append(1, 4096, 0, 1)).isInstanceOf(IllegalArgumentException.class);
            chain.append(1, 4096, 1, 1);
            assertThatThrownBy(() -> chain.append(2, 4096, 1, 1)).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void aClosedBatchThrowsInsteadOfTouchingFreedMemory() {
        WorkRequestChain chain = new WorkRequestChain(1, SendWr.SIZE, function, QUEUE_PAIR);
        chain.close();

        assertThatThrownBy(() -> chain.append(1, 4096, 1, 1)).isInstanceOf(IndexOutOfBoundsException.class);
    }
}
