package dev.understudy.aggregator.redis.push;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What one production connection that has its reads tracked was told to forget: of each key the last time.
 *
 * <p>Where that grows beyond a bound, all of it counts as told, which costs a cache its contents and makes nothing
 * stale. Safe for all threads: guarded by {@code this}; followers are told outside of the lock.
 */
public final class Invalidations {
    private static final long MOST_BYTES = 1 << 20;

    private final @Nullable Invalidations redirection;
    private final boolean timed;
    private final Map<String, Told> keys = new HashMap<>();
    private final Set<Consumer<List<String>>> followers = new LinkedHashSet<>();
    private @Nullable Told all;
    private long count;
    private long bytes;
    private boolean over;
    private volatile boolean redirected;

    /** Those of a connection about its own reads. */
    public Invalidations() {
        this(null, false);
    }

    private Invalidations(@Nullable Invalidations redirection, boolean timed) {
        this.redirection = redirection;
        this.timed = timed;
    }

    /**
     * Those of a connection about reads of others: positions are points in time, since their requests and what is told
     * here come by several connections.
     */
    public static Invalidations ofOthers() {
        return new Invalidations(null, true);
    }

    /** Those about the reads of a connection that has them told here; {@link #end} is about its own end. */
    public Invalidations redirected() {
        redirected = true;
        return new Invalidations(this, true);
    }

    /** Whether any connection has had them told here. */
    public boolean isRedirected() {
        return redirected;
    }

    /** How often it was told something so far. */
    public synchronized long position() {
        return count;
    }

    /** The server told it to forget these keys; none means all keys. */
    public void told(List<String> forgotten, long nanos) {
        List<Consumer<List<String>>> hear;
        synchronized (this) {
            Told told = new Told(timed ? nanos : count++, nanos);
            for (String key : forgotten) {
                bytes += keys.put(key, told) == null ? 128L + 2L * key.length() : 0;
            }
            if (forgotten.isEmpty() || bytes > MOST_BYTES) {
                keys.clear();
                bytes = 0;
                all = told;
            }
            hear = new ArrayList<>(followers);
        }
        hear.forEach(follower -> follower.accept(forgotten));
    }

    /** It is told nothing more, for whatever reason: what its reads said may change unheard. */
    public void end(long nanos) {
        synchronized (this) {
            over = true;
        }
        told(List.of(), nanos);
    }

    /** When it was told to forget a key, at this position or later; null if it wasn't. */
    public @Nullable Long since(String key, long position) {
        Long own = ownSince(key, position);
        return own == null && redirection != null ? redirection.since(key, position) : own;
    }

    private synchronized @Nullable Long ownSince(String key, long position) {
        Told told = keys.get(key);
        if (told != null && told.index >= position) {
            return told.nanos;
        }
        return all != null && (over || all.index >= position) ? all.nanos : null;
    }

    /** Has a follower told, on any thread, which keys are to be forgotten; none means all. */
    public void follow(Consumer<List<String>> follower) {
        synchronized (this) {
            followers.add(follower);
        }
        if (redirection != null) {
            redirection.follow(follower);
        }
    }

    /** Has it told no more. */
    public void leave(Consumer<List<String>> follower) {
        synchronized (this) {
            followers.remove(follower);
        }
        if (redirection != null) {
            redirection.leave(follower);
        }
    }

    private record Told(long index, long nanos) {}
}
