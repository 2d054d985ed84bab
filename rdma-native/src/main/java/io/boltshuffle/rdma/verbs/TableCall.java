package io.boltshuffle.rdma.verbs;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;

/**
 * A prepared call of one function from a context's table with fixed arguments. {@code post_send}, {@code post_recv} and
 * {@code poll_cq} always pass the same three values for the same queue and buffer. The arguments are therefore written
 * once, and a call is one {@code ffi_call} without allocation or conversion.
 *
 * <p>This is the cheapest call that JNA has. It takes any function address, so devices of several providers with
 * several tables can be open at once; see {@code docs/verbs-contract.md#call-cost} for the cost of the alternatives.
 *
 * <p><b>Threads:</b> confined to the thread that owns the queue, because the result is written into this object's
 * memory.
 */
final class TableCall implements AutoCloseable {

    private static final int RESULT = 0;
    private static final int VALUES = 8;
    private static final int POINTERS = VALUES + 3 * Long.BYTES;
    private static final int SIZE = POINTERS + 3 * Long.BYTES;

    private final long callInterface;
    private final long function;
    private final NativeBlock block = new NativeBlock(SIZE);

    private TableCall(long callInterface, long function, long first, long second, long third) {
        this.callInterface = callInterface;
        this.function = function;
        ByteBuffer bytes = block.bytes();
        long[] values = {first, second, third};
        for (int i = 0; i < values.length; i++) {
            int value = VALUES + i * Long.BYTES;
            bytes.putLong(value, values[i]);
            bytes.putLong(POINTERS + i * Long.BYTES, block.address() + value);
        }
    }

    /** {@code int post(struct ibv_qp *, struct ibv_..._wr *, struct ibv_..._wr **)}. */
    static TableCall post(long function, long queuePair, long firstRequest, long badRequest) {
        return new TableCall(CallInterfaces.POST, function, queuePair, firstRequest, badRequest);
    }

    /** {@code int poll_cq(struct ibv_cq *, int, struct ibv_wc *)}. */
    static TableCall poll(long function, long completionQueue, int entries, long completions) {
        return new TableCall(CallInterfaces.POLL, function, completionQueue, entries, completions);
    }

    /** Prepares the call interfaces, so that a JNA that cannot do it is detected at load time. */
    static void prepare() {
        if (CallInterfaces.POST == 0 || CallInterfaces.POLL == 0) {
            throw new UnsatisfiedLinkError("JNA could not prepare the call interfaces");
        }
    }

    int invoke() {
        Native.ffi_call(callInterface, function, block.address() + RESULT, block.address() + POINTERS);
        return block.bytes().getInt(RESULT);
    }

    @Override
    public void close() {
        block.close();
    }

    /** libffi's descriptions of the two signatures. They live as long as the process. */
    private static final class CallInterfaces {

        private static final int DEFAULT_CONVENTION = 0;
        private static final short FFI_TYPE_SINT32 = 10;
        private static final short FFI_TYPE_POINTER = 14;
        private static final Memory INT = type(Integer.BYTES, FFI_TYPE_SINT32);
        private static final Memory POINTER = type(Long.BYTES, FFI_TYPE_POINTER);
        private static final Memory POST_ARGUMENTS = list(POINTER, POINTER, POINTER);
        private static final Memory POLL_ARGUMENTS = list(POINTER, INT, POINTER);

        static final long POST = prepare(POST_ARGUMENTS);
        static final long POLL = prepare(POLL_ARGUMENTS);

        private static long prepare(Memory arguments) {
            return Native.ffi_prep_cif(DEFAULT_CONVENTION, 3, Pointer.nativeValue(INT), Pointer.nativeValue(arguments));
        }

        /** {@code ffi_type {size_t size; unsigned short alignment; unsigned short type; ffi_type **elements;}}. */
        private static Memory type(int size, short code) {
            Memory type = new Memory(24);
            type.clear();
            type.setLong(0, size);
            type.setShort(8, (short) size);
            type.setShort(10, code);
            return type;
        }

        private static Memory list(Memory... types) {
            Memory list = new Memory((long) types.length * Long.BYTES);
            for (int i = 0; i < types.length; i++) {
                list.setPointer((long) i * Long.BYTES, types[i]);
            }
            return list;
        }
    }
}
