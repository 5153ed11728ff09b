package dev.understudy.divergence.compare.http;

import dev.understudy.divergence.compare.ComparisonRules;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.identity.IdentityMap;
import dev.understudy.divergence.wire.http.HttpReplyFramer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** Makes replies from wire text, and compares them. Production answers at noon, debug three minutes later. */
public final class Replies {
    /** When production answers. */
    public static final Instant NOON = Instant.parse("2026-03-04T12:00:00Z");
    /** When debug does. */
    public static final Instant LATER = NOON.plusSeconds(180);

    /** What the comparisons learn. */
    public final IdentityMap identities = new IdentityMap(1000);
    /** By the rules that hold without any settings. */
    public final HttpComparison comparison = new HttpComparison(ComparisonRules.defaults(), identities);

    /** Of two replies as they stand on the wire. */
    public Verdict compare(String production, String debug) {
        return comparison.compare(reply(production, NOON), reply(debug, LATER));
    }

    /** Of two JSON bodies in otherwise equal replies. */
    public Verdict json(String production, String debug) {
        return compare(ok("application/json", production), ok("application/json", debug));
    }

    /** Of two texts in otherwise equal replies. */
    public Verdict text(String production, String debug) {
        return compare(ok("text/plain", production), ok("text/plain", debug));
    }

    /** With the header between the status line and an equal body. */
    public Verdict headers(String production, String debug) {
        return compare(withHeader(production), withHeader(debug));
    }

    /** A reply with such a header. */
    public static String withHeader(String header) {
        return "HTTP/1.1 200 OK\r\n" + header + "\r\nContent-Length: 2\r\n\r\nok";
    }

    /** A reply with such a body. */
    public static String ok(String type, String body) {
        int length = body.getBytes(StandardCharsets.UTF_8).length;
        return "HTTP/1.1 200 OK\r\nContent-Type: " + type + "\r\nContent-Length: " + length + "\r\n\r\n" + body;
    }

    /** A reply that is held whole. */
    public static HttpReply reply(String wire, Instant begun) {
        return reply(wire.getBytes(StandardCharsets.UTF_8), begun, 1 << 20);
    }

    /** A reply of which so much is held. */
    public static HttpReply reply(byte[] wire, Instant begun, int maxBody) {
        HttpReplyCapture capture = new HttpReplyCapture(maxBody);
        HttpReplyFramer framer = new HttpReplyFramer(capture);
        framer.feed(ByteBuffer.wrap(wire));
        framer.end();
        return capture.finish(begun, begun.plusMillis(20));
    }
}
