package io.boltshuffle.agent.watch;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says that the agent may have few files and sockets open, or has nearly as many as it may: what it cannot open goes by
 * TCP.
 *
 * <p><b>Threads:</b> confined to one.
 */
public final class DescriptorWatch {

    private static final Logger LOG = LoggerFactory.getLogger(DescriptorWatch.class);

    /** Enough for the executors of a host, for its peers, and for the map outputs that are kept open. */
    static final long ENOUGH = 1024;

    private static final int EIGHTHS = 8;

    private final String host;
    private final long most;
    private final LongSupplier open;
    private boolean said;

    DescriptorWatch(String host, long most, LongSupplier open) {
        this.host = host;
        this.most = most;
        this.open = open;
        if (most < ENOUGH) {
            LOG.warn(
                    "the agent of {} may have {} files and sockets open, which is few: blocks go by TCP when they are "
                            + "used up; raise the limit to {} (ulimit -n) where the executors start",
                    host,
                    most,
                    ENOUGH);
        }
    }

    public static DescriptorWatch ofProcess(String host) {
        UnixOperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(UnixOperatingSystemMXBean.class);
        return new DescriptorWatch(host, system.getMaxFileDescriptorCount(), system::getOpenFileDescriptorCount);
    }

    /** Says that hardly any are left, once for as long as that lasts. */
    public void look() {
        long now = open.getAsLong();
        if (!said && now > most / EIGHTHS * (EIGHTHS - 1)) {
            said = true;
            LOG.warn(
                    "the agent of {} has {} of the {} files and sockets open that it may have: blocks go by TCP when "
                            + "they are used up; raise that limit (ulimit -n)",
                    host,
                    now,
                    most);
        } else if (now < most / EIGHTHS * (EIGHTHS - 2)) {
            said = false;
        }
    }
}
