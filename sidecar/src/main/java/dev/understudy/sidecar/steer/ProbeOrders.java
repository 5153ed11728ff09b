package dev.understudy.sidecar.steer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The order {@code probes}: rules by which agents arm probes and switch them off, of which the last one that means a
 * probe decides. And what the operator wants of {@link DeepOrders}. For any threads, guarded by this.
 */
public final class ProbeOrders {
    private static final String KIND = "probes";
    private static final int MOST_RULES = 100;
    private static final int LONGEST_PATTERN = 300;

    /** Spaces may stand in a method's name, as Kotlin's and Scala's have them, and between its parameters. */
    private static final Pattern PATTERN =
            Pattern.compile("[^\\s\\p{Cntrl}]+|[^\\s\\p{Cntrl}#]+#[^\\s\\p{Cntrl}](?:[^\\p{Cntrl}]*[^\\s\\p{Cntrl}])?");

    private final Orders orders;
    private final DeepOrders deep;
    private final Map<String, String> stances = new LinkedHashMap<>();

    /** Nothing is ordered. */
    public ProbeOrders(Orders orders, DeepOrders deep) {
        this.orders = orders;
        this.deep = deep;
    }

    /**
     * Patterns that are ordered, and those that are taken back.
     *
     * @param arm of probes that are to have a part of the budget always
     * @param disarm of probes that are not to be sampled
     * @param deepen of probes whose classes are to be looked into
     * @param shallow that were ordered to be looked into, and are so no more
     * @param reset that were ordered, to whatever end, and are to be forgotten
     */
    public record Change(
            List<String> arm, List<String> disarm, List<String> deepen, List<String> shallow, List<String> reset) {}

    /**
     * Orders more, or other: what is named last decides over what was ordered before.
     *
     * @throws IllegalArgumentException if one isn't a pattern, isn't ordered, or they are too many; then nothing is
     *     changed
     */
    public synchronized void order(Change change) {
        Map<String, String> changed = new LinkedHashMap<>(stances);
        Set<String> deepened = deep.patterns();
        for (String pattern : change.reset()) {
            boolean deeper = deepened.remove(pattern);
            if (changed.remove(pattern) == null && !deeper) {
                Set<String> all = new LinkedHashSet<>(changed.keySet());
                all.addAll(deepened);
                throw notOrdered("reset", pattern, all);
            }
        }
        for (String pattern : change.shallow()) {
            if (!deepened.remove(pattern)) {
                throw notOrdered("shallow", pattern, deepened);
            }
        }
        put(changed, "arm", change.arm(), "armed");
        put(changed, "disarm", change.disarm(), "off");
        change.deepen().forEach(pattern -> expectPattern("deepen", pattern));
        deepened.addAll(change.deepen());
        int count = changed.size() + deepened.size();
        if (count > MOST_RULES) {
            throw new IllegalArgumentException(
                    "patterns: " + count + " (expected: at most " + MOST_RULES + "; reset some)");
        }
        stances.clear();
        stances.putAll(changed);
        deep.order(deepened);
        tell();
    }

    /** Leaves all probes to the controller and the search again. */
    public synchronized void reset() {
        stances.clear();
        deep.order(Set.of());
        tell();
    }

    private static IllegalArgumentException notOrdered(String named, String pattern, Set<String> ordered) {
        return new IllegalArgumentException(named + ": " + pattern + " isn't ordered (expected: "
                + (ordered.isEmpty() ? "nothing, since nothing is" : "one of " + String.join(", ", ordered)) + ")");
    }

    private static void put(Map<String, String> changed, String named, List<String> patterns, String stance) {
        for (String pattern : patterns) {
            expectPattern(named, pattern);
            changed.remove(pattern);
            changed.put(pattern, stance);
        }
    }

    private static void expectPattern(String named, String pattern) {
        if (pattern.length() > LONGEST_PATTERN || !PATTERN.matcher(pattern).matches()) {
            throw new IllegalArgumentException(
                    named + ": " + pattern + " (expected: a pattern such as com.shop.*Cart#total, com.shop.*, "
                            + "@jakarta.ws.rs.GET or from:com.shop.CartServlet#doGet)");
        }
    }

    private void tell() {
        List<Map<String, String>> rules = new ArrayList<>();
        stances.forEach((pattern, stance) -> rules.add(Map.of("pattern", pattern, "stance", stance)));
        orders.order(KIND, rules.isEmpty() ? null : Map.of("rules", rules));
    }
}
