package dev.understudy.session.target.proc;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * A line of {@code /proc/PID/net/tcp} or {@code tcp6}. An IPv4 address within IPv6 is an IPv4 address here.
 *
 * @param state what the connection is in the middle of
 * @param inode the socket's number, by which a descriptor refers to it; 0 if none does
 */
public record TcpSocket(InetSocketAddress local, InetSocketAddress remote, State state, long inode) {
    private static final int LEAST_FIELDS = 10;
    private static final int WORD_DIGITS = 8;
    private static final int HEX = 16;
    private static final int MOST_PORT = 0xffff;

    /** As far as it matters here; the kernel has more. */
    public enum State {
        ESTABLISHED,
        CONNECTING,
        LISTENING,
        OTHER
    }

    /** Reads a line; empty for the heading, and for what is no socket. */
    public static Optional<TcpSocket> parse(String line) {
        String[] fields = line.strip().split("\\s+", LEAST_FIELDS + 1);
        if (fields.length < LEAST_FIELDS) {
            return Optional.empty();
        }
        InetSocketAddress[] ends = new InetSocketAddress[2];
        for (int n = 0; n < 2; n++) {
            Optional<InetSocketAddress> end = address(fields[n + 1]);
            if (end.isEmpty()) {
                return Optional.empty();
            }
            ends[n] = end.get();
        }
        try {
            return Optional.of(
                    new TcpSocket(ends[0], ends[1], state(fields[3]), Long.parseLong(fields[LEAST_FIELDS - 1])));
        } catch (NumberFormatException noInode) {
            return Optional.empty();
        }
    }

    private static State state(String code) {
        return switch (code) {
            case "01" -> State.ESTABLISHED;
            case "02" -> State.CONNECTING;
            case "0A" -> State.LISTENING;
            default -> State.OTHER;
        };
    }

    /** Words of 32 bits, each as the machine stores it, and a port. */
    private static Optional<InetSocketAddress> address(String field) {
        int colon = field.indexOf(':');
        if (colon != WORD_DIGITS && colon != 4 * WORD_DIGITS) {
            return Optional.empty();
        }
        try {
            ByteBuffer bytes = ByteBuffer.allocate(colon / 2).order(ByteOrder.nativeOrder());
            for (int at = 0; at < colon; at += WORD_DIGITS) {
                bytes.putInt(Integer.parseUnsignedInt(field, at, at + WORD_DIGITS, HEX));
            }
            int port = Integer.parseInt(field, colon + 1, field.length(), HEX);
            return port < 0 || port > MOST_PORT
                    ? Optional.empty()
                    : Optional.of(new InetSocketAddress(InetAddress.getByAddress(bytes.array()), port));
        } catch (NumberFormatException | UnknownHostException noAddress) {
            return Optional.empty();
        }
    }
}
