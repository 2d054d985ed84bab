package io.boltshuffle.cli.joining;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import io.boltshuffle.cli.base.BoltException;
import io.boltshuffle.cli.base.Json;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A message of the conversation: four bytes of length, then JSON. */
sealed interface JoinMessage {
    int VERSION = 1;

    /** A caller that has proved nothing can make the other side keep no more than this. */
    int MOST_BYTES_OF_STRANGERS = 4 << 10;

    int MOST_BYTES = 64 << 10;

    /** Says what the first machine is, to anybody who calls. */
    record Greeting(int version, String release, String nonce) implements JoinMessage {
        public Greeting {
            requireNonNull(release);
            requireNonNull(nonce);
        }
    }

    /** The reason for the call. */
    enum Wish {
        /** The caller becomes a member by a code, or comes back by a key. */
        JOIN,
        /** The caller is shown as one that left, and keeps its key. */
        LEAVE,
        /** The caller leaves, and its key is forgotten. */
        FORGET
    }

    /**
     * Asks for something.
     *
     * @param member whose key is proved; empty if it is a code
     * @param name of the calling machine, for people
     */
    record Request(int version, String release, String nonce, Wish wish, String member, String name, String proof)
            implements JoinMessage {
        public Request {
            requireNonNull(release);
            requireNonNull(nonce);
            requireNonNull(wish);
            requireNonNull(member);
            requireNonNull(name);
            requireNonNull(proof);
        }
    }

    /**
     * Refuses in one sentence, or proves and grants.
     *
     * @param refusal empty if it is granted
     * @param grant absent if the machine leaves
     */
    record Answer(String refusal, String proof, @Nullable Grant grant) implements JoinMessage {
        public Answer {
            requireNonNull(refusal);
            requireNonNull(proof);
        }

        static Answer refused(String sentence) {
            return new Answer(sentence, "", null);
        }
    }

    /** Says whether the calling machine needs the plugin's jar, or has one with the same checksum. */
    record Pick(boolean jar) implements JoinMessage {}

    /**
     * All that a machine needs to take part.
     *
     * @param member names the machine's own key, which is {@code key}
     * @param spark the release
     * @param executorMemory as Spark writes it
     * @param agentSettings of all agents
     * @param settings of applications
     * @param secret that Spark's processes prove to each other
     */
    record Grant(
            String member,
            String key,
            String masterUrl,
            String uiUrl,
            String spark,
            String executorMemory,
            Map<String, String> agentSettings,
            Map<String, String> settings,
            String secret,
            String jarName,
            String jarSha256,
            long jarBytes) {
        /** Returns what it says of the cluster, with a jar of this machine. */
        ClusterOffer offer(Path pluginJar) {
            return new ClusterOffer(
                    masterUrl,
                    uiUrl,
                    spark,
                    executorMemory,
                    agentSettings,
                    settings,
                    secret,
                    pluginJar,
                    jarSha256,
                    jarBytes);
        }

        @Override
        public String toString() {
            return "Grant[" + member + "]";
        }
    }

    /** Sends a message. */
    static void write(OutputStream out, JoinMessage message) throws IOException {
        byte[] bytes = Json.write(message).getBytes(UTF_8);
        DataOutputStream data = new DataOutputStream(out);
        data.writeInt(bytes.length);
        data.write(bytes);
        data.flush();
    }

    /** @throws IOException if it is cut off, longer than {@code most} bytes, or no such message */
    static <T extends JoinMessage> T read(InputStream in, Class<T> type, int most) throws IOException {
        DataInputStream data = new DataInputStream(in);
        int length = data.readInt();
        if (length < 0 || length > most) {
            throw new IOException("a message of " + length + " bytes, where at most " + most + " are allowed");
        }
        byte[] bytes = new byte[length];
        data.readFully(bytes);
        try {
            return Json.read(new String(bytes, UTF_8), type);
        } catch (BoltException e) {
            throw new IOException("a message that is no " + type.getSimpleName(), e);
        }
    }
}
