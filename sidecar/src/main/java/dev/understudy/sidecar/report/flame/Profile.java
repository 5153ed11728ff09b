package dev.understudy.sidecar.report.flame;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * All stacks, or all allocations, that a sidecar has. Immutable.
 *
 * @param waiting stacks that are of no route yet
 * @param sampled of allocations, how each debug JVM's were sampled
 * @param routes that with the most stacks first
 */
public record Profile(int waiting, List<String> sampled, List<RouteProfile> routes) {
    public Profile {
        sampled = List.copyOf(sampled);
        routes = List.copyOf(routes);
    }

    /**
     * Reads what {@code /v1/flame} answers.
     *
     * @throws IOException if it is no such document
     */
    public static Profile read(JsonNode document) throws IOException {
        JsonNode names = document.path("names");
        if (!names.isArray() || !document.path("routes").isArray()) {
            throw new IOException("no stacks in the answer (expected: what /v1/flame answers)");
        }
        List<RouteProfile> routes = new ArrayList<>();
        for (JsonNode route : document.path("routes")) {
            routes.add(new RouteProfile(
                    route.path("listener").asText(),
                    route.path("debug").asText(),
                    route.path("route").asText(),
                    route.path("samples").asLong(),
                    route.path("left").asLong(),
                    FlameTimes.ofMicros(counts(route.path("productionMicros"))),
                    FlameTimes.ofMicros(counts(route.path("debugMicros"))),
                    nodes(route.path("nodes"), names),
                    ""));
        }
        return new Profile(document.path("waiting").asInt(), List.of(), routes);
    }

    /**
     * Reads what {@code /v1/allocations} answers: the routes of each debug JVM, and what was made there for no
     * exchange.
     *
     * @throws IOException if it is no such document
     */
    public static Profile ofAllocations(JsonNode document) throws IOException {
        JsonNode names = document.path("names");
        if (!names.isArray() || !document.path("agents").isArray()) {
            throw new IOException("no allocations in the answer (expected: what /v1/allocations answers)");
        }
        List<String> sampled = new ArrayList<>();
        List<RouteProfile> routes = new ArrayList<>();
        int waiting = 0;
        for (JsonNode agent : document.path("agents")) {
            sampled.add(Collapsed.clean(sampled(agent)));
            waiting += agent.path("waiting").asInt();
            for (JsonNode route : agent.path("routes")) {
                routes.add(allocated(agent, route, names));
            }
        }
        return new Profile(waiting, sampled, routes);
    }

    private static RouteProfile allocated(JsonNode agent, JsonNode route, JsonNode names) throws IOException {
        String listener = route.path("listener").asText();
        String text = route.path("route").asText();
        long bytes = route.path("bytes").asLong();
        return new RouteProfile(
                listener,
                route.path("debug").asText(),
                listener.isEmpty() ? text + " of " + agent.path("name").asText() : text,
                bytes,
                route.path("left").asLong(),
                FlameTimes.NONE,
                FlameTimes.NONE,
                nodes(route.path("nodes"), names),
                RouteProfile.ofBytes(
                        route.path("samples").asLong(),
                        bytes,
                        agent.path("bytes").asLong()));
    }

    /**
     * Such as {@code debug-7: 1500 samples, 150 a second at most, stand for 1.2 GB}, and what share of all that was
     * allocated this is.
     */
    private static String sampled(JsonNode agent) {
        long bytes = agent.path("bytes").asLong();
        long left = agent.path("left").asLong();
        long allocated = agent.path("allocated").asLong(-1);
        return String.format(
                        Locale.ROOT,
                        "%s: %s, %d a second at most, stand for %s; ",
                        agent.path("name").asText(),
                        count(agent, "samples"),
                        agent.path("perSecond").asLong(),
                        Bytes.text(bytes))
                + (allocated <= 0
                        ? "how much was allocated in all isn't known"
                        : String.format(
                                Locale.ROOT,
                                "allocated were %s, of which that is %.0f %%",
                                Bytes.text(allocated),
                                100.0 * bytes / allocated))
                + (left > 0 ? "; " + Bytes.text(left) + " left out, since the agent had no room" : "");
    }

    private static String count(JsonNode of, String samples) {
        long count = of.path(samples).asLong();
        return count + (count == 1 ? " sample" : " samples");
    }

    private static List<RouteProfile.Node> nodes(JsonNode numbers, JsonNode names) throws IOException {
        List<RouteProfile.Node> nodes = new ArrayList<>();
        for (int i = 0; i + 2 < numbers.size(); i += 3) {
            int parent = numbers.get(i).asInt();
            if (parent < -1 || parent >= nodes.size()) {
                throw new IOException("nodes: one before its parent (expected: what /v1/flame answers)");
            }
            String name = names.path(numbers.get(i + 1).asInt()).asText("?");
            nodes.add(new RouteProfile.Node(parent, name, numbers.get(i + 2).asLong()));
        }
        return nodes;
    }

    private static Map<Long, Long> counts(JsonNode micros) throws IOException {
        Map<Long, Long> counts = new TreeMap<>();
        try {
            micros.properties()
                    .forEach(count -> counts.put(
                            Long.parseLong(count.getKey()), count.getValue().asLong()));
        } catch (NumberFormatException other) {
            throw new IOException("micros: " + other.getMessage() + " (expected: what /v1/flame answers)", other);
        }
        return counts;
    }
}
