package dev.understudy.divergence.wire.mysql;

import java.util.Arrays;

/**
 * What the server says first (HandshakeV10).
 *
 * @param version as announced, e.g. {@code 8.4.3} or {@code 5.5.5-10.11.6-MariaDB}
 * @param connection the server's number for the connection
 * @param collation number of the server's default collation
 * @param status of the session ({@code ServerStatus})
 * @param plugin name of the authentication to begin with; empty if none is named
 */
public record ServerGreeting(
        String version, int connection, Capabilities capabilities, int collation, int status, String plugin) {
    private static final int VERSION_10 = 10;
    private static final int FIRST_PART = 8;

    /** Bytes of the random challenge. */
    public static final int CHALLENGE = 20;

    public ServerGreeting withConnection(int other) {
        return new ServerGreeting(version, other, capabilities, collation, status, plugin);
    }

    /** Reads one; the challenge is passed over. */
    public static ServerGreeting read(byte[] payload) {
        MySqlReader in = new MySqlReader(payload);
        int protocol = in.int8();
        if (protocol != VERSION_10) {
            throw new MalformedPacketException("protocol version " + protocol + " (expected: 10)");
        }
        String version = in.string();
        int connection = in.int32();
        in.skip(FIRST_PART + 1);
        long low = in.int16();
        if (in.remaining() == 0) {
            return new ServerGreeting(version, connection, new Capabilities(low), 0, 0, "");
        }
        int collation = in.int8();
        int status = in.int16();
        low |= (long) in.int16() << 16;
        int challenge = in.int8();
        in.skip(6);
        long high = in.int32() & 0xffffffffL;
        // MySQL itself leaves those four bytes empty, as all ten are reserved there.
        long mariaDb = (low & Capabilities.LONG_PASSWORD) == 0 ? high << 32 : 0;
        in.skip(Math.min(in.remaining(), Math.max(13, challenge - FIRST_PART)));
        String plugin = in.remaining() > 0 && (low & Capabilities.PLUGIN_AUTH) != 0 ? in.string() : "";
        return new ServerGreeting(version, connection, new Capabilities(low | mariaDb), collation, status, plugin);
    }

    /** The payload that says this with a challenge of {@link #CHALLENGE} bytes. */
    public byte[] encode(byte[] challenge) {
        long bits = capabilities.bits();
        return new MySqlWriter()
                .int8(VERSION_10)
                .string(version)
                .int32(connection)
                .bytes(Arrays.copyOf(challenge, FIRST_PART))
                .int8(0)
                .int16((int) bits)
                .int8(collation)
                .int16(status)
                .int16((int) (bits >> 16))
                .int8(CHALLENGE + 1)
                .bytes(new byte[6])
                .int32((int) (bits >> 32))
                .bytes(Arrays.copyOfRange(challenge, FIRST_PART, CHALLENGE))
                .int8(0)
                .string(plugin)
                .toBytes();
    }
}
