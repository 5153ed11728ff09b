package dev.understudy.aggregator.sql;

import java.util.ArrayList;
import java.util.List;

/** The savepoints of one debug transaction, in the order in which they were set. Not for several threads. */
public final class Savepoints {
    /** Memory of a savepoint besides its name. */
    private static final long PER_SAVEPOINT = 64;

    private final List<String> names = new ArrayList<>();
    private long bytes;

    /** One more; another of the same name, if there is one, is still there below it. */
    public void set(String name) {
        names.add(name);
        bytes += cost(name);
    }

    /** One more in the place of any other of the same name. */
    public void replace(String name) {
        bytes -= names.remove(name) ? cost(name) : 0;
        set(name);
    }

    /** Forgets the savepoints since this one and, if so wanted, itself; false if there is none of the name. */
    public boolean backTo(String name, boolean inclusive) {
        int at = names.lastIndexOf(name);
        if (at < 0) {
            return false;
        }
        List<String> since = names.subList(inclusive ? at : at + 1, names.size());
        since.forEach(one -> bytes -= cost(one));
        since.clear();
        return true;
    }

    /** Memory that they take. */
    public long heldBytes() {
        return bytes;
    }

    /** Whether there is one. */
    public boolean any() {
        return !names.isEmpty();
    }

    /** Forgets all. */
    public void clear() {
        names.clear();
        bytes = 0;
    }

    private static long cost(String name) {
        return PER_SAVEPOINT + 2L * name.length();
    }
}
