package io.boltshuffle.rdma.verbs;

import com.sun.jna.Pointer;
import io.boltshuffle.rdma.CompletionQueue;
import io.boltshuffle.rdma.Device;
import io.boltshuffle.rdma.DeviceLimits;
import io.boltshuffle.rdma.DeviceStuckException;
import io.boltshuffle.rdma.Gid;
import io.boltshuffle.rdma.GidEntry;
import io.boltshuffle.rdma.PortAttributes;
import io.boltshuffle.rdma.ProtectionDomain;
import io.boltshuffle.rdma.VerbsException;
import io.boltshuffle.rdma.verbs.Abi.DeviceAttr;
import io.boltshuffle.rdma.verbs.Abi.PortAttr;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * An open device. Everything made from it makes its control calls through this class.
 *
 * <p><b>Threads:</b> any; control calls are made one after the other on the device's control thread.
 */
final class JnaDevice implements Device {

    private final LoadedLibrary library;
    private final ControlThread control;
    private final String name;
    private final Handle context;

    JnaDevice(LoadedLibrary library, ControlThread control, String name, Pointer context) {
        this.library = library;
        this.control = control;
        this.name = name;
        this.context = new Handle("device " + name, context);
    }

    @Override
    public String name() {
        return name;
    }

    VerbsLibrary functions() {
        return library.functions();
    }

    /** Returns the exception for a failed post or poll of this device. */
    VerbsException failure(VerbsCall call, int returned) {
        return library.failure(call, returned, name);
    }

    /**
     * Makes a call that returns an object, or NULL and errno. An object that comes too late for the caller is released.
     *
     * @param undoing releases the object
     */
    Pointer create(
            VerbsCall call,
            Function<CallMemory, @Nullable Pointer> function,
            VerbsCall undoing,
            ToIntFunction<Pointer> undo)
            throws VerbsException {
        return control.call(
                call,
                memory -> {
                    Pointer created = function.apply(memory);
                    if (created == null) {
                        throw library.lastFailure(call, name);
                    }
                    return created;
                },
                made -> {
                    int returned = undo.applyAsInt(made);
                    if (returned != 0) {
                        throw failure(undoing, returned);
                    }
                });
    }

    /** Makes a call that returns 0 or an errno. */
    void run(VerbsCall call, ToIntFunction<CallMemory> function) throws VerbsException {
        control.call(call, memory -> {
            int returned = function.applyAsInt(memory);
            if (returned != 0) {
                throw failure(call, returned);
            }
            return true;
        });
    }

    /** Fills a struct and returns 0 or an errno. */
    @FunctionalInterface
    interface Query {
        int run(CallMemory memory, Pointer struct);
    }

    /**
     * Makes a call that fills a struct.
     *
     * @param read extracts the result from the filled struct
     */
    <T> T query(VerbsCall call, int structBytes, Query function, Function<ByteBuffer, T> read) throws VerbsException {
        return control.call(call, memory -> {
            NativeBlock struct = memory.allocate(structBytes);
            int returned = function.run(memory, struct.pointer());
            if (returned != 0) {
                throw failure(call, returned);
            }
            return read.apply(struct.bytes());
        });
    }

    /**
     * Releases an object by a call that returns 0 or an errno. Once it has succeeded, be it late, a second time does
     * nothing. While a call hangs, the release is put off until that has returned, and this throws.
     */
    void destroy(VerbsCall call, Handle handle, ToIntFunction<Pointer> function) throws VerbsException {
        Pointer object = handle.beginRelease();
        if (object == null) {
            return;
        }
        try {
            control.release(call, memory -> {
                // Looked at and noted in the call: one that hung may have succeeded since the release began, and object
                // would be freed twice.
                if (!handle.isReleased()) {
                    int returned = function.applyAsInt(object);
                    if (returned != 0) {
                        throw failure(call, returned);
                    }
                    handle.released();
                }
                return true;
            });
        } catch (DeviceStuckException e) {
            throw e;
        } catch (VerbsException e) {
            handle.releaseFailed();
            throw e;
        }
    }

