package dev.understudy.standin.load;

import java.net.URI;
import java.net.URISyntaxException;

/**
 * Whom load is made for. Immutable.
 *
 * @param host a name or an address; one of IPv6 is in brackets
 * @param port 1 to 65535
 */
public record LoadTarget(String host, int port) {
    private static final int MOST_PORT = 65_535;

    public LoadTarget {
        if (host.isBlank() || port < 1 || port > MOST_PORT) {
            throw wrong(host + ":" + port);
        }
    }

    /**
     * A target as it is written: {@code http://HOST:PORT}.
     *
     * @throws IllegalArgumentException if it isn't one
     */
    public static LoadTarget parse(String raw) {
        try {
            URI uri = new URI(raw);
            boolean bare = uri.getRawUserInfo() == null && uri.getRawQuery() == null && uri.getRawFragment() == null;
            String path = uri.getRawPath();
            boolean plain = bare && (path == null || path.isEmpty() || path.equals("/"));
            String host = uri.getHost();
            if (!plain || host == null || !"http".equalsIgnoreCase(uri.getScheme())) {
                throw wrong(raw);
            }
            return new LoadTarget(host, uri.getPort());
        } catch (URISyntaxException unreadable) {
            throw wrong(raw);
        }
    }

    private static IllegalArgumentException wrong(String raw) {
        return new IllegalArgumentException(raw + " (expected: http://HOST:PORT)");
    }

    /** Host and port, as a request's Host header has them. */
    String authority() {
        return host + ":" + port;
    }

    @Override
    public String toString() {
        return "http://" + authority();
    }
}
