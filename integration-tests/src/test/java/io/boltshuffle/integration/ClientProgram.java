package io.boltshuffle.integration;

import io.boltshuffle.client.AgentClient;
import io.boltshuffle.client.ClientStart;
import io.boltshuffle.client.Refusal;
import io.boltshuffle.conf.Settings;
import io.boltshuffle.wire.Registration;
import io.boltshuffle.wire.Secret;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An executor without Spark: looks for the agent of its host and says what came of it, until its input ends. */
final class ClientProgram {

    private static final long POLL_MILLIS = 50;

    private ClientProgram() {}

    /** @param args executor id, root directory, host, then settings as KEY=VALUE */
    public static void main(String[] args) throws Exception {
        Map<String, String> settings = new HashMap<>();
        for (String setting : List.of(args).subList(3, args.length)) {
            String[] pair = setting.split("=", 2);
            settings.put(pair[0], pair[1]);
        }
        Registration registration =
                new Registration("app-1", args[0], List.of("/nowhere"), 64, "sort", Secret.of(new byte[] {1}));
        ClientStart start =
                new ClientStart(args[2], Path.of(args[1]), Settings.parse(settings), registration, settings);
        try (AgentClient client = AgentClient.open(start)) {
            String said = "";
            while (System.in.available() == 0) {
                String now = describe(client);
                if (!now.isEmpty() && !now.equals(said)) {
                    System.out.println(now);
                    said = now;
                }
                Thread.sleep(POLL_MILLIS);
            }
        }
    }

    /** Returns nothing while the first agent is being met. */
    private static String describe(AgentClient client) {
        String met = client.readAheadBytes() > 0 ? "connected" : "";
        Optional<Refusal> refusal = client.refusal("a host of no executor");
        return refusal.map(why -> "refused: " + why.detail()).orElse(met);
    }
}
