package io.boltshuffle.rdma.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.rdma.VerbsException;
import io.boltshuffle.rdma.verbs.Errno.Platform;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ErrorGuideTest {

    /** The symptoms of the contract page, by the numbers people see in logs. */
    @ParameterizedTest
    @CsvSource({
        "MODIFY_QP_RTR, 22, EINVAL, bridge",
        "MODIFY_QP_RTR, 60, ETIMEDOUT, not reachable on this cable",
        "MODIFY_QP_RTR, 16, EBUSY, receive queue",
        "MODIFY_QP_RTR, 96, ENODATA, exhausted",
        "MODIFY_QP_RTR, 14, EFAULT, too much memory",
        "CREATE_QP, 16, EBUSY, used up",
        "CREATE_QP, 102, EOPNOTSUPP, unreliable connected",
        "POST_SEND, 12, ENOMEM, ring is full",
        "POST_RECV, 12, ENOMEM, ring is full",
        "ALLOC_PD, 0, errno 0, port is down",
    })
    void appleSymptomsAreExplained(VerbsCall call, int errno, String name, String meaning) {
        VerbsException failure = ErrorGuide.failure(Platform.DARWIN, call, errno, "rdma_en5");

        assertThat(failure).hasMessageContainingAll(call.toString(), "rdma_en5", name, meaning);
        assertThat(failure.remedy()).isPresent();
        assertThat(failure.errno()).isEqualTo(errno);
    }

    @ParameterizedTest
    @CsvSource({
        "REG_MR, 12, ENOMEM, locked memory",
        "MODIFY_QP_RTR, 110, ETIMEDOUT, does not resolve",
        "MODIFY_QP_RTR, 22, EINVAL, MTU",
    })
    void linuxSymptomsAreExplained(VerbsCall call, int errno, String name, String meaning) {
        assertThat(ErrorGuide.failure(Platform.LINUX, call, errno, "rxe0"))
                .hasMessageContainingAll(call.toString(), "rxe0", name, meaning);
    }

    /** Linux means other things by these numbers. */
    @ParameterizedTest
    @ValueSource(ints = {14, 16, 96})
    void onlyApplesFailuresToConnectNeedARestart(int errno) {
        assertThat(ErrorGuide.failure(Platform.DARWIN, VerbsCall.MODIFY_QP_RTR, errno, "rdma_en5")
                        .isRestartNeeded())
                .isTrue();
        assertThat(ErrorGuide.failure(Platform.LINUX, VerbsCall.MODIFY_QP_RTR, errno, "rxe0")
                        .isRestartNeeded())
                .isFalse();
        assertThat(ErrorGuide.failure(Platform.DARWIN, VerbsCall.CREATE_QP, errno, "rdma_en5")
                        .isRestartNeeded())
                .isFalse();
    }

    @Test
    void anUnknownCodeIsStillNamed() {
        VerbsException failure = ErrorGuide.failure(Platform.LINUX, VerbsCall.CREATE_CQ, 9999, "rxe0");

        assertThat(failure).hasMessage("ibv_create_cq on rxe0 failed: errno 9999");
        assertThat(failure.remedy()).isEmpty();
    }

    @Test
    void theNumbersOfOnePlatformAreNotReadAsTheOthers() {
        assertThat(Errno.of(Platform.LINUX, 110)).contains(Errno.ETIMEDOUT);
        assertThat(Errno.of(Platform.DARWIN, 60)).contains(Errno.ETIMEDOUT);
        assertThat(Errno.of(Platform.LINUX, 60)).isEmpty();
        assertThat(Errno.of(Platform.DARWIN, 45)).contains(Errno.ENOTSUP);
        assertThat(Errno.of(Platform.LINUX, 95)).contains(Errno.EOPNOTSUPP);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "22, 22", "-12, 12"})
    void bothSignsOfAReturnedErrnoMeanTheSame(int returned, int errno) {
        assertThat(Errno.fromReturn(returned)).isEqualTo(errno);
    }
}
