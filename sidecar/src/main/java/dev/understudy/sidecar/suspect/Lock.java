package dev.understudy.sidecar.suspect;

import java.util.List;

/**
 * A place where a method takes a lock.
 *
 * @param line where that is; 0 if the method is synchronized
 * @param lock what it is called there; empty if that isn't known
 */
record Lock(String method, int line, String lock) implements Inside {
    /** In the order of the agent's numbers; the star stands for the lock. */
    private static final List<String> WORDS = List.of(
            "got * at once",
            "waited 1 ms or more for *",
            "waited 10 ms or more for *",
            "waited 100 ms or more for *",
            "held * for less than 1 ms",
            "held * for 1 ms or more",
            "held * for 10 ms or more",
            "held * for 100 ms or more");

    /** Those from here on are about having the lock, the others about getting it. */
    private static final int HELD = 4;

    @Override
    public Lock site() {
        return this;
    }

    @Override
    public int ownLine() {
        return line;
    }

    @Override
    public int kinds() {
        return WORDS.size();
    }

    @Override
    public String words(int kind) {
        String where = line == 0 ? "" : (kind < HELD ? " at line " : " taken at line ") + line;
        return WORDS.get(kind).replace("*", (lock.isEmpty() ? "a lock" : "the lock " + lock) + where);
    }

    @Override
    public boolean isDeep() {
        return false;
    }

    @Override
    public boolean accuses(int kind) {
        return kind != 0 && kind != HELD;
    }
}
