package io.boltshuffle.cli.doctor.facts;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/** The traces of a node agent on a host: its processes, its sockets, and the TCP ports on which programs listen. */
public record AgentPresence(List<Integer> processes, List<String> sockets, Set<Integer> listeningPorts) {

    private static final String PROCESS = "process ";
    private static final String SOCKET = "socket ";

    /** Both ss and the netstat of macOS have the local address in this field. */
    private static final int LOCAL_ADDRESS_FIELD = 3;

    public AgentPresence {
        processes = List.copyOf(processes);
        sockets = List.copyOf(sockets);
        listeningPorts = Set.copyOf(listeningPorts);
    }

    static AgentPresence parse(String agent, String listening) {
        Set<Integer> ports =
                listening.lines().flatMap(line -> port(line).stream()).collect(Collectors.toSet());
        return new AgentPresence(
                after(PROCESS, agent).stream()
                        .flatMapToInt(pid -> KeyValues.integer(pid).stream())
                        .boxed()
                        .toList(),
                after(SOCKET, agent),
                ports);
    }

    /** Returns the number after the last colon (ss) or dot (macOS) of the local address. */
    private static Optional<Integer> port(String line) {
        String[] fields = line.strip().split("\\s+", -1);
        if (fields.length <= LOCAL_ADDRESS_FIELD) {
            return Optional.empty();
        }
        String address = fields[LOCAL_ADDRESS_FIELD];
        OptionalInt port =
                KeyValues.integer(address.substring(Math.max(address.lastIndexOf(':'), address.lastIndexOf('.')) + 1));
        return port.isPresent() ? Optional.of(port.getAsInt()) : Optional.empty();
    }

    private static List<String> after(String prefix, String text) {
        return text.lines()
                .filter(line -> line.startsWith(prefix))
                .map(line -> line.substring(prefix.length()).strip())
                .toList();
    }
}
