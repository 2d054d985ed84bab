package io.boltshuffle.rdma.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.Map;
import org.junit.jupiter.api.Test;

class OwnerAccountsTest {

    private static final int LIMIT = 10;
    private static final LeaseOwner ALICE = new LeaseOwner("alice");
    private static final LeaseOwner BOB = new LeaseOwner("bob");

    private final OwnerAccounts accounts = new OwnerAccounts(LIMIT);

    @Test
    void anOwnerMayFillItsLimit() {
        accounts.charge(ALICE, 4);
        assertThat(accounts.admits(ALICE, 6)).isTrue();
        assertThat(accounts.admits(ALICE, 7)).isFalse();
        assertThat(accounts.admits(BOB, LIMIT)).isTrue();
    }

    @Test
    void oneOversizeRequestIsAdmittedInAllAndOnlyWhileItsOwnerHasNothing() {
        accounts.charge(BOB, 1);
        assertThat(accounts.admits(BOB, LIMIT + 1)).isFalse();
        assertThat(accounts.admits(ALICE, LIMIT + 1)).isTrue();
        accounts.charge(ALICE, LIMIT + 1);
        accounts.discharge(BOB, 1);
        assertThat(accounts.admits(BOB, LIMIT + 1)).isFalse();
        accounts.discharge(ALICE, LIMIT + 1);
        assertThat(accounts.admits(BOB, LIMIT + 1)).isTrue();
    }

    @Test
    void whatWasNotChargedIsNotDischarged() {
        accounts.charge(ALICE, 2);
        assertThatIllegalStateException().isThrownBy(() -> accounts.discharge(BOB, 1));
        assertThatIllegalStateException().isThrownBy(() -> accounts.discharge(ALICE, 3));
        assertThat(accounts.snapshot()).isEqualTo(Map.of(ALICE, new PoolSnapshot.Use(1, 2 * Lease.FRAME_BYTES)));
    }
}
