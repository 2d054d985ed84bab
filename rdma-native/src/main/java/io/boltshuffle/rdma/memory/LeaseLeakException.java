package io.boltshuffle.rdma.memory;

import java.util.List;
import java.util.stream.Collectors;

/** Leases are outstanding where there should be none. The message lists them. */
public final class LeaseLeakException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    LeaseLeakException(List<LeaseStatus> outstanding) {
        super(outstanding.size() + " leases are outstanding:\n"
                + outstanding.stream().map(LeaseStatus::toString).collect(Collectors.joining("\n")));
    }
}
