package dev.understudy.relay.accept;

import dev.understudy.relay.accept.ProxyProtocolConfig.Version;
import java.io.ByteArrayOutputStream;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What a PROXY header says.
 *
 * @param source the client, or null if the header doesn't tell: the peer speaks for itself
 * @param destination where the client had connected; null if and only if {@code source} is
 * @param fields the type-length-value fields of a version 2 header, without its checksum; empty if there were none
 * @see <a href="https://www.haproxy.org/download/3.0/doc/proxy-protocol.txt">the PROXY protocol, sections 2.1 and
 *     2.2</a>
 */
public record ProxyHeader(
        @Nullable InetSocketAddress source, @Nullable InetSocketAddress destination, byte[] fields) {
    /** Says nothing about the client. */
    public static final ProxyHeader UNKNOWN = new ProxyHeader(null, null, new byte[0]);

    private static final byte[] SIGNATURE = "\r\n\r\n\0\r\nQUIT\n".getBytes(StandardCharsets.ISO_8859_1);

    static final int LOCAL = 0x20;
    static final int PROXY = 0x21;
    static final int TCP4 = 0x11;
    static final int TCP6 = 0x21;

    static byte[] signature() {
        return SIGNATURE.clone();
    }

    /** Of a connection that had no header itself: both ends of its socket. */
    public static ProxyHeader of(SocketAddress client, SocketAddress local) {
        if (client instanceof InetSocketAddress source
                && local instanceof InetSocketAddress destination
                && source.getAddress().getClass() == destination.getAddress().getClass()) {
            return new ProxyHeader(source, destination, new byte[0]);
        }
        return UNKNOWN;
    }

    /** As it goes over the wire. */
    public byte[] encode(Version version) {
        return version == Version.V1 ? text() : binary();
    }

    private byte[] text() {
        if (source == null || destination == null) {
            return "PROXY UNKNOWN\r\n".getBytes(StandardCharsets.US_ASCII);
        }
        String family = source.getAddress() instanceof Inet4Address ? "TCP4" : "TCP6";
        return ("PROXY " + family + " " + digits(source.getAddress()) + " " + digits(destination.getAddress()) + " "
                        + source.getPort() + " " + destination.getPort() + "\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    /** Without the zone, which means nothing elsewhere. */
    private static String digits(InetAddress address) {
        String digits = address.getHostAddress();
        int zone = digits.indexOf('%');
        return zone < 0 ? digits : digits.substring(0, zone);
    }

    private byte[] binary() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(SIGNATURE);
        boolean known = source != null && destination != null;
        out.write(known ? PROXY : LOCAL);
        byte[] ends = source != null && destination != null ? ends(source, destination) : new byte[0];
        out.write(!known ? 0 : source != null && source.getAddress() instanceof Inet6Address ? TCP6 : TCP4);
        writeShort(out, ends.length + fields.length);
        out.writeBytes(ends);
        out.writeBytes(fields);
        return out.toByteArray();
    }

    private static byte[] ends(InetSocketAddress source, InetSocketAddress destination) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(source.getAddress().getAddress());
        out.writeBytes(destination.getAddress().getAddress());
        writeShort(out, source.getPort());
        writeShort(out, destination.getPort());
        return out.toByteArray();
    }

    private static void writeShort(ByteArrayOutputStream out, int value) {
        out.write(value >>> 8);
        out.write(value);
    }
}
