package dev.understudy.relay.connect;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** Where production can be reached, as it was set: a host and port, or the path of a Unix socket. */
public sealed interface Address {
    /** How a Unix socket's address begins. */
    String UNIX = "unix:";

    /** As it is written in a settings file. */
    String spelled();

    /**
     * A TCP address.
     *
     * @param host a name, which is looked up from time to time, or an address in digits, without brackets
     * @param port 1 to 65535
     */
    record Inet(String host, int port) implements Address {
        public Inet {
            if (host.isBlank()) {
                throw new IllegalArgumentException("host: blank (expected: a name or an address)");
            }
            if (port < 1 || port > 0xffff) {
                throw new IllegalArgumentException("port: " + port + " (expected: 1 to 65535)");
            }
        }

        @Override
        public String spelled() {
            return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
        }
    }

    /**
     * A Unix stream socket.
     *
     * @param path at most 107 bytes long, which is what the kernel takes
     */
    record Unix(String path) implements Address {
        private static final int LONGEST = 107;

        public Unix {
            if (path.isBlank() || path.getBytes(StandardCharsets.UTF_8).length > LONGEST) {
                throw new IllegalArgumentException("path: " + path + " (expected: 1 to " + LONGEST + " bytes)");
            }
        }

        @Override
        public String spelled() {
            return UNIX + path;
        }
    }

    /**
     * Reads {@code host:port}, {@code [::1]:port} or {@code unix:/path}.
     *
     * @throws IllegalArgumentException if it is none of these
     */
    static Address parse(String spelled) {
        if (spelled.startsWith(UNIX)) {
            return new Unix(spelled.substring(UNIX.length()));
        }
        int colon = spelled.lastIndexOf(':');
        if (colon < 1) {
            throw new IllegalArgumentException(spelled + " (expected: host:port)");
        }
        String host = spelled.substring(0, colon);
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        if (!bracketed && host.indexOf(':') >= 0) {
            throw new IllegalArgumentException(spelled + " (expected: an IPv6 address in brackets)");
        }
        return new Inet(
                bracketed ? host.substring(1, host.length() - 1) : host,
                Integer.parseInt(spelled.substring(colon + 1)));
    }

    /** An address as a person writes it: {@code 127.0.0.1:8080}, {@code [::1]:8080}. */
    static String spell(InetSocketAddress address) {
        String host = address.isUnresolved()
                ? address.getHostString()
                : address.getAddress().getHostAddress();
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + address.getPort();
    }
}
