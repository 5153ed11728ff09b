package dev.understudy.aggregator.sql;

import java.util.ArrayList;
import java.util.List;

/** The savepoints of one debug transaction, in the order in which they were set. Not for several threads. */
public final class Savepoints {
    private final List<String> names = new ArrayList<>();

    /** One more; another of the same name, if there is one, is still there below it. */
    public void set(String name) {
        names.add(name);
    }

    /** One more in the place of any other of the same name. */
    public void replace(String name) {
        names.remove(name);
        names.add(name);
    }

    /** Forgets the savepoints since this one and, if so wanted, itself; false if there is none of the name. */
    public boolean backTo(String name, boolean inclusive) {
        int at = names.lastIndexOf(name);
        if (at < 0) {
            return false;
        }
        names.subList(inclusive ? at : at + 1, names.size()).clear();
        return true;
    }

    /** Whether there is one. */
    public boolean any() {
        return !names.isEmpty();
    }

    /** Forgets all. */
    public void clear() {
        names.clear();
    }
}
