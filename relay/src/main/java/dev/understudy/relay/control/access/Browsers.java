package dev.understudy.relay.control.access;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What browsers say of the page that sends a request.
 *
 * <p>A page of another origin, be it another port of localhost, could otherwise use what this machine may reach.
 */
public final class Browsers {
    /** The port's own pages, and addresses that a user has typed. */
    private static final Set<String> OWN_SITES = Set.of("same-origin", "none");

    private Browsers() {}

    /**
     * Whether a request comes from no page, or from a page of the origin that it is sent to.
     *
     * @param host the header {@code Host}
     * @param origin the header {@code Origin}
     * @param site the header {@code Sec-Fetch-Site}
     */
    public static boolean isOwnPage(@Nullable String host, @Nullable String origin, @Nullable String site) {
        if (site != null && !OWN_SITES.contains(site.toLowerCase(Locale.ROOT))) {
            return false;
        }
        return origin == null
                || (host != null
                        && (origin.equalsIgnoreCase("http://" + host) || origin.equalsIgnoreCase("https://" + host)));
    }

    /** Whether {@code host}, with or without a port, is a name of this machine that no name server can give away. */
    public static boolean isLoopback(String host) {
        try {
            String name = URI.create("http://" + host).getHost();
            return name != null && isLoopbackName(name.toLowerCase(Locale.ROOT));
        } catch (IllegalArgumentException malformed) {
            return false;
        }
    }

    private static boolean isLoopbackName(String name) {
        return name.equals("localhost") || name.equals("[::1]") || isLoopbackNumber(name);
    }

    private static boolean isLoopbackNumber(String name) {
        try {
            return name.matches("127(\\.\\d{1,3}){3}")
                    && InetAddress.getByName(name).isLoopbackAddress();
        } catch (UnknownHostException notAnAddress) {
            return false;
        }
    }
}
