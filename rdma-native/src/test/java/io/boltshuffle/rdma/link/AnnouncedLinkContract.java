package io.boltshuffle.rdma.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.rdma.link.LinkFailure.Reason;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** The duties of a way of moving bytes whose device announces completions, as on Linux. */
abstract class AnnouncedLinkContract extends LinkContract {

    AnnouncedLinkContract(LinkMode mode) {
        super(mode);
    }

    private void fetchByTurns(LinkPair links) throws Exception {
        fetchByTurns(links, host -> true);
    }

    /** Fetches on until this is true of a host: on a busy machine completions may be there without a wait. */
    private void fetchByTurns(LinkPair links, Predicate<LinkHost> enough) throws Exception {
        for (int i = 0; i < 20 || (i < 1_000 && hosts().stream().noneMatch(enough)); i++) {
            links.fetchAndCompare(i % 2, 3_000_000, i);
        }
    }

    /** At least one of the two ends has to wait for the other. */
    @Test
    void whatIsLateIsAwaitedAsleep() throws Exception {
        fetchByTurns(start(), host -> host.announcedSleeps() > 0);

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

        fetchByTurns(links, host -> host.refusedSleeps() > 0);

        assertThat(hosts()).allMatch(host -> host.refusedSleeps() <= 1).anyMatch(host -> host.refusedSleeps() == 1);
    }

    /** Nothing of a link moves while its poller sleeps, so that the links are as good as before. */
    @Test
    void anErrorInTheSleepCostsAnnouncementsOnly() throws Exception {
        LinkPair links = start();
        hosts().forEach(host -> host.breakAnnouncements(new OutOfMemoryError("made by a test")));

        fetchByTurns(links, host -> host.refusedSleeps() > 0);

        assertThat(hosts()).allMatch(host -> host.refusedSleeps() <= 1).anyMatch(host -> host.refusedSleeps() == 1);
        assertThat(hosts()).allMatch(LinkHost::isPolling);
    }

    /** An error that cannot even be logged leaves no link that looks as if it were up. */
    @Test
    void whatBreaksThePollerEndsItsLinksAndNotItsThread() throws Exception {
        LinkPair links = start();
        hosts().forEach(host -> host.breakAnnouncements(new Untold()));

        for (int i = 0; i < 20; i++) {
            Offer offer = links.offer(1 - i % 2, 3_000_000, i);
            LinkPair.Fetched fetched = links.fetch(i % 2, offer.all());
            try {
                fetched.await();
            } catch (ExecutionException e) {
                break; // the link is down
            }
            links.link(1 - i % 2).withdraw(offer);
            fetched.release();
        }

        assertThat(links.awaitFailure(0).reason()).isIn(Reason.INTERNAL, Reason.PEER_FAILED);
        assertThat(links.awaitFailure(1).reason()).isIn(Reason.INTERNAL, Reason.PEER_FAILED);
        links.awaitEnd(0);
        links.awaitEnd(1);
        assertThat(hosts()).allMatch(LinkHost::isPolling);
    }

    /** A failure that cannot even be described, as if no memory were left for that. */
    private static final class Untold extends Error {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new OutOfMemoryError("made by a test");
        }
    }
}
