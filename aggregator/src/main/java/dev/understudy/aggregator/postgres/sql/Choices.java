package dev.understudy.aggregator.postgres.sql;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What one session has chosen of its settings, and what of that the end of its transaction, or ROLLBACK TO, undoes.
 * Maps are never changed but replaced, so that to keep one costs nothing. Names in lower case. Confined to its
 * connection.
 */
final class Choices {
    /** Memory of a setting, or a savepoint, besides its texts. */
    private static final long PER_SETTING = 96;

    private final Deque<Saved> saved = new ArrayDeque<>();
    private Map<String, String> atStart = Map.of();
    private Map<String, String> now = new TreeMap<>();
    private Map<String, String> committed = now;

    private long savedBytes;

    /** The maps of which the memory was counted last. */
    private Map<String, String> counted = Map.of();

    private Map<String, String> countedCommitted = Map.of();
    private long currentBytes;

    /** How it was at a savepoint, or at the transaction's beginning. */
    private record Saved(String savepoint, Map<String, String> now, Map<String, String> committed) {
        long bytes() {
            return PER_SETTING + 2L * savepoint.length() + Choices.bytes(now) + Choices.bytes(committed);
        }
    }

    /** Memory that all of it takes; what several of them share counts several times. */
    long heldBytes() {
        if (counted != now || countedCommitted != committed) {
            counted = now;
            countedCommitted = committed;
            currentBytes = bytes(now) + bytes(committed);
        }
        return currentBytes + savedBytes;
    }

    private static long bytes(Map<String, String> settings) {
        long bytes = 0;
        for (Map.Entry<String, String> one : settings.entrySet()) {
            bytes += PER_SETTING + 2L * (one.getKey().length() + one.getValue().length());
        }
        return bytes;
    }

    /** The session begins with these. */
    void start(Map<String, String> given) {
        atStart = new TreeMap<>(given);
        reset();
    }

    /** The session is as it was at its start. */
    void reset() {
        now = atStart;
        committed = atStart;
    }

    Map<String, String> now() {
        return now;
    }

    @Nullable
    String get(String name) {
        return now.get(name);
    }

    /** Whether a transaction block is open. */
    boolean open() {
        return !saved.isEmpty();
    }

    /** A transaction block begins, if none is open; false if one is. */
    boolean begin() {
        if (open()) {
            return false;
        }
        save("");
        PgTransactionModes.begun(now).forEach((mode, value) -> now = with(now, mode, value));
        return true;
    }

    /** The transaction block ends, if one is open. */
    void end(boolean kept) {
        if (open()) {
            now = kept ? committed : saved.getLast().now;
            committed = now;
            saved.clear();
            savedBytes = 0;
        }
    }

    /**
     * The transaction block has failed: what was set since its last savepoint is undone, but for the modes that it is
     * in.
     */
    void failed() {
        if (open()) {
            Map<String, String> modes = PgTransactionModes.of(now);
            now = saved.element().now;
            committed = saved.element().committed;
            modes.forEach((mode, value) -> now = with(now, mode, value));
        }
    }

    void savepoint(String name) {
        if (open()) {
            save(name);
        }
    }

    /** What was set since the savepoint stays, and the savepoint is gone. */
    void release(String name) {
        if (known(name)) {
            while (!back().savepoint.equals(name)) {
                // those since then are gone with it
            }
        }
    }

    /** What was set since the savepoint is undone, and the savepoint stays. */
    void rollbackTo(String name) {
        if (known(name)) {
            Saved at = back();
            while (!at.savepoint.equals(name)) {
                at = back();
            }
            now = at.now;
            committed = at.committed;
            save(name);
        }
    }

    private void save(String name) {
        Saved one = new Saved(name, now, committed);
        saved.push(one);
        savedBytes += one.bytes();
    }

    private Saved back() {
        Saved one = saved.pop();
        savedBytes -= one.bytes();
        return one;
    }

    private boolean known(String name) {
        return !name.isEmpty() && saved.stream().anyMatch(one -> one.savepoint.equals(name));
    }

    /** Sets one; null brings back what the session began with. Locally has no effect outside a block. */
    void set(String name, @Nullable String value, boolean locally) {
        if (locally && !open()) {
            return;
        }
        String chosen = value == null ? atStart.get(name) : value;
        now = with(now, name, chosen);
        committed = locally ? committed : with(committed, name, chosen);
    }

    private static Map<String, String> with(Map<String, String> before, String name, @Nullable String value) {
        Map<String, String> after = new TreeMap<>(before);
        if (value == null) {
            after.remove(name);
        } else {
            after.put(name, value);
        }
        return after;
    }
}
