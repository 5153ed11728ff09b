package dev.understudy.observatory.event;

/**
 * One request of one tier with its reply, as it passed the relay before that tier.
 *
 * @param tier the tier that answered, as the caller named it
 * @param route what kind of request it was: method and path without query of HTTP, else the first word
 * @param connection unique among its tier's connections
 * @param startMicros when the request's first byte arrived, epoch microseconds
 * @param endMicros when the reply's last byte had come, at least {@code startMicros}
 * @param requestBytes how long the request was
 * @param replyBytes how long the reply was
 * @param status HTTP's status; 0 where the protocol has none or it isn't known
 * @param sure whether the protocol was read; otherwise a request is all that came before the reply began
 */
public record TierExchange(
        String tier,
        String route,
        long connection,
        long startMicros,
        long endMicros,
        long requestBytes,
        long replyBytes,
        int status,
        boolean sure) {
    public TierExchange {
        if (endMicros < startMicros) {
            throw new IllegalArgumentException("it ends " + (startMicros - endMicros) + " µs before it begins");
        }
    }
}
