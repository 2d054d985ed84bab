package io.boltshuffle.rdma.verbs;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A verbs library in Java whose calls all succeed. The buffers of one of its functions are written down, and a call of
 * that function hangs if the test wants it; when it is let go, it writes into each of its buffers.
 *
 * <p><b>Threads:</b> calls come from a control thread, the rest from the test's.
 */
final class HangingLibrary {

    /** More than any structure that the binding reads of an object. */
    private static final int OBJECT_BYTES = 512;

    private final List<Memory> objects = new ArrayList<>();
    private final List<Memory> buffers = new ArrayList<>();
    private final List<String> freedWhileInCall = new ArrayList<>();
    private final CountDownLatch letGo = new CountDownLatch(1);
    private final CountDownLatch returned = new CountDownLatch(1);
    private @Nullable String watched;
    private boolean hangs;
    private final Map<String, Integer> calls = new HashMap<>();

    VerbsLibrary functions() {
        return (VerbsLibrary) Proxy.newProxyInstance(
                VerbsLibrary.class.getClassLoader(),
                new Class<?>[] {VerbsLibrary.class},
                (proxy, method, arguments) -> call(method, arguments));
    }

    /** A zeroed native object whose members that are pointers point to itself. */
    synchronized Pointer object() {
        Memory object = new Memory(OBJECT_BYTES);
        object.clear();
        object.setPointer(Abi.Qp.CONTEXT, object);
        objects.add(object);
        return new Pointer(Pointer.nativeValue(object));
    }

    /** Writes down the buffers of this function's next calls. */
    synchronized void watch(String function) {
        watched = function;
    }

    /** Watches as {@link #watch} does; the function's next call returns only after {@link #letGo}. */
    synchronized void hangIn(String function) {
        watched = function;
        hangs = true;
    }

    void letGo() {
        letGo.countDown();
    }

    void awaitReturn(Duration limit) throws InterruptedException {
        if (!returned.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError("the call of " + watched + " has not returned");
        }
    }

    synchronized List<Memory> buffers() {
        return List.copyOf(buffers);
    }

    /** Returns how often this function was called. */
    synchronized int calls(String function) {
        return calls.getOrDefault(function, 0);
    }

    /** The buffers that were no longer the call's when it wrote into them. */
    synchronized List<String> freedWhileInCall() {
        return List.copyOf(freedWhileInCall);
    }

    private @Nullable Object call(Method method, Object[] arguments) throws InterruptedException {
        List<Memory> given = buffersAmong(arguments);
        if (noteAndSeeWhetherToHang(method, given)) {
            letGo.await();
            writeInto(given);
            returned.countDown();
        } else if (method.getName().equals("ibv_query_port")) {
            given.get(0).setInt(Abi.PortAttr.GID_TBL_LEN, 1);
        }
        return method.getReturnType() == Pointer.class ? object() : Integer.valueOf(0);
    }

    private static List<Memory> buffersAmong(Object[] arguments) {
        List<Memory> found = new ArrayList<>();
        for (Object argument : arguments) {
            if (argument instanceof Memory buffer) {
                found.add(buffer);
            }
        }
        return found;
    }

    private synchronized boolean noteAndSeeWhetherToHang(Method method, List<Memory> given) {
        calls.merge(method.getName(), 1, Integer::sum);
        if (!method.getName().equals(watched)) {
            return false;
        }
        buffers.addAll(given);
        return hangs;
    }

    private synchronized void writeInto(List<Memory> given) {
        for (Memory buffer : given) {
            if (buffer.valid()) {
                buffer.setByte(0, (byte) 0);
            } else {
                freedWhileInCall.add(buffer.toString());
            }
        }
    }
}
