package io.boltshuffle.cli.joining;

import static org.assertj.core.api.Assertions.assertThat;

import io.boltshuffle.cli.joining.JoinMessage.Answer;
import io.boltshuffle.cli.joining.JoinMessage.Greeting;
import io.boltshuffle.cli.joining.JoinMessage.Request;
import io.boltshuffle.cli.joining.JoinMessage.Wish;
import io.boltshuffle.wire.Secret;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Conversations without a network between. */
class JoinDeskTest {
    private static final Fingerprint CERTIFICATE = new Fingerprint("ab".repeat(32));
    private static final Fingerprint ANOTHER = new Fingerprint("cd".repeat(32));
    private static final String RELEASE = "0.2.0";

    private final SettableClock clock = new SettableClock();
    private final LiveCodes codes;
    private final Members members;
    private final JoinDesk desk;

    JoinDeskTest(@TempDir Path directory) {
        this.codes = new LiveCodes(directory.resolve("codes"), clock);
        this.members = new Members(directory.resolve("members"), clock);
        ClusterOffer offer =
                new ClusterOffer("", "", "4.2.0", "1g", Map.of(), Map.of(), "", directory.resolve("a.jar"), "", 0);
        this.desk = new JoinDesk(RELEASE, CERTIFICATE, offer, codes, members);
    }

    @Test
    void tenThousandGuessesAreWrongAndTheCodeIsStillGood() throws IOException {
        JoinCode code = codes.issue();
        SecureRandom random = new SecureRandom();
        for (int i = 0; i < 10_000; i++) {
            Secret guess = Secret.of(JoinCode.random(random).key());
            Conversation wrong = new Conversation(greeting -> signed(greeting, Wish.JOIN, "", guess, CERTIFICATE));
            assertThat(desk.serve(wrong)).isFalse();
            assertThat(wrong.delays).isEqualTo(1);
        }
        assertThat(members.all()).isEmpty();
        assertThat(desk.serve(right(code))).isTrue();
    }

    @Test
    void aRequestThatWasHeardIsRefusedInEveryOtherConversation() throws IOException {
        JoinCode code = codes.issue();
        Conversation heard = right(code);
        heard.in();
        Conversation replay = new Conversation(greeting -> heard.request());

        assertThat(desk.serve(replay)).isFalse();
        assertThat(replay.answer().grant()).isNull();

        Conversation joins = right(code);
        assertThat(desk.serve(joins)).isTrue();
        assertThat(desk.serve(new Conversation(greeting -> joins.request()))).isFalse();
        assertThat(members.all()).hasSize(1);
    }

    @Test
    void aRequestOfAMemberIsNotGoodTwiceNorForAnotherWish() throws IOException {
        Member member = members.add("mac2", "10.0.0.2");
        Conversation returns =
                new Conversation(greeting -> signed(greeting, Wish.JOIN, member.id(), member.secret(), CERTIFICATE));
        assertThat(desk.serve(returns)).isTrue();
        assertThat(desk.serve(new Conversation(greeting -> returns.request()))).isFalse();

        Conversation turned = new Conversation(greeting -> {
            Request join = signed(greeting, Wish.JOIN, member.id(), member.secret(), CERTIFICATE);
            return new Request(1, RELEASE, join.nonce(), Wish.FORGET, member.id(), join.name(), join.proof());
        });
        assertThat(desk.serve(turned)).isFalse();
        assertThat(members.all()).hasSize(1);
    }

    @Test
    void aProofOverAnotherCertificateIsRefused() throws IOException {
        Secret secret = Secret.of(codes.issue().key());

        assertThat(desk.serve(new Conversation(greeting -> signed(greeting, Wish.JOIN, "", secret, ANOTHER))))
                .isFalse();
    }

    /** The first machine's own proof, sent back to it, proves nothing. */
    @Test
    void aReflectedProofIsRefused() throws IOException {
        Secret secret = Secret.of(codes.issue().key());
        Conversation reflecting = new Conversation(greeting -> {
            Request request = unsigned(Wish.JOIN, "");
            return withProof(request, JoinProof.ofHost(secret, greeting, request, CERTIFICATE));
        });

        assertThat(desk.serve(reflecting)).isFalse();
    }

    @Test
    void anUnknownMemberAndAWrongKeyAreRefusedInTheSameWordsAndAPathIsNoMember() throws IOException {
        Member member = members.add("mac2", "10.0.0.2");
        Secret wrong = Secret.of(new byte[] {1});
        for (String id : new String[] {member.id(), "0123456789abcdef", "../identity/identity.p12", "no id"}) {
            Conversation conversation =
                    new Conversation(greeting -> signed(greeting, Wish.JOIN, id, wrong, CERTIFICATE));
            assertThat(desk.serve(conversation)).isFalse();
            assertThat(conversation.answer().refusal()).startsWith("it does not know this machine's key");
            assertThat(conversation.delays).isEqualTo(1);
        }
    }

    @Test
    void aCodeLeavesNobodyOut() throws IOException {
        Secret secret = Secret.of(codes.issue().key());

        assertThat(desk.serve(new Conversation(greeting -> signed(greeting, Wish.FORGET, "", secret, CERTIFICATE))))
                .isFalse();
    }

    private Conversation right(JoinCode code) {
        return new Conversation(greeting -> signed(greeting, Wish.JOIN, "", Secret.of(code.key()), CERTIFICATE));
    }

    private static Request signed(Greeting greeting, Wish wish, String member, Secret secret, Fingerprint certificate) {
        Request request = unsigned(wish, member);
        return withProof(request, JoinProof.ofCaller(secret, greeting, request, certificate));
    }

    private static Request unsigned(Wish wish, String member) {
        return new Request(1, RELEASE, JoinProof.nonce(new SecureRandom()), wish, member, "mac2", "");
    }

    private static Request withProof(Request request, String proof) {
        return new Request(1, RELEASE, request.nonce(), request.wish(), request.member(), request.name(), proof);
    }

    /** A caller that answers a greeting, and wants no jar. */
    private static final class Conversation implements JoinDesk.Line {
        private final Function<Greeting, Request> asking;
        private final ByteArrayOutputStream said = new ByteArrayOutputStream();
        private InputStream toSay = InputStream.nullInputStream();
        private @Nullable Request request;
        private int delays;

        Conversation(Function<Greeting, Request> asking) {
            this.asking = asking;
        }

        Request request() {
            return Objects.requireNonNull(request);
        }

        Answer answer() throws IOException {
            InputStream all = new ByteArrayInputStream(said.toByteArray());
            JoinMessage.read(all, Greeting.class, JoinMessage.MOST_BYTES);
            return JoinMessage.read(all, Answer.class, JoinMessage.MOST_BYTES);
        }

        @Override
        public InputStream in() throws IOException {
            if (request == null) {
                Greeting greeting = said.size() == 0
                        ? new Greeting(1, RELEASE, "00")
                        : JoinMessage.read(
                                new ByteArrayInputStream(said.toByteArray()), Greeting.class, JoinMessage.MOST_BYTES);
                request = asking.apply(greeting);
                toSay = new SequenceInputStream(wire(request), wire(new JoinMessage.Pick(false)));
            }
            return toSay;
        }

        private static InputStream wire(JoinMessage message) throws IOException {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            JoinMessage.write(bytes, message);
            return new ByteArrayInputStream(bytes.toByteArray());
        }

        @Override
        public OutputStream out() {
            return said;
        }

        @Override
        public String address() {
            return "10.0.0.2";
        }

        @Override
        public void trust() {}

        @Override
        public void delay() {
            delays++;
        }
    }
}
