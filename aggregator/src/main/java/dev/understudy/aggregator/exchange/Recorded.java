package dev.understudy.aggregator.exchange;

/**
 * One complete exchange that production had with an upstream.
 *
 * @param id grows in the order of recording, from 1; below 0 for what an earlier process recorded
 * @param form what was asked
 * @param connection production's connection
 * @param startNanos when the request's first byte arrived ({@code System.nanoTime})
 * @param endNanos when the reply's last byte arrived
 * @param reply what the upstream answered
 */
public record Recorded<R extends RecordedReply>(
        long id, Form form, long connection, long startNanos, long endNanos, R reply) {
    /** Bytes of an exchange besides its reply and its form's text: objects, links and the share of the tables. */
    public static final long OVERHEAD = 200;

    /** The same under an equal form. */
    public Recorded<R> asked(Form equal) {
        return new Recorded<>(id, equal, connection, startNanos, endNanos, reply);
    }

    /** Bytes of memory that it takes in a journal. */
    public long bytes() {
        return OVERHEAD + form.textBytes() + reply.bytes();
    }
}
