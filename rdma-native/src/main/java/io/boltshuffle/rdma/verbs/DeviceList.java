package io.boltshuffle.rdma.verbs;

import com.sun.jna.Pointer;
import io.boltshuffle.rdma.VerbsException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The list of the devices that are present at one moment.
 *
 * <p><b>Ownership:</b> closing frees the native list; opened devices outlive it.
 */
final class DeviceList implements AutoCloseable {

    private final LoadedLibrary library;
    private final @Nullable Pointer list;
    private final int count;

    private DeviceList(LoadedLibrary library, @Nullable Pointer list, int count) {
        this.library = library;
        this.list = list;
        this.count = count;
    }

    static DeviceList read(LoadedLibrary library, CallMemory memory) throws VerbsException {
        NativeBlock count = memory.allocate(Integer.BYTES);
        Pointer list = library.functions().ibv_get_device_list(count.pointer());
        if (list != null) {
            return new DeviceList(library, list, count.bytes().getInt(0));
        }
        VerbsException failure = library.lastFailure(VerbsCall.GET_DEVICE_LIST, library.name());
        if (failure.errno() == Errno.ENOSYS.number(library.platform())) {
            return new DeviceList(library, null, 0); // a kernel without user verbs has no devices
        }
        throw failure;
    }

    List<String> names() {
        List<String> names = new ArrayList<>();
        for (Pointer device : devices()) {
            String name = library.functions().ibv_get_device_name(device);
            if (name != null) {
                names.add(name);
            }
        }
        return List.copyOf(names);
    }

    Pointer open(String name) throws VerbsException {
        for (Pointer device : devices()) {
            if (name.equals(library.functions().ibv_get_device_name(device))) {
                Pointer context = library.functions().ibv_open_device(device);
                if (context == null) {
                    throw library.lastFailure(VerbsCall.OPEN_DEVICE, name);
                }
                return context;
            }
        }
        throw new VerbsException(
                "no device named " + name + " in " + library.name() + "; present: " + names(),
                VerbsCall.OPEN_DEVICE.toString(),
                0,
                "list the devices again: names change after a cable is re-plugged");
    }

    private Pointer[] devices() {
        Pointer present = list;
        return present == null ? new Pointer[0] : present.getPointerArray(0, count);
    }

    @Override
    public void close() {
        Pointer present = list;
        if (present != null) {
            library.functions().ibv_free_device_list(present);
        }
    }
}
