package dev.understudy.testing;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server that production calls, and of which debug gets recorded replies only.
 *
 * @param name stands in messages, and as {@code ${name}} in the words of services
 * @param protocol {@code http}, {@code mysql}, {@code postgres}, {@code redis} or {@code tcp}
 * @param host where it is
 * @param port its port
 */
public record UpstreamServer(String name, String protocol, String host, int port) {
    private static final Set<String> PROTOCOLS = Set.of("http", "mysql", "postgres", "redis", "tcp");
    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,63}");
    private static final Pattern TEXT = Pattern.compile("([^=]+)=([^:]+)://(.+):(\\d{1,5})");
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9.:\\[\\]-]+");

    public UpstreamServer {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("upstream: " + name + " (expected: a name of letters and digits)");
        }
        if (!PROTOCOLS.contains(protocol)) {
            throw new IllegalArgumentException(name + ": " + protocol + " (expected: one of " + PROTOCOLS + ")");
        }
        if (!HOST.matcher(host).matches() || port < 1 || port > 65_535) {
            throw new IllegalArgumentException(name + ": " + host + ":" + port + " (expected: host:port)");
        }
    }

    /**
     * Reads one.
     *
     * @param text such as {@code rates=http://127.0.0.1:8090}
     * @throws IllegalArgumentException if it isn't written so
     */
    public static UpstreamServer parse(String text) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException("upstream: " + text
                    + " (expected: name=protocol://host:port, such as rates=http://127.0.0.1:8090)");
        }
        return new UpstreamServer(parts.group(1), parts.group(2), parts.group(3), Integer.parseInt(parts.group(4)));
    }

    /** Its address, {@code host:port}. */
    public String address() {
        return host + ":" + port;
    }
}
