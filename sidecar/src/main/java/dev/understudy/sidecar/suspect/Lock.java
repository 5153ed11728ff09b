package dev.understudy.sidecar.suspect;

import java.util.List;

/**
 * A place where a method takes a lock.
 *
 * @param line where that is; 0 if the method is synchronized
 * @param lock what it is called there; empty if that isn't known
 */
record Lock(String method, int line, String lock) implements Inside {
    /** In the order of the agent's numbers. */
    private static final List<String> WORDS =
            List.of("got at once", "waited 1 ms or more for", "waited 10 ms or more for", "waited 100 ms or more for");

    @Override
    public Lock site() {
        return this;
    }

    @Override
    public int kinds() {
        return WORDS.size();
    }

    @Override
    public String words(int kind) {
        return WORDS.get(kind)
                + (lock.isEmpty() ? " a lock" : " the lock " + lock)
                + (line > 0 ? " at line " + line : "");
    }

    @Override
    public boolean isDeep() {
        return false;
    }

    @Override
    public boolean accuses(int kind) {
        return kind > 0;
    }
}
