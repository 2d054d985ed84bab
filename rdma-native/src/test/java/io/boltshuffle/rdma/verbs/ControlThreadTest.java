package io.boltshuffle.rdma.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.boltshuffle.rdma.DeviceStuckException;
import io.boltshuffle.rdma.VerbsException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ControlThreadTest {

    private static final Duration AMPLE = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(50);

    private final CountDownLatch never = new CountDownLatch(1);
    private final AtomicInteger made = new AtomicInteger();

    @AfterEach
    void letTheHungCallGo() {
        never.countDown();
    }

    @Test
    void callsRunOnOneDaemonThreadNamedAfterTheDevice() throws Exception {
        try (ControlThread control = new ControlThread("rdma_en5", AMPLE)) {
            Thread caller = control.call(VerbsCall.ALLOC_PD, memory -> Thread.currentThread());

            assertThat(caller.isDaemon()).isTrue();
            assertThat(caller.getName()).isEqualTo("verbs-control-rdma_en5");
        }
    }

    @Test
    void aFailureReachesTheCallerUnchanged() {
        VerbsException failure = new VerbsException("refused", "ibv_reg_mr", 22);
        try (ControlThread control = new ControlThread("rdma_en5", AMPLE)) {
            assertThatThrownBy(() -> control.call(VerbsCall.REG_MR, memory -> {
                        throw failure;
                    }))
                    .isSameAs(failure);
        }
    }

    @Test
    void aHungCallIsNamedAndLaterCallsFailWithoutBeingMade() {
        try (ControlThread control = new ControlThread("rdma_en5", SHORT)) {
            assertThatThrownBy(() -> control.call(VerbsCall.DEREG_MR, memory -> hang()))
                    .isInstanceOf(DeviceStuckException.class)
                    .hasMessageContainingAll("ibv_dereg_mr", "rdma_en5", "50 ms");
            assertThatThrownBy(() -> control.call(VerbsCall.DEALLOC_PD, memory -> made.incrementAndGet()))
                    .isInstanceOf(DeviceStuckException.class)
                    .hasMessageContainingAll("ibv_dealloc_pd", "ibv_dereg_mr");
        }
        assertThat(made).hasValue(0);
    }

    @Test
    void callsAreMadeAgainOnceTheOneThatHungHasReturned() throws Exception {
        try (ControlThread control = new ControlThread("rdma_en5", SHORT)) {
            CountDownLatch heard = new CountDownLatch(1);
            DeviceStuckException stuck = catchThrowableOfType(
                    DeviceStuckException.class, () -> control.call(VerbsCall.QUERY_PORT, memory -> hang()));
            stuck.ifItSucceedsLate(heard::countDown);
            never.countDown();
            heard.await();

            int returned = control.call(VerbsCall.DESTROY_QP, memory -> made.incrementAndGet());
            assertThat(returned).isEqualTo(1);
        }
    }

    @Test
    void aReleaseIsMadeOnceTheCallThatHungHasReturned() throws Exception {
        try (ControlThread control = new ControlThread("rdma_en5", SHORT)) {
            assertThatThrownBy(() -> control.call(VerbsCall.QUERY_PORT, memory -> hang()))
                    .isInstanceOf(DeviceStuckException.class);
            CountDownLatch released = new CountDownLatch(1);
            DeviceStuckException putOff = catchThrowableOfType(
                    DeviceStuckException.class,
                    () -> control.release(VerbsCall.DEREG_MR, memory -> made.incrementAndGet()));
            assertThat(putOff).hasMessageContainingAll("ibv_dereg_mr", "not made yet", "ibv_query_port");
            putOff.ifItSucceedsLate(released::countDown);
            assertThat(made).hasValue(0);

            never.countDown();
            released.await();

            assertThat(made).hasValue(1);
        }
    }

    @Test
    void whatACallMadeTooLateIsUndoneBeforeAnyOtherCall() throws Exception {
        try (ControlThread control = new ControlThread("rdma_en5", SHORT)) {
            CountDownLatch undone = new CountDownLatch(1);
            DeviceStuckException stuck = catchThrowableOfType(
                    DeviceStuckException.class,
                    () -> control.call(VerbsCall.REG_MR, memory -> hang(), isMade -> made.incrementAndGet()));
            stuck.ifItIsUndoneLate(undone::countDown);
            assertThat(control.isHanging()).isTrue();

            never.countDown();
            undone.await();

            assertThat(made).hasValue(1);
            int next = control.call(VerbsCall.REG_MR, memory -> made.incrementAndGet(), isMade -> made.set(0));
            assertThat(next).as("what came in time is the caller's").isEqualTo(2);
        }
    }

    @Test
    void aCallThatIsRefusedLateHasMadeNothingToUndo() throws Exception {
        try (ControlThread control = new ControlThread("rdma_en5", SHORT)) {
            CountDownLatch undone = new CountDownLatch(1);
            DeviceStuckException stuck = catchThrowableOfType(
                    DeviceStuckException.class,
                    () -> control.call(
                            VerbsCall.REG_MR,
                            memory -> {
                                hang();
                                throw new VerbsException("refused", "ibv_reg_mr", 22);
                            },
                            isMade -> made.incrementAndGet()));
            stuck.ifItIsUndoneLate(undone::countDown);

            never.countDown();
            undone.await();
        }
        assertThat(made).hasValue(0);
    }

    @Test
    void aCallThatSucceedsLateIsHeardOf() throws Exception {
        try (ControlThread control = new ControlThread("rdma_en5", SHORT)) {
            CountDownLatch heard = new CountDownLatch(1);
            DeviceStuckException stuck = catchThrowableOfType(
                    DeviceStuckException.class, () -> control.call(VerbsCall.DESTROY_QP, memory -> hang()));
            stuck.ifItSucceedsLate(heard::countDown);
            assertThat(heard.getCount()).isEqualTo(1);
            never.countDown();
            heard.await();
        }
    }

    @Test
    void aCallThatFailsLateIsNotTakenForASuccess() throws Exception {
        try (ControlThread control = new ControlThread("rdma_en5", SHORT)) {
            CountDownLatch ended = new CountDownLatch(1);
            DeviceStuckException stuck = catchThrowableOfType(
                    DeviceStuckException.class,
                    () -> control.call(VerbsCall.DESTROY_QP, memory -> {
                        hang();
                        ended.countDown();
                        throw new VerbsException("refused", "ibv_destroy_qp", 16);
                    }));
            stuck.ifItSucceedsLate(made::incrementAndGet);
            never.countDown();
            ended.await();
        }
        assertThat(made).hasValue(0);
    }

    @Test
    void anInterruptedCallerStillGetsItsResultAndKeepsItsInterrupt() throws Exception {
        try (ControlThread control = new ControlThread("rdma_en5", AMPLE)) {
            Thread.currentThread().interrupt();

            int returned = control.call(VerbsCall.ALLOC_PD, memory -> made.incrementAndGet());

            assertThat(returned).isEqualTo(1);
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void aClosedDeviceRefusesCalls() {
        ControlThread control = new ControlThread("rdma_en5", AMPLE);
        control.close();

        assertThatThrownBy(() -> control.call(VerbsCall.ALLOC_PD, memory -> made.incrementAndGet()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    private boolean hang() {
        boolean interrupted = false;
        while (true) {
            try {
                never.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return true;
    }
}
