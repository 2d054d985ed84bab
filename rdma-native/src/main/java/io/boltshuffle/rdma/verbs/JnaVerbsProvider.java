package io.boltshuffle.rdma.verbs;

import com.sun.jna.Pointer;
import io.boltshuffle.rdma.Availability;
import io.boltshuffle.rdma.Device;
import io.boltshuffle.rdma.DeviceStuckException;
import io.boltshuffle.rdma.LinkLayer;
import io.boltshuffle.rdma.VerbsException;
import io.boltshuffle.rdma.VerbsProvider;
import io.boltshuffle.rdma.verbs.Errno.Platform;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Provides verbs through JNA, with the library of this host's operating system or the one file that the caller names.
 * It never tries another library, so an emulator is never chosen silently.
 *
 * <p><b>Threads:</b> safe for use by many. Every call that may hang is made on a control thread; there is one for
 * listing and one for each open device. A device in which a call hangs is not opened again before that call has
 * returned.
 */
public final class JnaVerbsProvider implements VerbsProvider {

    /** This is longer than any successful registration or state change known so far. */
    public static final Duration DEFAULT_CONTROL_TIMEOUT = Duration.ofSeconds(30);

    private static final int FIRST_PORT = 1;

    private final LibrarySource source;
    private final Duration controlTimeout;
    private final ControlThread listing;

    /** The control threads of each device's open contexts: a device may be opened for a look while it is in use. */
    private final Map<String, Set<ControlThread>> inUse = new HashMap<>();

    /** The outcome is null until the first question. */
    private LibrarySource.@Nullable Outcome outcome;

    private JnaVerbsProvider(LibrarySource source, Duration controlTimeout) {
        this.source = source;
        this.controlTimeout = controlTimeout;
        this.listing = new ControlThread(source.name(), controlTimeout);
    }

    /** Returns {@code librdma.dylib} on macOS, {@code libibverbs.so.1} elsewhere. */
    public static JnaVerbsProvider ofThisHost() {
        return new JnaVerbsProvider(LibrarySource.ofThisHost(), DEFAULT_CONTROL_TIMEOUT);
    }

    /** Returns the library in this file, such as that of virtual Thunderbolt. */
    public static JnaVerbsProvider ofFile(Path file) {
        return new JnaVerbsProvider(LibrarySource.ofFile(file), DEFAULT_CONTROL_TIMEOUT);
    }

    /** Returns the same library with another limit on the time of one control call. */
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
        return listing.call(VerbsCall.GET_DEVICE_LIST, memory -> {
            try (DeviceList devices = DeviceList.read(library, memory)) {
                return devices.names();
            }
        });
    }

    @Override
    public Device open(String deviceName) throws VerbsException {
        LoadedLibrary library = library();
        ControlThread control = newControl(deviceName);
        try {
            Pointer context = control.call(
                    VerbsCall.OPEN_DEVICE,
                    memory -> {
                        try (DeviceList devices = DeviceList.read(library, memory)) {
                            return devices.open(deviceName);
                        }
                    },
                    made -> close(library, deviceName, made));
            return opened(library, control, deviceName, context);
        } catch (VerbsException e) {
            control.close();
            throw e;
        }
    }

    /**
     * Makes the control thread of a device. A device on which a call hangs is not opened anew: each try could leave
     * another thread in it for ever.
     */
    private synchronized ControlThread newControl(String deviceName) throws DeviceStuckException {
        Set<ControlThread> ofDevice = inUse.computeIfAbsent(deviceName, name -> new HashSet<>());
        ofDevice.removeIf(ControlThread::isOver);
        if (ofDevice.stream().anyMatch(ControlThread::isHanging)) {
            throw new DeviceStuckException(
                    VerbsCall.OPEN_DEVICE + " on " + deviceName + " not made: an earlier call on it has not returned",
                    VerbsCall.OPEN_DEVICE.toString(),
                    /* underWay= */ false);
        }
        ControlThread control = new ControlThread(deviceName, controlTimeout);
        ofDevice.add(control);
        return control;
    }

    private static void close(LoadedLibrary library, String deviceName, Pointer context) throws VerbsException {
        int returned = library.functions().ibv_close_device(context);
        if (returned != 0) {
            throw library.failure(VerbsCall.CLOSE_DEVICE, returned, deviceName);
        }
    }

    /**
     * A Thunderbolt device speaks Darwin's error numbers wherever it runs: Apple's provider is the only kind there is.
     */
    private static Device opened(LoadedLibrary library, ControlThread control, String name, Pointer context)
            throws VerbsException {
        JnaDevice device = new JnaDevice(library, control, name, context);
        try {
            if (library.platform() == Platform.DARWIN
                    || device.queryPort(FIRST_PORT).linkLayer() != LinkLayer.THUNDERBOLT) {
                return device;
            }
        } catch (VerbsException e) {
            try {
                device.close();
            } catch (VerbsException suppressed) {
                e.addSuppressed(suppressed);
            }
            throw e;
        }
        return new JnaDevice(library.speaking(Platform.DARWIN), control, name, context);
    }
}
