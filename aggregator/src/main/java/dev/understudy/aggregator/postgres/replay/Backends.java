package dev.understudy.aggregator.postgres.replay;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The debug sessions of one upstream by the process ids they were told, for cancel requests. Safe for all threads. */
public final class Backends {
    private final Map<Integer, Runnable> cancels = new ConcurrentHashMap<>();

    /** {@code cancel} is run on whatever thread. */
    void register(int id, Runnable cancel) {
        cancels.put(id, cancel);
    }

    void unregister(int id) {
        cancels.remove(id);
    }

    /** Does nothing if there is no such session. */
    void cancel(int id) {
        Runnable cancel = cancels.get(id);
        if (cancel != null) {
            cancel.run();
        }
    }
}
