package dev.understudy.aggregator.http.stub;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The stubs of one upstream, in the order in which they are asked. Immutable. */
public final class Stubs {
    /** Bytes of a request's body that patterns are held against. */
    public static final int LONGEST_BODY = 256 << 10;

    /** No stub. */
    public static final Stubs NONE = new Stubs(List.of());

    private final List<Stub> stubs;

    /** @param read as they were read: of those with one priority the last is asked first */
    Stubs(List<Stub> read) {
        List<Stub> sorted = new ArrayList<>(read);
        Collections.reverse(sorted);
        sorted.sort(Comparator.comparingInt(Stub::priority));
        stubs = List.copyOf(sorted);
    }

    /** Whether there is none. */
    public boolean isEmpty() {
        return stubs.isEmpty();
    }

    /** How many there are. */
    public int size() {
        return stubs.size();
    }

    /** The stub that answers a request; null if none does. */
    public @Nullable Stub find(StubRequest request) {
        for (Stub stub : stubs) {
            if (stub.request().fits(request)) {
                return stub;
            }
        }
        return null;
    }

    @Override
    public String toString() {
        return stubs.size() + " stubs";
    }
}
