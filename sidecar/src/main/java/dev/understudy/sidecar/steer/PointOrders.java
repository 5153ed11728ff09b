package dev.understudy.sidecar.steer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The order {@code points}: what debug JVMs are asked at places of their code, as log points, snapshots and watched
 * fields. Whether a condition or a message can be read is for the agents to say. For any threads, guarded by this.
 */
public final class PointOrders {
    private static final String KIND = "points";
    private static final int MOST_POINTS = 50;
    private static final int LONGEST_METHOD = 500;
    private static final int LONGEST_TEXT = 1000;
    private static final double SLOWEST = 1 / 3600.0;
    private static final double FASTEST = 1000;
    private static final int LARGEST_QUOTA = 1_000_000;
    /** Kotlin's and Scala's methods may have spaces in their names. */
    private static final Pattern METHOD =
            Pattern.compile("[^\\s#]+#[^\\s\\p{Cntrl}#](?:[^\\p{Cntrl}#]*[^\\s\\p{Cntrl}#])?");

    /** As those of probes, but what can be reached from a method. */
    private static final Pattern PATTERN = Pattern.compile("(?!from:)[^\\s\\p{Cntrl}#]+");

    private static final Pattern AT = Pattern.compile("entry|exit|throw|line:[1-9][0-9]{0,6}|reads|writes|both");

    private static final Set<String> OF_FIELD = Set.of("reads", "writes", "both");

    private final Orders orders;
    private final Map<String, Point> points = new LinkedHashMap<>();
    private int named;

    /**
     * What is asked, and where. Immutable.
     *
     * @param id its name, which no other has in the sidecar's life
     * @param method a class's full name, {@code #}, a method's name, and its parameters if it isn't the only one; or a
     *     pattern as of probes; or a field's name
     * @param at {@code entry}, {@code exit}, {@code throw} or {@code line:42}; of a field {@code reads}, {@code writes}
     *     or {@code both}
     * @param snapshot whether it takes all values, without a message
     * @param when the condition, or ""
     * @param rate how often a second it is told at most
     * @param quota how often in all
     */
    public record Point(
            String id,
            String method,
            String at,
            boolean snapshot,
            String message,
            String when,
            double rate,
            int quota) {
        public Point {
            expect(
                    (METHOD.matcher(method).matches() && !method.startsWith("from:"))
                            || (PATTERN.matcher(method).matches() && !OF_FIELD.contains(at)),
                    "method",
                    method,
                    "a class and a method such as com.shop.Cart#total or com.shop.Cart#total(int,String), or a pattern "
                            + "such as com.shop.*Cart#total, com.shop.* or @jakarta.ws.rs.GET");
            expect(method.length() <= LONGEST_METHOD, "method", method, "at most " + LONGEST_METHOD + " characters");
            expect(
                    AT.matcher(at).matches(),
                    "at",
                    at,
                    "entry, exit, throw or line:42; of a field reads, writes or both");
            expect(
                    snapshot == message.isEmpty() && message.length() <= LONGEST_TEXT,
                    "message",
                    message,
                    snapshot ? "none, for a snapshot" : "a text of at most " + LONGEST_TEXT + " characters");
            expect(
                    when.length() <= LONGEST_TEXT,
                    "when",
                    when,
                    "a condition of at most " + LONGEST_TEXT + " characters");
            expect(rate >= SLOWEST && rate <= FASTEST, "rate", rate, "1/h to 1000/s");
            expect(quota >= 1 && quota <= LARGEST_QUOTA, "quota", quota, "1 to " + LARGEST_QUOTA);
        }

        private static void expect(boolean held, String name, Object value, String expected) {
            if (!held) {
                throw new IllegalArgumentException(name + ": " + value + " (expected: " + expected + ")");
            }
        }

        private Map<String, Object> ordered() {
            Map<String, Object> ordered = new LinkedHashMap<>();
            ordered.put("id", id);
            ordered.put("method", method);
            ordered.put("at", at);
            if (!snapshot) {
                ordered.put("message", message);
            }
            ordered.put("when", when);
            ordered.put("rate", rate);
            ordered.put("quota", quota);
            return ordered;
        }
    }

    /** Nothing is asked. */
    public PointOrders(Orders orders) {
        this.orders = orders;
    }

    /**
     * Asks one thing more; its id is given here.
     *
     * @throws IllegalArgumentException if there are too many
     */
    public synchronized Point add(
            String method, String at, boolean snapshot, String message, String when, double rate, int quota) {
        if (points.size() >= MOST_POINTS) {
            throw new IllegalArgumentException(
                    "points: " + (points.size() + 1) + " (expected: at most " + MOST_POINTS + "; remove some)");
        }
        Point point = new Point(
                (OF_FIELD.contains(at) ? "w" : "p") + (named + 1), method, at, snapshot, message, when, rate, quota);
        named++;
        points.put(point.id(), point);
        tell();
        return point;
    }

    /** Asks it no more; false if it wasn't asked. */
    public synchronized boolean remove(String id) {
        boolean was = points.remove(id) != null;
        tell();
        return was;
    }

    /** What is asked, the oldest first. */
    public synchronized List<Point> points() {
        return List.copyOf(points.values());
    }

    private void tell() {
        List<Map<String, Object>> all = new ArrayList<>();
        points.values().forEach(point -> all.add(point.ordered()));
        orders.order(KIND, all.isEmpty() ? null : Map.of(KIND, all));
    }
}
