package io.boltshuffle.rdma.verbs;

import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.Platform;
import com.sun.jna.Pointer;
import io.boltshuffle.rdma.CompletionQueue;
import io.boltshuffle.rdma.CompletionWait;
import io.boltshuffle.rdma.VerbsException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sleeps in one {@code ppoll} on the completion channels of several queues and on an {@code eventfd}, by which other
 * threads wake it. For Linux alone: Apple's devices have no completion channels.
 */
final class DescriptorWait implements CompletionWait {

    private static final int EFD_NONBLOCK = 0x800;
    private static final int EFD_CLOEXEC = 0x80000;
    private static final int EINTR = 4;
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    /** {@code struct pollfd {int fd; short events; short revents;}}. */
    private static final int POLLFD = 8;

    private static final int POLLFD_EVENTS = 4;
    private static final int POLLFD_REVENTS = 6;
    private static final short POLLIN = 1;

    /** {@code struct timespec {time_t tv_sec; long tv_nsec;}}. */
    private static final int TIMESPEC = 2 * Long.BYTES;

    @SuppressWarnings("MemberName") // C names, verbatim
    private interface LibC extends Library {

        int eventfd(int initial, int flags);

        int ppoll(Pointer descriptors, long count, Pointer timeout, @Nullable Pointer signals);

        long read(int descriptor, Pointer into, long bytes);

        long write(int descriptor, Pointer from, long bytes);

        int close(int descriptor);
    }

    /** Loads on first use. */
    private static final class Loaded {
        static final LibC LIB_C = Native.load(Platform.C_LIBRARY_NAME, LibC.class);
    }

    private final LibC libC = Loaded.LIB_C;
    private final int wakeDescriptor;
    private final List<JnaCompletionQueue> queues = new ArrayList<>();
    private final NativeBlock timeout = new NativeBlock(TIMESPEC);
    private final NativeBlock count = new NativeBlock(Long.BYTES);
    private final NativeBlock one = new NativeBlock(Long.BYTES);
    private NativeBlock descriptors = new NativeBlock(2 * POLLFD);
    private int room = 2;
    private boolean closed;

    private DescriptorWait(int wakeDescriptor) {
        this.wakeDescriptor = wakeDescriptor;
        one.bytes().putLong(0, 1);
    }

    static DescriptorWait open() throws VerbsException {
        int descriptor = Loaded.LIB_C.eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
        if (descriptor < 0) {
            throw failure("eventfd", Native.getLastError());
        }
        return new DescriptorWait(descriptor);
    }

    @Override
    public void await(Iterable<? extends CompletionQueue> armed, long nanos) throws VerbsException {
        queues.clear();
        for (CompletionQueue queue : armed) {
            if (!(queue instanceof JnaCompletionQueue ours)) {
                throw new IllegalArgumentException("a completion queue of another library");
            }
            queues.add(ours);
        }
        fill();
        ByteBuffer limit = timeout.bytes();
        limit.putLong(0, nanos / NANOS_PER_SECOND).putLong(Long.BYTES, nanos % NANOS_PER_SECOND);
        int ready = libC.ppoll(descriptors.pointer(), 1L + queues.size(), timeout.pointer(), null);
        if (ready < 0) {
            int code = Native.getLastError();
            if (code != EINTR) {
                throw failure("ppoll", code);
            }
        } else if (ready > 0) {
            take();
        }
    }

    /** The descriptor to wake by comes first. */
    private void fill() {
        int wanted = 1 + queues.size();
        if (wanted > room) {
            descriptors.close();
            room = 2 * wanted;
            descriptors = new NativeBlock(room * POLLFD);
        }
        put(0, wakeDescriptor);
        for (int i = 0; i < queues.size(); i++) {
            put(1 + i, queues.get(i).descriptor());
        }
    }

    private void put(int index, int descriptor) {
        descriptors
                .bytes()
                .putInt(index * POLLFD, descriptor)
                .putShort(index * POLLFD + POLLFD_EVENTS, POLLIN)
                .putShort(index * POLLFD + POLLFD_REVENTS, (short) 0);
    }

    private short said(int index) {
        return descriptors.bytes().getShort(index * POLLFD + POLLFD_REVENTS);
    }

    private void take() throws VerbsException {
        if (said(0) != 0) {
            // Sets the counter to 0. Another thread may be about to add to it: that ends the next sleep.
            libC.read(wakeDescriptor, count.pointer(), Long.BYTES);
        }
        for (int i = 0; i < queues.size(); i++) {
            short said = said(1 + i);
            if ((said & POLLIN) != 0) {
                queues.get(i).takeAnnouncement();
            } else if (said != 0) {
                throw new VerbsException(
                        "the completion channel of " + queues.get(i).device().name() + " is gone (poll said " + said
                                + ")",
                        "ppoll",
                        0);
            }
        }
    }

    /** Ends the sleep, unless this is closed: the number of a closed descriptor may belong to another file. */
    @Override
    public synchronized void wake() {
        if (!closed) {
            // Refused only when the counter is full, and then the sleep ends anyway.
            libC.write(wakeDescriptor, one.pointer(), Long.BYTES);
        }
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            libC.close(wakeDescriptor);
            List.of(timeout, count, one, descriptors).forEach(NativeBlock::close);
        }
    }

    private static VerbsException failure(String call, int code) {
        return new VerbsException(call + " failed: errno " + code, call, code);
    }
}
