package dev.understudy.sidecar.flame;

import dev.understudy.divergence.content.Folding;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Of which routes the exchanges were that debug JVMs have ended lately: the newest {@code 1 << }{@value #BITS} or so of
 * them are known, and none before an agent has told of anything. For any threads; never waits.
 */
public final class RecentExchanges {
    static final int BITS = 14;

    /** Later the same port may be another connection's; agents tell of theirs within seconds. */
    private static final long KNOWN_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final int LONGEST_REQUEST = 500;

    /** By their keys' hashes; a later one takes an earlier one's place. */
    private final AtomicReferenceArray<@Nullable Ended> endings = new AtomicReferenceArray<>(1 << BITS);

    private final LongSupplier nanoTime;
    private volatile boolean wanted;

    /** @param nanoTime {@link System#nanoTime()}, or a test's */
    public RecentExchanges(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** By what both sides know an exchange: its debug span, or where its request's bytes were; empty if by nothing. */
    public static String key(String span, int port, long from) {
        return !span.isEmpty() ? span : port > 0 ? port + "@" + from : "";
    }

    /** An exchange of that debug JVM has ended; for lane loops. */
    public void ended(String debug, String key, String listener, String request) {
        if (wanted && !key.isEmpty()) {
            String kept = Folding.shortened(request, LONGEST_REQUEST);
            endings.lazySet(slot(key), new Ended(nanoTime.getAsLong(), key, debug, listener, kept));
        }
    }

    /** From now on they are remembered. */
    void want() {
        wanted = true;
    }

    /** Where that exchange belongs; null if it isn't over yet, or was too long ago. */
    @Nullable
    FramePlace of(String key) {
        Ended ended = endings.get(slot(key));
        return ended == null || !ended.key().equals(key) || nanoTime.getAsLong() - ended.at() > KNOWN_NANOS
                ? null
                : new FramePlace(ended.listener(), ended.debug(), Folding.route(ended.request()));
    }

    private static int slot(String key) {
        int hash = key.hashCode() * 0x9E3779B9;
        return hash >>> (Integer.SIZE - BITS);
    }

    private record Ended(long at, String key, String debug, String listener, String request) {}
}
