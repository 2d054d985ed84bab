package io.boltshuffle.cli.joining;

import io.boltshuffle.cli.joining.JoinMessage.Answer;
import io.boltshuffle.cli.joining.JoinMessage.Greeting;
import io.boltshuffle.cli.joining.JoinMessage.Pick;
import io.boltshuffle.cli.joining.JoinMessage.Request;
import io.boltshuffle.cli.joining.JoinMessage.Wish;
import io.boltshuffle.wire.Secret;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Talks to one caller after the other: greets it, hears its request with its proof, and grants or refuses.
 *
 * <p><b>Invariant:</b> a caller without a right proof learns the release and nothing else, whatever was wrong.
 *
 * <p><b>Threads:</b> any.
 */
final class JoinDesk {
    private static final Logger LOG = LoggerFactory.getLogger(JoinDesk.class);
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");
    private static final String WRONG = "the code is wrong, was used already, or is older than "
            + LiveCodes.LIFE.toMinutes() + " minutes: 'bolt up --code' there prints a fresh line";
    private static final String UNKNOWN_KEY =
            "it does not know this machine's key any more: 'bolt up --code' there prints a line with a code";

    private final String release;
    private final Fingerprint certificate;
    private final ClusterOffer offer;
    private final LiveCodes codes;
    private final Members members;
    private final SecureRandom random = new SecureRandom();

    /** @param certificate of this server; a caller that sees another one talks to a stranger in between */
    JoinDesk(String release, Fingerprint certificate, ClusterOffer offer, LiveCodes codes, Members members) {
        this.release = release;
        this.certificate = certificate;
        this.offer = offer;
        this.codes = codes;
        this.members = members;
    }

    /** The connection that a caller has. */
    interface Line {
        /** Returns where the caller is. */
        String address();

        InputStream in() throws IOException;

        OutputStream out() throws IOException;

        /** The caller has proved who it is, and may take its time. */
        void trust();

        /** Waits before a wrong proof is answered, always for the same time. */
        void delay() throws IOException;
    }

    /** Serves a caller. Returns whether it proved anything. */
    boolean serve(Line line) throws IOException {
        Greeting greeting = new Greeting(JoinMessage.VERSION, release, JoinProof.nonce(random));
        JoinMessage.write(line.out(), greeting);
        Request request = JoinMessage.read(line.in(), Request.class, JoinMessage.MOST_BYTES_OF_STRANGERS);
        if (request.version() != JoinMessage.VERSION || !request.release().equals(release)) {
            JoinMessage.write(line.out(), Answer.refused(otherRelease(release, request.release())));
            return false;
        }
        String name = NAME.matcher(request.name()).matches() ? request.name() : "a machine";
        Optional<Proven> proven = prove(greeting, request, name, line.address());
        if (proven.isEmpty()) {
            codes.wrongTries(1);
            line.delay();
            JoinMessage.write(line.out(), Answer.refused(request.member().isEmpty() ? WRONG : UNKNOWN_KEY));
            return false;
        }
        line.trust();
        grant(line, greeting, request, proven.get());
        return true;
    }

    /** Says in one sentence that two releases do not fit, and what to do. */
    static String otherRelease(String there, String here) {
        return "it has boltshuffle " + there + ", and this machine has " + here + ": install " + there
                + " here, or one release on both";
    }

    /** A caller that knows the secret, and what was noted of it. */
    private record Proven(Secret secret, Member member) {}

    private Optional<Proven> prove(Greeting greeting, Request request, String name, String address) {
        if (!request.member().isEmpty()) {
            return members.find(request.member())
                    .filter(member ->
                            JoinProof.isOfCaller(request.proof(), member.secret(), greeting, request, certificate))
                    .map(member -> new Proven(member.secret(), noted(member, request.wish(), name, address)));
        }
        return codes.live().stream()
                .filter(code -> JoinProof.isOfCaller(request.proof(), code.secret(), greeting, request, certificate))
                .filter(code -> request.wish() == Wish.JOIN && members.hasRoom() && codes.take(code))
                .findFirst()
                .map(code -> new Proven(code.secret(), members.add(name, address)));
    }

    private Member noted(Member member, Wish wish, String name, String address) {
        Member now = members.note(member, name, address, wish != Wish.JOIN);
        if (wish == Wish.FORGET) {
            members.forget(now);
        }
        return now;
    }

    private void grant(Line line, Greeting greeting, Request request, Proven caller) throws IOException {
        boolean joins = request.wish() == Wish.JOIN;
        LOG.info("{} at {} {}", caller.member().name(), line.address(), joins ? "joins" : "leaves");
        String proof = JoinProof.ofHost(caller.secret(), greeting, request, certificate);
        JoinMessage.write(line.out(), new Answer("", proof, joins ? offer.to(caller.member()) : null));
        if (joins
                && JoinMessage.read(line.in(), Pick.class, JoinMessage.MOST_BYTES)
                        .jar()) {
            Files.copy(offer.pluginJar(), line.out());
            line.out().flush();
        }
    }
}
