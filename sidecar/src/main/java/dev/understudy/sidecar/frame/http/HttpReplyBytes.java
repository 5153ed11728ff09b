package dev.understudy.sidecar.frame.http;

import dev.understudy.divergence.wire.http.ReplyHead;
import dev.understudy.sidecar.verdict.ReplyExcerpt;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** A kept reply as the HTTP/1.1 message that it was, but for interim replies and trailers, which aren't kept. */
public final class HttpReplyBytes {
    private HttpReplyBytes() {}

    /** Whether all of its body is kept. */
    public static boolean isWhole(ReplyExcerpt reply) {
        return reply.body().length == reply.bodyLength();
    }

    /**
     * The message; a chunked body in one chunk.
     *
     * @param reply a {@link #isWhole whole} one
     * @param method the request's, which says whether a body may follow
     */
    public static byte[] of(ReplyExcerpt reply, String method) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ReplyHead head = new ReplyHead("HTTP/1.1", reply.status(), reply.reason(), reply.headers());
        boolean chunked = head.first("Transfer-Encoding") != null;
        bytes.writeBytes(head.encode());
        if (method.equals("HEAD") || reply.status() == 204 || reply.status() == 304) {
            return bytes.toByteArray();
        }
        if (chunked && reply.bodyLength() > 0) {
            write(bytes, Long.toHexString(reply.bodyLength()) + "\r\n");
        }
        bytes.writeBytes(reply.body());
        if (chunked) {
            write(bytes, (reply.bodyLength() > 0 ? "\r\n" : "") + "0\r\n\r\n");
        }
        return bytes.toByteArray();
    }

    private static void write(ByteArrayOutputStream bytes, String text) {
        bytes.writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
    }
}
