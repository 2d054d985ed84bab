package io.boltshuffle.agent;

import io.boltshuffle.agent.cable.PortsFactory;
import io.boltshuffle.agent.output.Outputs;
import io.boltshuffle.conf.ByteFigures;
import io.boltshuffle.rdma.memory.LeasePool;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A slab that is for fetches and for map outputs. Where less has to be registered, outputs give up half of their memory
 * at a time: their files have all they need, and fetches have nothing else.
 *
 * <p><b>Invariant:</b> the memory that outputs give up lies at the end of the slab. Nobody can lease it from then on,
 * and devices do not register it once nobody uses it.
 *
 * <p><b>Threads:</b> any.
 */
final class SharedWithOutputs implements PortsFactory.RegisteredMemory {

    private static final Logger LOG = LoggerFactory.getLogger(SharedWithOutputs.class);

    private final LeasePool pool;
    private final Outputs outputs;

    SharedWithOutputs(LeasePool pool, Outputs outputs) {
        this.pool = pool;
        this.outputs = outputs;
    }

    @Override
    public synchronized long bytes() throws IOException {
        if (pool.isUsedBeyondEnd()) {
            throw new IOException("memory for map outputs is being given up, and some of it is in use still");
        }
        return pool.endBytes();
    }

    @Override
    public synchronized boolean giveUp(long registeredBytes) {
        long before = pool.endBytes();
        if (registeredBytes > before) {
            return true; // less is registered next time anyway
        }
        long given = outputs.giveUpHalf();
        if (given == 0) {
            return false;
        }
        pool.endAt(before - given);
        outputs.endAt(before - given);
        LOG.warn(
                "a device does not connect with {} of memory registered: {} of those for map outputs are given up until"
                        + " the agent is started again",
                ByteFigures.bytes(registeredBytes),
                ByteFigures.bytes(given));
        return true;
    }
}
