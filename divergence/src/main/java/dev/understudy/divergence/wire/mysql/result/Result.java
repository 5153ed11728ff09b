package dev.understudy.divergence.wire.mysql.result;

import java.util.List;

/**
 * One result of a statement, free of what depends on the client's capabilities alone. Bytes are shared, never changed.
 */
public sealed interface Result permits ResultEnd, Rows {

    /** How it ended, from which the session's status is known. */
    ResultEnd ending();

    /** Bytes that it holds, payloads with what an object and its place in a list cost. */
    long bytes();

    /** What payloads in a list hold. */
    static long bytes(List<byte[]> payloads) {
        long bytes = 0;
        for (byte[] payload : payloads) {
            bytes += 24L + payload.length;
        }
        return bytes;
    }
}
