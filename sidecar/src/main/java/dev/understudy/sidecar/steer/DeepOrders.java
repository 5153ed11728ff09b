package dev.understudy.sidecar.steer;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The order {@code deepen}: of which classes agents look at branches, values and locks. What the operator wants and
 * what the search finds promising stand side by side in it, so that neither takes back what the other has asked for;
 * agents have the operator's first. For any threads, guarded by this.
 */
public final class DeepOrders {
    private static final String KIND = "deepen";

    private final Orders orders;
    private Set<String> patterns = Set.of();
    private List<String> classes = List.of();
    private List<String> methods = List.of();

    /** Nothing is ordered. */
    public DeepOrders(Orders orders) {
        this.orders = orders;
    }

    /** What the operator wants there. */
    synchronized Set<String> patterns() {
        return new LinkedHashSet<>(patterns);
    }

    /** The operator wants these there, and no others. */
    synchronized void order(Set<String> wanted) {
        patterns = new LinkedHashSet<>(wanted);
        tell();
    }

    /**
     * The search wants these there, and no others.
     *
     * @param names the classes, the most promising first
     * @param suspected methods that get a larger share of the samples
     */
    public synchronized void search(List<String> names, List<String> suspected) {
        classes = List.copyOf(names);
        methods = List.copyOf(suspected);
        tell();
    }

    /** The classes that the search wants looked into now, the most promising first. */
    public synchronized List<String> searched() {
        return classes;
    }

    private void tell() {
        Map<String, Object> wanted = new LinkedHashMap<>();
        if (!patterns.isEmpty()) {
            wanted.put("patterns", List.copyOf(patterns));
        }
        if (!classes.isEmpty() || !methods.isEmpty()) {
            wanted.put("classes", classes);
            wanted.put("methods", methods);
        }
        orders.order(KIND, wanted.isEmpty() ? null : wanted);
    }
}
