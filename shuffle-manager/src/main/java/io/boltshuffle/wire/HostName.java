package io.boltshuffle.wire;

import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * Gives each host one spelling. Host names are as Spark has them, but an IPv6 address has many spellings, and Spark,
 * commands and topology files each use their own.
 */
public final class HostName {

    private HostName() {}

    /** Returns whether a host may have this name: it is neither empty, nor a path, nor several words. */
    public static boolean isPossible(String host) {
        return host.codePoints().anyMatch(Character::isLetterOrDigit)
                && host.codePoints().noneMatch(each -> each == '/' || each == '\\' || Character.isWhitespace(each));
    }

    /**
     * Returns an IPv6 address without brackets, with all its groups, as Java writes it, and any other name as it is. It
     * asks no name service.
     */
    public static String plain(String host) {
        if (host.indexOf(':') < 0) {
            return host;
        }
        String bare = host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
        try {
            // In brackets Java accepts only a literal, so it asks no name service.
            return InetAddress.getByName("[" + bare + "]").getHostAddress();
        } catch (UnknownHostException e) {
            return bare;
        }
    }
}
