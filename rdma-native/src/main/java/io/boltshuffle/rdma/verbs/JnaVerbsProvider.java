package io.boltshuffle.rdma.verbs;

import com.sun.jna.Pointer;
import io.boltshuffle.rdma.Availability;
import io.boltshuffle.rdma.Device;
import io.boltshuffle.rdma.VerbsException;
import io.boltshuffle.rdma.VerbsProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Verbs through JNA: the library of this host's operating system, or the one file the caller names. Nothing else is ever
 * tried, so an emulator is never chosen silently.
 *
 * <p><b>Threads:</b> safe for use by many. Every call that may hang is made on a control thread, one for listing and one for
 * each open device.
 */
public final class JnaVerbsProvider implements VerbsProvider {

    /** Longer than any registration or state change seen to succeed. */
    public static final Duration DEFAULT_CONTROL_TIMEOUT = Duration.ofSeconds(30);

    private final LibrarySource source;
    private final Duration controlTimeout;
    private final ControlThread listing;

    /** Null until somebody asks. */
    private LibrarySource.@Nullable Outcome outcome;

    private JnaVerbsProvider(LibrarySource source, Duration controlTimeout) {
        this.source = source;
        this.controlTimeout = controlTimeout;
        this.listing = new ControlThread(source.name(), controlTimeout);
    }

    /** {@code librdma.dylib} on macOS, {@code libibverbs.so.1} elsewhere. */
    public static JnaVerbsProvider ofThisHost() {
        return new JnaVerbsProvider(LibrarySource.ofThisHost(), DEFAULT_CONTROL_TIMEOUT);
    }

    /** The library in this file, such as the virtual Thunderbolt's. */
    public static JnaVerbsProvider ofFile(Path file) {
        return new JnaVerbsProvider(LibrarySource.ofFile(file), DEFAULT_CONTROL_TIMEOUT);
    }

    /** The same library with another limit on the time of one control call. */
    public JnaVerbsProvider withControlTimeout(Duration timeout) {
        return new JnaVerbsProvider(source, timeout);
    }

    @Override
    public String name() {
        return source.name();
    }

    @Override
    public Availability availability() {
        return outcome().availability();
    }

    private synchronized LibrarySource.Outcome outcome() {
        if (outcome == null) {
            outcome = source.load();
        }
        return outcome;
    }

    private LoadedLibrary library() throws VerbsException {
        return outcome().libraryOrThrow();
    }

    @Override
    public List<String> deviceNames() throws VerbsException {
        LoadedLibrary library = library();
        return listing.call(VerbsCall.GET_DEVICE_LIST, () -> {
            try (DeviceList devices = DeviceList.read(library)) {
                return devices.names();
            }
        });
    }

    @Override
    public Device open(String deviceName) throws VerbsException {
        LoadedLibrary library = library();
        ControlThread control = new ControlThread(deviceName, controlTimeout);
        try {
            Pointer context = control.call(VerbsCall.OPEN_DEVICE, () -> {
                try (DeviceList devices = DeviceList.read(library)) {
                    return devices.open(deviceName);
                }
            });
            return new JnaDevice(library, control, deviceName, context);
        } catch (VerbsException e) {
            control.close();
            throw e;
        }
    }

    /**
     * The device list of one moment.
     *
     * <p><b>Ownership:</b> closing frees the native list; opened devices outlive it.
     */
    private static final class DeviceList implements AutoCloseable {

        private final LoadedLibrary library;
        private final @Nullable Pointer list;
        private final int count;

        private DeviceList(LoadedLibrary library, @Nullable Pointer list, int count) {
            this.library = library;
            this.list = list;
            this.count = count;
        }

        static DeviceList read(LoadedLibrary library) throws VerbsException {
            try (NativeBlock count = new NativeBlock(Integer.BYTES)) {
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
}
