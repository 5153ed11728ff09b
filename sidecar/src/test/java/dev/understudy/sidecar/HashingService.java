package dev.understudy.sidecar;

import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;

/**
 * Requests with a random body, which {@link #serve} answers with the body's hash, so that both ends know of each byte.
 */
final class HashingService {
    private static final String LENGTH = "Content-Length: ";

    private HashingService() {}

    /** A script: answers until the client leaves. */
    static void serve(Socket socket) throws Exception {
        for (String head = head(socket); head.endsWith("\r\n\r\n"); head = head(socket)) {
            PlainServer.write(socket, reply(body(socket, head)));
        }
    }

    /** Reads one request's head, up to the end if there is none. */
    static String head(Socket socket) throws Exception {
        return PlainServer.readUntil(socket, "\r\n\r\n");
    }

    /** Reads the body that {@code head} announces. */
    static byte[] body(Socket socket, String head) throws Exception {
        int at = head.indexOf(LENGTH) + LENGTH.length();
        int length = Integer.parseInt(head.substring(at, head.indexOf('\r', at)));
        return socket.getInputStream().readNBytes(length);
    }

    static String reply(byte[] body) throws Exception {
        String hash =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
        return "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " + hash.length() + "\r\n\r\n" + hash;
    }

    /** A request with a body of at most {@code longest} bytes. */
    static byte[] request(Random random, int longest) {
        byte[] body = new byte[1 + random.nextInt(longest)];
        random.nextBytes(body);
        byte[] head = ("POST /hash HTTP/1.1\r\nHost: x\r\n" + LENGTH + body.length + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        byte[] request = new byte[head.length + body.length];
        System.arraycopy(head, 0, request, 0, head.length);
        System.arraycopy(body, 0, request, head.length, body.length);
        return request;
    }

    /** The answer that {@link #serve} gives to it. */
    static String answerTo(byte[] request) throws Exception {
        String text = new String(request, StandardCharsets.ISO_8859_1);
        int body = text.indexOf("\r\n\r\n") + 4;
        return reply(Arrays.copyOfRange(request, body, request.length));
    }

    /** Sends a request in pieces of any length, and insists on the right answer. */
    static void ask(Socket client, Random random, int longest) throws Exception {
        byte[] request = request(random, longest);
        int sent = 0;
        while (sent < request.length) {
            int piece = Math.min(request.length - sent, 1 + random.nextInt(random.nextBoolean() ? 7 : 5000));
            client.getOutputStream().write(request, sent, piece);
            sent += piece;
        }
        String expected = answerTo(request);
        String got = new String(client.getInputStream().readNBytes(expected.length()), StandardCharsets.ISO_8859_1);
        if (!got.equals(expected)) {
            throw new AssertionError("got " + got + " (expected: " + expected + ")");
        }
    }
}
