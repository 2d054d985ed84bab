package io.boltshuffle.integration;

import io.boltshuffle.agent.AgentMain;
import io.boltshuffle.client.AgentClassPath;
import io.boltshuffle.rdma.memory.Slab;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;

/** The class path of an agent as a user gets it: the plugin, and of Spark the few jars that an agent needs. */
final class AgentOfUsers {

    private static final String JNA = "com.sun.jna.Native";

    private AgentOfUsers() {}

    static String classPath() throws IOException {
        Set<Path> entries = plugin();
        entries.addAll(AgentClassPath.jars(AgentOfUsers.class.getClassLoader())
                .orElseThrow(() -> new IOException("this Spark lacks what every agent needs")));
        return entries.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    /** The plugin's jar, if Maven has made it; otherwise what it is made of. */
    private static Set<Path> plugin() throws IOException {
        Set<Path> places = new LinkedHashSet<>(Set.of(place(AgentMain.class)));
        if (places.stream().noneMatch(Files::isRegularFile)) {
            places.add(place(Slab.class));
            try {
                places.add(place(Class.forName(JNA, false, AgentOfUsers.class.getClassLoader())));
            } catch (ClassNotFoundException e) {
                throw new IOException("no JNA", e);
            }
        }
        return places;
    }

    private static Path place(Class<?> type) throws IOException {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IOException("the classes of " + type + " have no usable place", e);
        }
    }
}
