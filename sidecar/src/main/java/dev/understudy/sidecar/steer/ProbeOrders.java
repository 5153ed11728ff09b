package dev.understudy.sidecar.steer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The order {@code probes}: rules by which agents arm probes and switch them off, of which the last one that means a probe
 * decides. For any threads, guarded by this.
 */
public final class ProbeOrders {
    private static final String KIND = "probes";
    private static final int MOST_RULES = 100;
    private static final int LONGEST_PATTERN = 300;

    private final Orders orders;
    private final Map<String, String> stances = new LinkedHashMap<>();

    /** Nothing is ordered. */
    public ProbeOrders(Orders orders) {
        this.orders = orders;
    }

    /**
     * Orders more, or other: what is named last decides over what was ordered before.
     *
     * @param arm patterns of probes that are to have a part of the budget always
     * @param disarm patterns of probes that are not to be sampled
     * @param reset patterns that were ordered and are to be forgotten
     * @throws IllegalArgumentException if one isn't a pattern, isn't ordered, or they are too many; then nothing is changed
     */
    public synchronized void order(List<String> arm, List<String> disarm, List<String> reset) {
        Map<String, String> changed = new LinkedHashMap<>(stances);
        for (String pattern : reset) {
            if (changed.remove(pattern) == null) {
                throw new IllegalArgumentException("reset: " + pattern + " isn't ordered (expected: "
                        + (changed.isEmpty()
                                ? "nothing, since nothing is"
                                : "one of " + String.join(", ", changed.keySet()))
                        + ")");
            }
        }
        put(changed, "arm", arm, "armed");
        put(changed, "disarm", disarm, "off");
        if (changed.size() > MOST_RULES) {
            throw new IllegalArgumentException(
                    "patterns: " + changed.size() + " (expected: at most " + MOST_RULES + "; reset some)");
        }
        stances.clear();
        stances.putAll(changed);
        tell();
    }

    /** Leaves all probes to the controller again. */
    public synchronized void reset() {
        stances.clear();
        tell();
    }

    private static void put(Map<String, String> changed, String named, List<String> patterns, String stance) {
        for (String pattern : patterns) {
            boolean plain = pattern.chars().noneMatch(c -> Character.isWhitespace(c) || Character.isISOControl(c));
            if (pattern.isEmpty() || pattern.length() > LONGEST_PATTERN || !plain) {
                throw new IllegalArgumentException(
                        named + ": " + pattern
                                + " (expected: a pattern such as com.shop.*Cart#total, com.shop.*, @jakarta.ws.rs.GET or from:com.shop.CartServlet#doGet)");
            }
            changed.remove(pattern);
            changed.put(pattern, stance);
        }
    }

    private void tell() {
        List<Map<String, String>> rules = new ArrayList<>();
        stances.forEach((pattern, stance) -> rules.add(Map.of("pattern", pattern, "stance", stance)));
        orders.order(KIND, rules.isEmpty() ? null : Map.of("rules", rules));
    }
}
