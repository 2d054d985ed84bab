package io.boltshuffle.spark.fetch;

import io.boltshuffle.client.ArrivedBytes;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/**
 * Shows a buffer that is retained after its bytes went back ({@code true} while nothing is held), or whose bytes never
 * go back.
 */
@JCStressTest
@Outcome(id = "true, 1", expect = Expect.ACCEPTABLE, desc = "retained in time: held on")
@Outcome(id = "false, 0", expect = Expect.ACCEPTABLE, desc = "too late: refused")
@State
public class SlabBufferStress {

    private final ArrivedBytes arrived = new ArrivedBytes();
    private final SlabBuffer buffer = new SlabBuffer(arrived.of(1));

    @Actor
    public void reader(ZI_Result result) {
        try {
            buffer.retain();
            result.r1 = true;
        } catch (IllegalStateException e) {
            result.r1 = false;
        }
    }

    @Actor
    public void transport() {
        buffer.release();
    }

    @Arbiter
    public void after(ZI_Result result) {
        result.r2 = arrived.held();
        if (result.r1) {
            buffer.release();
        }
    }
}