    @Override
    public DeviceLimits limits() throws VerbsException {
        return attributes(bytes -> new DeviceLimits(
                bytes.getLong(DeviceAttr.MAX_MR_SIZE),
                bytes.getInt(DeviceAttr.MAX_QP),
                bytes.getInt(DeviceAttr.MAX_QP_WR),
                bytes.getInt(DeviceAttr.MAX_SGE),
                bytes.getInt(DeviceAttr.MAX_CQ),
                bytes.getInt(DeviceAttr.MAX_CQE),
                bytes.getInt(DeviceAttr.MAX_MR),
                bytes.getInt(DeviceAttr.MAX_PD),
                Byte.toUnsignedInt(bytes.get(DeviceAttr.PHYS_PORT_CNT))));
    }

    /** Returns how many RDMA READs a queue pair may have under way, at least 1. A device without READ reports 0. */
    int readDepth() throws VerbsException {
        return attributes(bytes -> Math.max(1, bytes.getInt(DeviceAttr.MAX_QP_RD_ATOM)));
    }

    private <T> T attributes(Function<ByteBuffer, T> read) throws VerbsException {
        return query(
                VerbsCall.QUERY_DEVICE,
                DeviceAttr.SIZE,
                (memory, struct) -> functions().ibv_query_device(context.get(), struct),
                read);
    }

    @Override
    public PortAttributes queryPort(int port) throws VerbsException {
        return query(
                VerbsCall.QUERY_PORT,
                Abi.PORT_ATTR_ROOM,
                (memory, struct) -> functions().ibv_query_port(context.get(), (byte) port, struct),
                JnaDevice::portAttributes);
    }

    private static PortAttributes portAttributes(ByteBuffer bytes) {
        return new PortAttributes(
                Codes.portState(bytes.getInt(PortAttr.STATE)),
                bytes.getInt(PortAttr.ACTIVE_MTU),
                bytes.getInt(PortAttr.GID_TBL_LEN),
                Integer.toUnsignedLong(bytes.getInt(PortAttr.MAX_MSG_SZ)),
                Short.toUnsignedInt(bytes.getShort(PortAttr.LID)),
                Codes.linkLayer(Byte.toUnsignedInt(bytes.get(PortAttr.LINK_LAYER))),
                Codes.gigabitsPerSecond(
                        Byte.toUnsignedInt(bytes.get(PortAttr.ACTIVE_WIDTH)),
                        Byte.toUnsignedInt(bytes.get(PortAttr.ACTIVE_SPEED))));
    }

    /**
     * Returns the GID table. An entry that cannot be read counts as empty, because kernels answer either zeroes or
     * EINVAL for empty entries.
     */
    @Override
    public List<GidEntry> gids(int port) throws VerbsException {
        int length = queryPort(port).gidTableLength();
        return control.call(VerbsCall.QUERY_GID, memory -> {
            List<GidEntry> found = new ArrayList<>();
            byte[] content = new byte[Gid.BYTES];
            NativeBlock gid = memory.allocate(Gid.BYTES);
            for (int index = 0; index < length; index++) {
                if (functions().ibv_query_gid(context.get(), (byte) port, index, gid.pointer()) == 0) {
                    gid.bytes().get(0, content);
                    found.add(new GidEntry(index, Gid.of(content)));
                }
            }
            if (found.isEmpty() && length > 0) {
                throw library.lastFailure(VerbsCall.QUERY_GID, name);
            }
            found.removeIf(entry -> entry.gid().isZero());
            return List.copyOf(found);
        });
    }

    @Override
    public ProtectionDomain allocateProtectionDomain() throws VerbsException {
        return new JnaProtectionDomain(
                this,
                create(
                        VerbsCall.ALLOC_PD,
                        memory -> functions().ibv_alloc_pd(context.get()),
                        VerbsCall.DEALLOC_PD,
                        functions()::ibv_dealloc_pd));
    }

    @Override
    public CompletionQueue createCompletionQueue(int entries) throws VerbsException {
        return new JnaCompletionQueue(
                this,
                create(
                        VerbsCall.CREATE_CQ,
                        memory -> functions().ibv_create_cq(context.get(), entries, null, null, 0),
                        VerbsCall.DESTROY_CQ,
                        functions()::ibv_destroy_cq));
    }

    @Override
    public void close() throws VerbsException {
        try {
            destroy(VerbsCall.CLOSE_DEVICE, context, functions()::ibv_close_device);
        } catch (DeviceStuckException e) {
            e.ifItSucceedsLate(control::close);
            throw e;
        }
        control.close();
    }
}
