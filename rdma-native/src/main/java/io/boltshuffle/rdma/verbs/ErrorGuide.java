package io.boltshuffle.rdma.verbs;

import io.boltshuffle.rdma.VerbsException;
import io.boltshuffle.rdma.verbs.Errno.Platform;
import java.util.List;
import java.util.Optional;

/**
 * Explains what a failed call means and what a person can do about it. The rows for Apple's provider come from failures
 * on real machines that others reported, see {@code docs/verbs-contract.md#symptoms}.
 */
final class ErrorGuide {

    /**
     * @param meaning the most likely cause
     * @param remedy what a person can do
     * @param restartNeeded whether only a restart of the host helps
     */
    record Symptom(
            Platform platform, VerbsCall call, Errno errno, String meaning, String remedy, boolean restartNeeded) {}

    static final List<Symptom> SYMPTOMS = List.of(
            darwin(
                    VerbsCall.MODIFY_QP_RTR,
                    Errno.EINVAL,
                    "bad or unset GID, wrong GID index, or a bridge owns the port",
                    "give the interface its own address and take it out of the Thunderbolt Bridge"),
            darwin(
                    VerbsCall.MODIFY_QP_RTR,
                    Errno.ETIMEDOUT,
                    "the peer's GID is not reachable on this cable: wrong device pair or a cold neighbour cache",
                    "check which cable joins which ports, and ping the peer over this interface first"),
            darwinUntilRestart(
                    VerbsCall.MODIFY_QP_RTR,
                    Errno.EBUSY,
                    "a stale or exhausted receive queue, left by a crash",
                    "restart this Mac; do not retry"),
            darwinUntilRestart(
                    VerbsCall.MODIFY_QP_RTR,
                    Errno.ENODATA,
                    "resources exhausted, or the link died while idle, as over night",
                    "plug the cable in again; if that does not help, restart both Macs; do not retry"),
            darwinUntilRestart(
                    VerbsCall.MODIFY_QP_RTR,
                    Errno.EFAULT,
                    "too much memory was registered since this Mac started",
                    "restart this Mac and configure a smaller slab"),
            darwin(
                    VerbsCall.CREATE_QP,
                    Errno.EBUSY,
                    "the machine's queue pairs are used up (10 on macOS 26, 3 on macOS 27), not busy",
                    "end other programs that use RDMA; leaked queue pairs come back only with a restart"),
            darwin(
                    VerbsCall.CREATE_QP,
                    Errno.EOPNOTSUPP,
                    "only unreliable connected queue pairs exist on Thunderbolt",
                    "use the send mode on this device"),
            darwin(
                    VerbsCall.POST_SEND,
                    Errno.ENOMEM,
                    "the send ring is full: more frames posted than were granted",
                    "report this as a defect of the frame budget"),
            darwin(
                    VerbsCall.POST_RECV,
                    Errno.ENOMEM,
                    "the receive ring is full: more frames posted than were granted",
                    "report this as a defect of the frame budget"),
            linux(
                    VerbsCall.GET_DEVICE_LIST,
                    Errno.ENOSYS,
                    "this kernel has no user verbs",
                    "load the module ib_uverbs and the driver of the adapter"),
            linux(
                    VerbsCall.OPEN_DEVICE,
                    Errno.EACCES,
                    "the device file under /dev/infiniband is not readable for this user",
                    "add the user to the group that owns it"),
            linux(
                    VerbsCall.REG_MR,
                    Errno.ENOMEM,
                    "the limit of locked memory is too small, or the device is out of regions",
                    "raise it (ulimit -l, or LimitMEMLOCK of the unit)"),
            linux(
                    VerbsCall.CREATE_QP,
                    Errno.ENOMEM,
                    "the limit of locked memory is too small, or the device is out of queue pairs",
                    "raise it (ulimit -l, or LimitMEMLOCK of the unit)"),
            linux(
                    VerbsCall.MODIFY_QP_RTR,
                    Errno.ETIMEDOUT,
                    "the peer's GID does not resolve to an address on this network",
                    "ping the peer over the interface of this device"),
            linux(
                    VerbsCall.MODIFY_QP_RTR,
                    Errno.EINVAL,
                    "bad GID, wrong GID index, or an MTU above the port's",
                    "compare both ends' GID kind and active MTU (ibv_devinfo -v)"));

    /**
     * The meaning of a NULL without a code. This call returns it on a port that is down; errno keeps its earlier value
     * (MLX 3777).
     */
    private static final String ALLOC_PD_MEANING = "the port is down, or the protection domains are used up";

    private static final String ALLOC_PD_REMEDY =
            "check the cable and that RDMA is enabled, then end other users of RDMA";

    private ErrorGuide() {}

    private static Symptom darwin(VerbsCall call, Errno errno, String meaning, String remedy) {
        return new Symptom(Platform.DARWIN, call, errno, meaning, remedy, /* restartNeeded= */ false);
    }

    private static Symptom darwinUntilRestart(VerbsCall call, Errno errno, String meaning, String remedy) {
        return new Symptom(Platform.DARWIN, call, errno, meaning, remedy, /* restartNeeded= */ true);
    }

    private static Symptom linux(VerbsCall call, Errno errno, String meaning, String remedy) {
        return new Symptom(Platform.LINUX, call, errno, meaning, remedy, /* restartNeeded= */ false);
    }

    static Optional<Symptom> symptom(Platform platform, VerbsCall call, int errno) {
        return SYMPTOMS.stream()
                .filter(row -> row.platform == platform && row.call == call && row.errno.number(platform) == errno)
                .findFirst();
    }

    /**
     * Returns the exception for a failed call.
     *
     * @param where device name, or the library before a device is known
     * @param errno positive code, 0 if there is none
     */
    static VerbsException failure(Platform platform, VerbsCall call, int errno, String where) {
        String what = call + " on " + where + " failed: " + Errno.describe(platform, errno);
        if (call == VerbsCall.ALLOC_PD && platform == Platform.DARWIN) {
            return new VerbsException(what + ": " + ALLOC_PD_MEANING, call.toString(), errno, ALLOC_PD_REMEDY);
        }
        return symptom(platform, call, errno)
                .map(row -> new VerbsException(
                        what + ": " + row.meaning, call.toString(), errno, row.remedy, row.restartNeeded))
                .orElseGet(() -> new VerbsException(what, call.toString(), errno));
    }
}
