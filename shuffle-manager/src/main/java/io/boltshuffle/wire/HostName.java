package io.boltshuffle.wire;

import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * One spelling for each host. Names are as Spark has them; of IPv6 addresses there are many spellings, and Spark,
 * commands and topology files each have theirs.
 */
public final class HostName {

    private HostName() {}

    /**
     * An IPv6 address without brackets, with all its groups, as Java writes it; any other name as it is. Asks nobody.
     */
    public static String plain(String host) {
        if (host.indexOf(':') < 0) {
            return host;
        }
        String bare = host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
        try {
            // In brackets nothing but a literal is taken: no name service is asked.
            return InetAddress.getByName("[" + bare + "]").getHostAddress();
        } catch (UnknownHostException e) {
            return bare;
        }
    }
}
