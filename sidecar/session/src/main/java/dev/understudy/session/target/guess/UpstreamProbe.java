package dev.understudy.session.target.guess;

import dev.understudy.session.target.TlsUse;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/**
 * Finds out what a server speaks, on connections of our own: only when it is wanted. It listens for a greeting, as
 * MySQL sends one. Then it sends PostgreSQL's question for TLS (protocol manual, SSLRequest), and on another connection
 * Redis's PING. Both read nothing, change nothing, and need no password. Nothing is sent over HTTP: a request reaches
 * an application.
 */
public final class UpstreamProbe {
    private static final byte[] SSL_REQUEST = {0, 0, 0, 8, 4, (byte) 0xd2, 0x16, 0x2f};
    private static final byte[] PING = "PING\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int PROTOCOL_TEN = 10;
    private static final int MYSQL_HEAD = 5;

    private final int limit;

    /** @param limit for connecting, and for each reply */
    public UpstreamProbe(Duration limit) {
        this.limit = (int) limit.toMillis();
    }

    /** What a server speaks; empty if it shows nothing that is known, or can't be reached. */
    public Optional<ProtocolGuess> of(InetSocketAddress server) {
        try {
            byte[] greeting = reply(server, new byte[0]);
            if (isMySql(greeting)) {
                return Optional.of(new ProtocolGuess("mysql", "its greeting", TlsUse.UNKNOWN));
            }
            if (greeting.length > 0) {
                return Optional.empty();
            }
            String tls = text(reply(server, SSL_REQUEST));
            if (tls.equals("S") || tls.equals("N")) {
                // a server that offers TLS may take connections without
                return Optional.of(new ProtocolGuess(
                        "postgres", "its reply to SSLRequest", tls.equals("N") ? TlsUse.NO : TlsUse.UNKNOWN));
            }
            String pong = text(reply(server, PING));
            if (pong.startsWith("+PONG") || pong.startsWith("-NOAUTH") || pong.startsWith("-DENIED")) {
                return Optional.of(new ProtocolGuess("redis", "its reply to PING", TlsUse.NO));
            }
            return Optional.empty();
        } catch (IOException unreachable) {
            return Optional.empty();
        }
    }

    private static boolean isMySql(byte[] greeting) {
        return greeting.length >= MYSQL_HEAD
                && greeting[2] == 0
                && greeting[3] == 0
                && (greeting[4] == PROTOCOL_TEN || greeting[4] == -1);
    }

    /** The beginning of what a server sends, at most 64 bytes; empty if it is silent. */
    private byte[] reply(InetSocketAddress server, byte[] request) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(server, limit);
            socket.setSoTimeout(limit);
            socket.getOutputStream().write(request);
            InputStream in = socket.getInputStream();
            byte[] bytes = new byte[64];
            int read = Math.max(0, in.read(bytes));
            return Arrays.copyOf(bytes, read);
        } catch (SocketTimeoutException silent) {
            return new byte[0];
        }
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
