package io.boltshuffle.rdma.link;

import io.boltshuffle.rdma.Device;
import io.boltshuffle.rdma.PortState;
import io.boltshuffle.rdma.ProtectionDomain;
import io.boltshuffle.rdma.VerbsException;
import io.boltshuffle.rdma.VerbsProvider;
import java.io.Closeable;
import java.util.concurrent.Executor;

/**
 * An open device with an ACTIVE port and a protection domain, on which memory is registered once and links are built.
 *
 * <p><b>Ownership:</b> close the links first, then the registrations, then this. After a cable was pulled the device is
 * dead: close all and open again, by a name found anew.
 *
 * <p><b>Threads:</b> {@link #open} and {@link #close} make control calls, which may take long.
 */
public final class LinkDevice implements Closeable {

    private final Device device;
    private final int port;
    private final ProtectionDomain protectionDomain;
    private final Executor control;

    private LinkDevice(Device device, int port, ProtectionDomain protectionDomain, Executor control) {
        this.device = device;
        this.port = port;
        this.protectionDomain = protectionDomain;
        this.control = control;
    }

    /**
     * @param port from 1
     * @param control runs the control calls of all links on this device, one after the other
     * @throws VerbsException if the device refuses, or its port is not ACTIVE
     */
    public static LinkDevice open(VerbsProvider provider, String name, int port, Executor control)
            throws VerbsException {
        Device device = provider.open(name);
        try {
            checkActive(device, port);
            return new LinkDevice(device, port, device.allocateProtectionDomain(), control);
        } catch (VerbsException e) {
            closeAfter(e, device);
            throw e;
        }
    }

    private static void checkActive(Device device, int port) throws VerbsException {
        PortState state = device.queryPort(port).state();
        if (state != PortState.ACTIVE) {
            throw new VerbsException(
                    device.name() + " port " + port + " is " + state
                            + ", not ACTIVE: check the cable and that the peer is awake",
                    "ibv_query_port",
                    0);
        }
    }

    private static void closeAfter(VerbsException failure, Device device) {
        try {
            device.close();
        } catch (VerbsException e) {
            failure.addSuppressed(e);
        }
    }

    /**
     * Looks at the port. A control call.
     *
     * @throws VerbsException if it is not ACTIVE any more, or cannot be looked at
     */
    public void checkActive() throws VerbsException {
        checkActive(device, port);
    }

    public Device device() {
        return device;
    }

    public int port() {
        return port;
    }

    /** Memory that links on this device use must be registered with it. */
    public ProtectionDomain protectionDomain() {
        return protectionDomain;
    }

    public Executor control() {
        return control;
    }

    @Override
    public void close() throws VerbsException {
        protectionDomain.close();
        device.close();
    }
}
