package dev.understudy.sidecar.steer;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What points of debug JVMs have told, the newest of it, and how each of them fares. For any threads, guarded by this.
 */
public final class HitStore {
    private static final int MOST_HITS = 2000;
    /** What they may take on the heap, about. */
    private static final long MOST_BYTES = 8 << 20;
    /** A text takes so much besides its characters, and its place among others. */
    private static final int TEXT_BYTES = 64;

    private static final int MOST_FARES = 1000;

    private final Deque<Hit> hits = new ArrayDeque<>();
    private final Map<String, Fare> fares = new LinkedHashMap<>();
    private long bytes;
    private long last;

    /**
     * Something that was told.
     *
     * @param number counts all that were told in the sidecar's life, from 1
     * @param trace its trace's id, or ""
     * @param span its exchange's debug span, or ""
     * @param text of a log point, "" for a snapshot
     * @param values of a snapshot, by name
     */
    public record Hit(
            long number,
            String agent,
            String point,
            String place,
            long millis,
            String thread,
            String trace,
            String span,
            String text,
            Map<String, String> values,
            List<String> stack) {
        private long bytes() {
            long bytes = 4 * TEXT_BYTES + bytes(text) + bytes(place) + bytes(thread) + bytes(trace) + bytes(span);
            for (Map.Entry<String, String> value : values.entrySet()) {
                bytes += TEXT_BYTES + bytes(value.getKey()) + bytes(value.getValue());
            }
            return bytes + stack.stream().mapToLong(Hit::bytes).sum();
        }

        private static long bytes(String text) {
            return TEXT_BYTES + 2L * text.length();
        }
    }

    /** How a point fares in one JVM, as {@code HitBatch} of the agent counts. */
    public record Fare(
            String agent,
            String point,
            long passed,
            long told,
            long limited,
            long undecided,
            long skipped,
            long left,
            long dropped,
            String why) {}

    /** Takes what an agent has sent; how many hits that were is returned. */
    public synchronized int take(JsonNode batch) {
        String agent = text(batch, "name", 200);
        fares.values().removeIf(fare -> fare.agent().equals(agent));
        for (JsonNode one : batch.path("points")) {
            if (fares.size() < MOST_FARES) {
                Fare fare = fare(agent, batch.path("dropped").asLong(), one);
                fares.put(agent + '\n' + fare.point(), fare);
            }
        }
        int taken = 0;
        for (JsonNode one : batch.path("hits")) {
            Hit hit = hit(++last, agent, one);
            hits.addLast(hit);
            bytes += hit.bytes();
            taken++;
            while (hits.size() > MOST_HITS || bytes > MOST_BYTES) {
                bytes -= hits.removeFirst().bytes();
            }
        }
        return taken;
    }

    private static Fare fare(String agent, long dropped, JsonNode one) {
        return new Fare(
                agent,
                text(one, "id", 100),
                one.path("passed").asLong(),
                one.path("told").asLong(),
                one.path("limited").asLong(),
                one.path("undecided").asLong(),
                one.path("skipped").asLong(),
                one.path("left").asLong(),
                dropped,
                text(one, "why", 500));
    }

    private static Hit hit(long number, String agent, JsonNode one) {
        Map<String, String> values = new LinkedHashMap<>();
        one.path("values").properties().stream()
                .limit(100)
                .forEach(value -> values.put(
                        shortened(value.getKey(), 200),
                        shortened(value.getValue().asText(), 4000)));
        List<String> stack = new ArrayList<>();
        for (JsonNode frame : one.path("stack")) {
            if (stack.size() < 100) {
                stack.add(shortened(frame.asText(), 500));
            }
        }
        return new Hit(
                number,
                agent,
                text(one, "point", 100),
                text(one, "place", 1000),
                one.path("millis").asLong(),
                text(one, "thread", 200),
                text(one, "trace", 32),
                text(one, "span", 16),
                text(one, "text", 5000),
                values,
                stack);
    }

    private static String text(JsonNode of, String name, int longest) {
        return shortened(of.path(name).asText(), longest);
    }

    private static String shortened(String text, int longest) {
        return text.length() <= longest ? text : text.substring(0, longest) + "…";
    }

    /** How points fare, agent by agent. */
    public synchronized List<Fare> fares() {
        return List.copyOf(fares.values());
    }

    /**
     * The newest hits that are still known, the oldest of them first.
     *
     * @param point of which; "" for all
     * @param after only those with a larger number
     * @param most how many at most
     */
    public synchronized List<Hit> newest(String point, long after, int most) {
        ArrayDeque<Hit> found = new ArrayDeque<>();
        for (var newest = hits.descendingIterator(); newest.hasNext() && found.size() < most; ) {
            Hit hit = newest.next();
            if (hit.number() > after && (point.isEmpty() || point.equals(hit.point()))) {
                found.addFirst(hit);
            }
        }
        return new ArrayList<>(found);
    }

    /** How many hits there were. */
    public synchronized long last() {
        return last;
    }
}
