package dev.understudy.aggregator.http.grpc;

import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * What the debug JVM has said of a call, and nobody has compared yet: a hash of each message. Confined to one thread.
 */
final class SaidAhead {
    /** Those of one frame come at once, however much is said already: a message takes five bytes at least. */
    private static final int FRAME = (16 << 10) / 5;

    private static final long PER_HASH = 56;

    private final Queue<byte[]> hashes = new ArrayDeque<>();
    private byte[] first = {};
    private boolean forgotten;
    private boolean lost;

    void add(byte[] hash) {
        first = GrpcForms.with(first, hash);
        if (forgotten) {
            return;
        }
        lost |= hashes.size() >= GrpcMessages.MOST + FRAME;
        if (!lost) {
            hashes.add(hash);
        }
    }

    /** Memory that the hashes take. */
    long heldBytes() {
        return PER_HASH * hashes.size();
    }

    /** The first messages of all, {@value GrpcForms#MOST_FIRST} at most; empty if none is complete. */
    byte[] first() {
        return first;
    }

    /** The next message; null if there is none. */
    byte @Nullable [] next() {
        return hashes.poll();
    }

    boolean isEmpty() {
        return hashes.isEmpty();
    }

    /** Whether the debug JVM should say no more before some of this is compared. */
    boolean full() {
        return hashes.size() >= GrpcMessages.MOST;
    }

    /** Whether it did, so that what follows these messages isn't known. */
    boolean lost() {
        return lost;
    }

    /** Nobody compares them. */
    void forget() {
        forgotten = true;
        lost = false;
        hashes.clear();
    }
}
