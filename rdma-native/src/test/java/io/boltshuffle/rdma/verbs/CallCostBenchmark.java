package io.boltshuffle.rdma.verbs;

import com.sun.jna.Function;
import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Shows what one call of a native function with the shape of {@code ibv_post_send} costs by each way JNA has. The
 * function is {@code memcmp} of 8 bytes, which itself costs next to nothing.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class CallCostBenchmark {

    private static final long LENGTH = 8;

    /** Interface mapping, as control calls are made. */
    public interface CLibrary extends Library {
        int memcmp(Pointer left, Pointer right, long length);
    }

    private static final class DirectMapped {
        static {
            Native.register(DirectMapped.class, NativeLibrary.getInstance("c"));
        }

        static native int memcmp(long left, long right, long length);
    }

    /** Direct mapping of a function pointer: the library's symbol provider answers its address for any name. */
    private static final class DirectMappedPointer {
        static {
            long address = Pointer.nativeValue(NativeLibrary.getInstance("c").getFunction("memcmp"));
            Native.register(
                    DirectMappedPointer.class,
                    NativeLibrary.getInstance("c", Map.of(Library.OPTION_SYMBOL_PROVIDER, symbolProvider(address))));
        }

        private static com.sun.jna.SymbolProvider symbolProvider(long address) {
            return (handle, name, parent) -> address;
        }

        static native int table_call(long left, long right, long length);
    }

    private final NativeBlock left = new NativeBlock(8);
    private final NativeBlock right = new NativeBlock(8);
    private final CLibrary interfaceMapped = Native.load("c", CLibrary.class);
    private final Function function = NativeLibrary.getInstance("c").getFunction("memcmp");
    private final TableCall tableCall =
            TableCall.post(Pointer.nativeValue(function), left.address(), right.address(), LENGTH);

    @TearDown
    public void free() {
        tableCall.close();
        left.close();
        right.close();
    }

    @Benchmark
    public int preparedCall() {
        return tableCall.invoke();
    }

    @Benchmark
    public int directMapped() {
        return DirectMapped.memcmp(left.address(), right.address(), LENGTH);
    }

    @Benchmark
    public int directMappedPointer() {
        return DirectMappedPointer.table_call(left.address(), right.address(), LENGTH);
    }

    @Benchmark
    public int interfaceMapped() {
        return interfaceMapped.memcmp(left.pointer(), right.pointer(), LENGTH);
    }

    @Benchmark
    public int functionInvoke() {
        return function.invokeInt(new Object[] {left.pointer(), right.pointer(), LENGTH});
    }
}
