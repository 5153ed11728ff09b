package dev.understudy.relay.control;

import java.time.Duration;

/**
 * What the callers of a control port may take of the process, all together, and how long they may take for it.
 *
 * @param connections open at a time
 * @param streams of these, may follow events
 * @param ofCaller of these, may receive bodies of, or send events to, the holders of one token, or those without one
 *     where they may call
 * @param ofNobody of these, may be at work for those of whom no token is asked
 * @param bodyBytes of all bodies that are being received; each has {@link RequestBody#FREE} besides
 * @param replyBytes of all replies that aren't taken yet; each has {@link ReplyWriter#FREE} besides
 * @param handshake until TLS is agreed on, where the port speaks it
 * @param head until the first request's head is complete
 * @param idle from a reply to the next request's head
 * @param bodyStall without a byte of a body
 * @param body until a body is complete
 * @param replyStall until a piece of a reply, or an event, is taken
 * @param reply until a reply is taken
 * @param linger for what a caller still sends after the last reply
 */
record ControlLimits(
        int connections,
        int streams,
        int ofCaller,
        int ofNobody,
        long bodyBytes,
        long replyBytes,
        Duration handshake,
        Duration head,
        Duration idle,
        Duration bodyStall,
        Duration body,
        Duration replyStall,
        Duration reply,
        Duration linger) {
    private static final long BODY_BYTES = 16 << 20;
    private static final long REPLY_BYTES = 32 << 20;

    /**
     * The usual ones: half of the connections may follow events, and half be one token's; together with those that need
     * no token it leaves a quarter. Bodies and replies have less of a heap below 256 MiB.
     */
    static ControlLimits of(int connections, long heap) {
        return new ControlLimits(
                connections,
                Math.max(1, connections / 2),
                Math.max(1, connections / 2),
                Math.max(1, connections / 4),
                Math.min(BODY_BYTES, heap / 16),
                Math.min(REPLY_BYTES, heap / 8),
                Duration.ofSeconds(10),
                Duration.ofSeconds(10),
                Duration.ofSeconds(60),
                Duration.ofSeconds(10),
                Duration.ofSeconds(60),
                Duration.ofSeconds(30),
                Duration.ofSeconds(120),
                Duration.ofSeconds(5));
    }
}
