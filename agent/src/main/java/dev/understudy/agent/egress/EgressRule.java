package dev.understudy.agent.egress;

import java.net.InetAddress;
import java.net.URI;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where the application may connect to: a host by its name, an address or a network, and one port of it or all.
 * Immutable.
 */
public final class EgressRule {
    /** How such rules are written. */
    public static final String FORM = "destinations such as db:5432 or 10.0.0.0/8:*, with semicolons between them";

    private static final int ALL_PORTS = 0;
    private static final int LAST_PORT = 65_535;
    private static final int LONGEST_NAME = 253;
    private static final int LONGEST_LABEL = 63;

    /** In small letters; "" for an address or a network. */
    private final String name;

    private final byte[] network;
    private final int bits;
    private final int port;

    private EgressRule(String name, byte[] network, int bits, int port) {
        this.name = name;
        this.network = network;
        this.bits = bits;
        this.port = port;
    }

    /** Reads one; an IPv6 address stands in brackets, {@code *} for all ports. Null if the text is none. */
    public static @Nullable EgressRule parse(String text) {
        int colon = text.lastIndexOf(':');
        String port = text.substring(colon + 1);
        int number = port.equals("*") ? ALL_PORTS : IpLiteral.decimal(port, LAST_PORT);
        if (colon <= 0 || number < 0 || (number == ALL_PORTS && !port.equals("*"))) {
            return null;
        }
        return of(text.substring(0, colon), number);
    }

    /** The host and port that a URL names; null if it names none. */
    public static @Nullable EgressRule ofUrl(String url) {
        URI uri = URI.create(url);
        int otherwise = "https".equals(uri.getScheme()) ? 443 : 80;
        return of(uri, uri.getPort() < 0 ? otherwise : uri.getPort());
    }

    /** All ports of the host that a URL names; null if it names none. */
    static @Nullable EgressRule hostOfUrl(String url) {
        return of(URI.create(url), ALL_PORTS);
    }

    /** A dot at the end only says that the name is a full one. */
    private static @Nullable EgressRule of(URI uri, int port) {
        String host = uri.getHost();
        return host == null ? null : of(host.endsWith(".") ? host.substring(0, host.length() - 1) : host, port);
    }

    private static @Nullable EgressRule of(String host, int port) {
        int slash = host.indexOf('/');
        String address = slash < 0 ? host : host.substring(0, slash);
        boolean inBrackets = address.length() > 2 && address.startsWith("[") && address.endsWith("]");
        String plain = inBrackets ? address.substring(1, address.length() - 1) : address;
        if (inBrackets != plain.indexOf(':') >= 0) {
            return null;
        }
        byte[] bytes = IpLiteral.parse(plain);
        if (bytes == null) {
            return slash < 0 && isName(plain)
                    ? new EgressRule(plain.toLowerCase(Locale.ROOT), new byte[0], 0, port)
                    : null;
        }
        int all = 8 * bytes.length;
        boolean mapped = inBrackets && bytes.length == 4;
        int bits = slash < 0 ? all : mapped ? -1 : IpLiteral.decimal(host.substring(slash + 1), all);
        return bits < 0 ? null : new EgressRule("", bytes, bits, port);
    }

    /** Of letters, digits, dashes, underscores and dots; what ends in a number would be a malformed address. */
    private static boolean isName(String text) {
        String[] labels = text.split("\\.", -1);
        for (String label : labels) {
            if (label.isEmpty() || label.length() > LONGEST_LABEL || label.startsWith("-") || label.endsWith("-")) {
                return false;
            }
            for (int i = 0; i < label.length(); i++) {
                char c = label.charAt(i);
                boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
                if (!letter && !(c >= '0' && c <= '9') && c != '-' && c != '_') {
                    return false;
                }
            }
        }
        return text.length() <= LONGEST_NAME && !isNumber(labels[labels.length - 1]);
    }

    /** Of decimal digits, or of hexadecimal ones as in C, as older ways to write an address have it. */
    private static boolean isNumber(String label) {
        boolean hexadecimal = label.startsWith("0x") || label.startsWith("0X");
        for (int i = hexadecimal ? 2 : 0; i < label.length(); i++) {
            if (Character.digit(label.charAt(i), hexadecimal ? 16 : 10) < 0) {
                return false;
            }
        }
        return true;
    }

    /** The host's name, whose addresses have to be looked up; "" for an address or a network. */
    String name() {
        return name;
    }

    /** @param addresses those that a name has */
    boolean allows(InetAddress address, int toPort, Function<String, Set<InetAddress>> addresses) {
        return (port == ALL_PORTS || port == toPort)
                && (name.isEmpty()
                        ? contains(address.getAddress())
                        : addresses.apply(name).contains(address));
    }

    private boolean contains(byte[] given) {
        byte[] address = IpLiteral.unmapped(given);
        if (address.length != network.length) {
            return false;
        }
        for (int bit = 0; bit < bits; bit += 8) {
            int mask = bits - bit >= 8 ? 0xFF : 0xFF << (8 - (bits - bit)) & 0xFF;
            if (((address[bit / 8] ^ network[bit / 8]) & mask) != 0) {
                return false;
            }
        }
        return true;
    }
}
