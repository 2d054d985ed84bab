package io.boltshuffle.rdma.link;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What else must hold where the device announces completions, as Linux has it. */
abstract class AnnouncedLinkContract extends LinkContract {

    AnnouncedLinkContract(LinkMode mode) {
        super(mode);
    }

    private static void fetchByTurns(LinkPair links) throws Exception {
        for (int i = 0; i < 20; i++) {
            links.fetchAndCompare(i % 2, 3_000_000, i);
        }
    }

    /** Of two ends at least one has to wait for the other. */
    @Test
    void whatIsLateIsAwaitedAsleep() throws Exception {
        fetchByTurns(start());

        assertThat(hosts()).anyMatch(host -> host.announcedSleeps() > 0);
    }

    @Test
    void nothingIsAnnouncedWhereThatIsTurnedOff() throws Exception {
        fetchByTurns(start(options().withAnnouncements(false), null, SLAB_BYTES));

        assertThat(hosts()).allMatch(host -> host.announcedSleeps() == 0);
    }

    /** The poller asks once, and looks for completions from then on. */
    @Test
    void whereAnnouncementsFailCompletionsAreLookedFor() throws Exception {
        LinkPair links = start();
        hosts().forEach(LinkHost::failAnnouncements);

        fetchByTurns(links);

        assertThat(hosts()).allMatch(host -> host.refusedSleeps() <= 1).anyMatch(host -> host.refusedSleeps() == 1);
    }
}
