package io.boltshuffle.agent.cable;

import io.boltshuffle.conf.Options;
import io.boltshuffle.conf.Settings;
import io.boltshuffle.rdma.Availability;
import io.boltshuffle.rdma.VerbsException;
import io.boltshuffle.rdma.VerbsProvider;
import io.boltshuffle.rdma.memory.LeasePool;
import io.boltshuffle.rdma.memory.Slab;
import io.boltshuffle.rdma.verbs.JnaVerbsProvider;
import java.nio.file.Path;
import java.time.InstantSource;

/** Ports of real devices, by the verbs library of this host or the one that the settings name. */
public final class DevicePortsFactory implements PortsFactory {

    private final Settings settings;
    private final VerbsProvider provider;

    public DevicePortsFactory(Settings settings) {
        this.settings = settings;
        String library = settings.get(Options.AGENT_VERBS_LIBRARY);
        JnaVerbsProvider verbs =
                library.isEmpty() ? JnaVerbsProvider.ofThisHost() : JnaVerbsProvider.ofFile(Path.of(library));
        this.provider = verbs.withControlTimeout(
                JnaVerbsProvider.DEFAULT_CONTROL_TIMEOUT.multipliedBy(settings.get(Options.AGENT_DEADLINE_SCALE)));
    }

    @Override
    public void check() throws NoDevicesException {
        if (provider.availability() instanceof Availability.Unavailable missing) {
            throw new NoDevicesException("no RDMA on this host: " + missing.reason() + "; " + missing.remedy());
        }
        try {
            if (provider.deviceNames().isEmpty()) {
                throw new NoDevicesException("no RDMA on this host: " + provider.name() + " has no device");
            }
        } catch (VerbsException e) {
            throw new NoDevicesException("no RDMA on this host: " + e.getMessage());
        }
    }

    @Override
    public Ports create(Slab slab, LeasePool pool) {
        return new DevicePorts(provider, slab, pool, settings, InstantSource.system());
    }
}
