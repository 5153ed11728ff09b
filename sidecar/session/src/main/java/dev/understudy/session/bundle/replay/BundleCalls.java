package dev.understudy.session.bundle.replay;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What became of the calls that a service made while its bundle was replayed.
 *
 * @param answered with a recorded reply, or as its upstream would have in any case
 * @param missed how many had no recorded reply that could be given
 * @param unasked upstreams of the bundle that weren't asked at all: the service may have asked others
 * @param lines which those were; for people
 */
record BundleCalls(long answered, long missed, List<String> unasked, List<String> lines) {
    /** Of a bundle without upstreams. */
    static final BundleCalls NONE = new BundleCalls(0, 0, List.of(), List.of());

    /** As many kinds of missed calls are named, the most frequent first. */
    static final int MOST_KINDS = 100;

    BundleCalls {
        unasked = List.copyOf(unasked);
        lines = List.copyOf(lines);
    }

    /**
     * Sums up.
     *
     * @param upstreams of an aggregator's status
     * @param kinds of its misses
     * @param without upstreams that the service is to do without
     */
    static BundleCalls of(JsonNode upstreams, JsonNode kinds, Set<String> without) {
        long answered = 0;
        long missed = 0;
        List<String> unasked = new ArrayList<>();
        List<String> lines = new ArrayList<>();
        for (JsonNode kind : kinds) {
            lines.add("no reply of %s, %d times: %s (%s)"
                    .formatted(
                            kind.path("upstream").asText(),
                            kind.path("count").asLong(),
                            kind.path("form").asText().replace('\n', ' '),
                            kind.path("why").asText()));
        }
        if (lines.size() == MOST_KINDS) {
            lines.add("and perhaps more kinds of calls");
        }
        for (JsonNode upstream : upstreams) {
            String name = upstream.path("name").asText();
            JsonNode debug = upstream.path("debug");
            long requests = debug.path("requests").asLong();
            long unfit = debug.path("unfit").asLong();
            long repeated = debug.path("repeated").asLong();
            long refused = debug.path("refused").asLong();
            for (JsonNode limited : debug.path("limited")) {
                refused += limited.asLong();
            }
            long unanswered = debug.path("missed").asLong() + unfit;
            answered += Math.max(0, requests - unanswered);
            missed += unanswered + refused;
            if (unfit > 0) {
                lines.add("no reply of %s, %d times: the recorded one can't be given to this client"
                        .formatted(name, unfit));
            }
            if (refused > 0) {
                lines.add("%s closed or refused %d connections: a limit was met".formatted(name, refused));
            }
            if (repeated > 0) {
                lines.add("%s gave a recorded reply again, %d times".formatted(name, repeated));
            }
            if (requests == 0 && !without.contains(name)) {
                unasked.add(name);
                lines.add("nothing was asked of %s (expected: calls, or --without %s)".formatted(name, name));
            }
        }
        return new BundleCalls(answered, missed, unasked, lines);
    }

    /** Whether each upstream was asked and each call got its reply; otherwise the service's replies prove little. */
    boolean isFaithful() {
        return missed == 0 && unasked.isEmpty();
    }

    /** The verdict in a line. */
    String summary() {
        if (answered == 0 && isFaithful()) {
            return "no recorded reply was asked for";
        }
        if (isFaithful()) {
            return "faithful: each of " + answered + " calls got a recorded reply";
        }
        return missed == 0
                ? "not faithful: the service asked nothing of " + String.join(", ", unasked)
                        + ", and may have asked somebody else"
                : "not faithful: " + missed + " of " + (answered + missed) + " calls got no recorded reply, so that"
                        + " the service's own replies prove little";
    }
}
