package dev.understudy.relay.accept;

import io.netty.buffer.ByteBuf;
import io.netty.util.NetUtil;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reads a PROXY header, version 1 or 2, strictly: what the specification doesn't allow is refused, and nothing is read
 * beyond the header. Stateless; it looks at all bytes there are each time.
 */
final class ProxyHeaderReader {
    /** The most bytes that a header may have. */
    static final int LONGEST = 4096;

    private static final int LONGEST_LINE = 107;
    private static final int FIXED = 16;
    private static final int UDP4 = 0x12;
    private static final int UDP6 = 0x22;
    private static final int UNIX_STREAM = 0x31;
    private static final int UNIX_DATAGRAM = 0x32;
    private static final int UNIX_ENDS = 216;
    private static final int CHECKSUM = 0x03;
    private static final byte[] SIGNATURE = ProxyHeader.signature();
    private static final byte[] LINE_START = "PROXY ".getBytes(StandardCharsets.US_ASCII);

    private ProxyHeaderReader() {}

    /** It isn't a PROXY header, or one that breaks its rules. */
    static final class Malformed extends Exception {
        private static final long serialVersionUID = 1;

        Malformed(String what) {
            super(what, null, false, false);
        }
    }

    /**
     * Takes the header from the front of {@code bytes}, and leaves them alone as long as it isn't complete.
     *
     * @return null if more bytes are needed
     */
    static @Nullable ProxyHeader read(ByteBuf bytes) throws Malformed {
        if (starts(bytes, SIGNATURE)) {
            return bytes.readableBytes() < FIXED ? null : binary(bytes);
        }
        if (starts(bytes, LINE_START)) {
            return line(bytes);
        }
        throw new Malformed("neither a line nor a signature");
    }

    /** Whether the bytes there are agree with {@code start}, as far as they go. */
    private static boolean starts(ByteBuf bytes, byte[] start) {
        for (int i = 0; i < Math.min(start.length, bytes.readableBytes()); i++) {
            if (bytes.getByte(bytes.readerIndex() + i) != start[i]) {
                return false;
            }
        }
        return true;
    }

    private static @Nullable ProxyHeader line(ByteBuf bytes) throws Malformed {
        int within = Math.min(LONGEST_LINE, bytes.readableBytes());
        int newline = bytes.indexOf(bytes.readerIndex(), bytes.readerIndex() + within, (byte) '\n');
        if (newline < 0) {
            if (within == LONGEST_LINE) {
                throw new Malformed("a line of more than " + LONGEST_LINE + " bytes");
            }
            return null;
        }
        String line =
                bytes.toString(bytes.readerIndex(), newline + 1 - bytes.readerIndex(), StandardCharsets.ISO_8859_1);
        if (!line.endsWith("\r\n")) {
            throw new Malformed("a line that doesn't end in CR LF");
        }
        ProxyHeader header = words(line.substring(0, line.length() - 2).split(" ", -1));
        bytes.readerIndex(newline + 1);
        return header;
    }

    private static ProxyHeader words(String[] words) throws Malformed {
        if (words[1].equals("UNKNOWN")) {
            return ProxyHeader.UNKNOWN;
        }
        boolean four = words[1].equals("TCP4");
        if (words.length != 6 || !(four || words[1].equals("TCP6"))) {
            throw new Malformed("not PROXY, family, two addresses and two ports");
        }
        return new ProxyHeader(
                new InetSocketAddress(address(words[2], four), port(words[4])),
                new InetSocketAddress(address(words[3], four), port(words[5])),
                new byte[0]);
    }

    private static InetAddress address(String digits, boolean four) throws Malformed {
        boolean right = four
                ? digits.matches("(0|[1-9]\\d{0,2})(\\.(0|[1-9]\\d{0,2})){3}") && NetUtil.isValidIpV4Address(digits)
                : digits.matches("[0-9a-fA-F:.]{2,45}") && NetUtil.isValidIpV6Address(digits);
        InetAddress address = right ? NetUtil.createInetAddressFromIpAddressString(digits) : null;
        if (address == null) {
            throw new Malformed("not an address of that family");
        }
        return address;
    }

