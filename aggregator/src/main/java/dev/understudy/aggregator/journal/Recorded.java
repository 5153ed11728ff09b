package dev.understudy.aggregator.journal;

/**
 * One complete exchange that production had with an upstream.
 *
 * @param id grows in the order of recording, from 1
 * @param form what was asked
 * @param connection production's connection
 * @param startNanos when the request's first byte arrived ({@code System.nanoTime})
 * @param endNanos when the reply's last byte arrived
 * @param reply what the upstream answered
 */
public record Recorded<R extends Reply>(long id, Form form, long connection, long startNanos, long endNanos, R reply) {
    /** Bytes of an entry besides its reply and its form's text: objects, links and the share of the hash table. */
    static final long OVERHEAD = 200;

    long bytes() {
        return OVERHEAD + 2L * form.text().length() + reply.bytes();
    }
}
