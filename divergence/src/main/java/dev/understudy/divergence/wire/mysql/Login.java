package dev.understudy.divergence.wire.mysql;

/**
 * What the client answers the greeting with (HandshakeResponse41, or the request for TLS that may come in its place).
 * Neither the user's name nor what proves it is kept.
 *
 * @param capabilities the client's, of which the server's count alone
 * @param collation number of the collation that the session begins with
 * @param database empty if none is named
 * @param plugin name of the authentication that the answer is for; empty if none is named
 * @param proven whether the answer holds anything: an empty password has no proof
 */
public record Login(Capabilities capabilities, int collation, String database, String plugin, boolean proven) {
    private static final int TLS_REQUEST = 32;

    /** Whether the client wants to go on in TLS; all but capabilities and collation is unknown then. */
    public boolean tls() {
        return capabilities.has(Capabilities.SSL);
    }

    /** Reads one, which the client sent to this server. */
    public static Login read(byte[] payload, Capabilities server) {
        MySqlReader in = new MySqlReader(payload);
        long bits = in.int32() & 0xffffffffL;
        if ((bits & Capabilities.PROTOCOL_41) == 0) {
            throw new MalformedPacketException("a client of before MySQL 4.1");
        }
        in.int32();
        int collation = in.int8();
        in.skip(19);
        long extended = in.int32() & 0xffffffffL;
        boolean mariaDb = !server.has(Capabilities.LONG_PASSWORD);
        Capabilities client = new Capabilities(bits | (mariaDb ? extended << 32 : 0));
        if (payload.length == TLS_REQUEST || client.has(Capabilities.SSL)) {
            return new Login(client, collation, "", "", false);
        }
        in.zeroEnded();
        boolean proven = proof(in, client);
        String database = client.has(Capabilities.CONNECT_WITH_DB) && in.remaining() > 0 ? in.string() : "";
        String plugin = client.has(Capabilities.PLUGIN_AUTH) && in.remaining() > 0 ? in.string() : "";
        return new Login(client, collation, database, plugin, proven);
    }

    private static boolean proof(MySqlReader in, Capabilities client) {
        if (client.has(Capabilities.PLUGIN_AUTH_LENENC)) {
            return in.value().length > 0;
        }
        if (client.has(Capabilities.SECURE_CONNECTION)) {
            return in.bytes(in.int8()).length > 0;
        }
        return in.zeroEnded().length > 0;
    }
}
