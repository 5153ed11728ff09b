package dev.understudy.standin.learn;

import dev.understudy.divergence.wire.http.ReplyHead;
import dev.understudy.divergence.wire.http.RequestHead;

/**
 * One request of a recording with its reply.
 *
 * @param requestBody its first bytes, at most {@link CallPairs#MOST_BODY}
 * @param requestBytes how long the request's body was on the wire
 * @param arrivedNanos when its last byte had come
 * @param replyBody its first bytes, likewise
 * @param replyBytes how long the reply's body was on the wire
 * @param endedNanos when the reply's last byte had come
 */
record RecordedCall(
        long connection,
        RequestHead request,
        byte[] requestBody,
        long requestBytes,
        long arrivedNanos,
        ReplyHead reply,
        byte[] replyBody,
        long replyBytes,
        long endedNanos) {}