    private static int port(String digits) throws Malformed {
        if (!digits.matches("0|[1-9]\\d{0,4}") || Integer.parseInt(digits) > 0xffff) {
            throw new Malformed("not a port");
        }
        return Integer.parseInt(digits);
    }

    private static @Nullable ProxyHeader binary(ByteBuf bytes) throws Malformed {
        int from = bytes.readerIndex();
        int command = bytes.getUnsignedByte(from + 12);
        int family = bytes.getUnsignedByte(from + 13);
        int length = bytes.getUnsignedShort(from + 14);
        if (command != ProxyHeader.LOCAL && command != ProxyHeader.PROXY) {
            throw new Malformed("neither LOCAL nor PROXY of version 2");
        }
        int ends = command == ProxyHeader.PROXY ? ends(family) : 0;
        if (FIXED + length > LONGEST || length < ends) {
            throw new Malformed("a length of " + length);
        }
        if (bytes.readableBytes() < FIXED + length) {
            return null;
        }
        if (command == ProxyHeader.LOCAL) {
            bytes.skipBytes(FIXED + length);
            return ProxyHeader.UNKNOWN;
        }
        byte[] all = new byte[FIXED + length];
        bytes.getBytes(from, all);
        ProxyHeader header = header(all, family, ends);
        bytes.skipBytes(all.length);
        return header;
    }

    /** How long the addresses of a family are; the valid ones that aren't TCP count as unspecified. */
    private static int ends(int family) throws Malformed {
        return switch (family) {
            case 0 -> 0;
            case ProxyHeader.TCP4, UDP4 -> 12;
            case ProxyHeader.TCP6, UDP6 -> 36;
            case UNIX_STREAM, UNIX_DATAGRAM -> UNIX_ENDS;
            default -> throw new Malformed("family " + family);
        };
    }

    private static ProxyHeader header(byte[] all, int family, int ends) throws Malformed {
        byte[] fields = fields(all, FIXED + ends);
        if (family != ProxyHeader.TCP4 && family != ProxyHeader.TCP6) {
            return new ProxyHeader(null, null, family == 0 ? fields : new byte[0]);
        }
        int width = family == ProxyHeader.TCP4 ? 4 : 16;
        int ports = FIXED + 2 * width;
        return new ProxyHeader(
                new InetSocketAddress(address(all, FIXED, width), unsignedShort(all, ports)),
                new InetSocketAddress(address(all, FIXED + width, width), unsignedShort(all, ports + 2)),
                fields);
    }

    private static InetAddress address(byte[] all, int at, int width) throws Malformed {
        byte[] address = new byte[width];
        System.arraycopy(all, at, address, 0, width);
        try {
            return InetAddress.getByAddress(address);
        } catch (UnknownHostException e) {
            throw new Malformed("not an address");
        }
    }

    /** The fields behind the addresses, without a checksum, which has to be right. */
    private static byte[] fields(byte[] all, int from) throws Malformed {
        ByteArrayOutputStream kept = new ByteArrayOutputStream();
        int at = from;
        while (at < all.length) {
            int length = at + 3 <= all.length ? unsignedShort(all, at + 1) : Integer.MAX_VALUE;
            if (length > all.length - at - 3) {
                throw new Malformed("a field beyond the header's end");
            }
            if (all[at] != CHECKSUM) {
                kept.write(all, at, 3 + length);
            } else if (length != 4 || !checksumIsRight(all, at + 3)) {
                throw new Malformed("a wrong checksum");
            }
            at += 3 + length;
        }
        return kept.toByteArray();
    }

    /** It is computed over the whole header with zeroes in its own place. */
    private static boolean checksumIsRight(byte[] all, int at) {
        CRC32C computed = new CRC32C();
        computed.update(all, 0, at);
        computed.update(new byte[4], 0, 4);
        computed.update(all, at + 4, all.length - at - 4);
        long told = (long) unsignedShort(all, at) << 16 | unsignedShort(all, at + 2);
        return computed.getValue() == told;
    }

    private static int unsignedShort(byte[] all, int at) {
        return (all[at] & 0xff) << 8 | (all[at + 1] & 0xff);
    }
}
