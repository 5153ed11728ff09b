package dev.understudy.aggregator.postgres.replay;

import dev.understudy.aggregator.sql.ReplayPosition;
import dev.understudy.aggregator.sql.SqlSpelling;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The debug sessions of one upstream: by the process ids and secrets they were told, for cancel requests, and how far
 * they have come. Safe for all threads.
 */
public final class Backends {
    private final Map<Key, Runnable> cancels = new ConcurrentHashMap<>();
    private final ReplayPosition position = new ReplayPosition(null);
    private final SqlSpelling spelling;

    /** Those of an upstream where white space and comments don't count. */
    public Backends() {
        this(SqlSpelling.MEANING);
    }

    /** Those of an upstream where white space and comments count by their bytes or don't. */
    public Backends(SqlSpelling spelling) {
        this.spelling = spelling;
    }

    /** Whether white space and comments count. */
    SqlSpelling spelling() {
        return spelling;
    }

    /** How far all sessions have come. */
    ReplayPosition position() {
        return position;
    }

    /** {@code cancel} is run on whatever thread. */
    void register(int id, int secret, Runnable cancel) {
        cancels.put(new Key(id, secret), cancel);
    }

    void unregister(int id, int secret) {
        cancels.remove(new Key(id, secret));
    }

    /** Does nothing if there is no such session. */
    void cancel(int id, int secret) {
        Runnable cancel = cancels.get(new Key(id, secret));
        if (cancel != null) {
            cancel.run();
        }
    }

    /** What a cancel request has to know. */
    private record Key(int id, int secret) {}
}
