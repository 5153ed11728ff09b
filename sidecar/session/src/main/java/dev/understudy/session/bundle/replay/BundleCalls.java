package dev.understudy.session.bundle.replay;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/**
 * What became of the calls that a service made while its bundle was replayed.
 *
 * @param answered with a recorded reply, or as its upstream would have in any case
 * @param missed how many had no recorded reply that could be given
 * @param lines which those were, and which upstreams weren't asked at all; for people
 */
record BundleCalls(long answered, long missed, List<String> lines) {
    /** As many kinds of missed calls are named, the most frequent first. */
    static final int MOST_KINDS = 100;

    BundleCalls {
        lines = List.copyOf(lines);
    }

    /**
     * Sums up.
     *
     * @param upstreams of an aggregator's status
     * @param kinds of its misses
     */
    static BundleCalls of(JsonNode upstreams, JsonNode kinds) {
        long answered = 0;
        long missed = 0;
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
            long refused = debug.path("refused").asLong();
            long without = debug.path("missed").asLong() + unfit;
            answered += Math.max(0, requests - without);
            missed += without + refused;
            if (unfit > 0) {
                lines.add("no reply of %s, %d times: the recorded one can't be given to this client"
                        .formatted(name, unfit));
            }
            if (refused > 0) {
                lines.add("no place at %s for %d connections: too many were open".formatted(name, refused));
            }
            if (requests == 0) {
                lines.add("nothing was asked of " + name);
            }
        }
        return new BundleCalls(answered, missed, lines);
    }

    /** Whether each call got its reply; otherwise the service's own replies prove little. */
    boolean isFaithful() {
        return missed == 0;
    }

    /** The verdict in a line. */
    String summary() {
        return isFaithful()
                ? "faithful: each of " + answered + " calls got a recorded reply"
                : "not faithful: " + missed + " of " + (answered + missed) + " calls got no recorded reply, so that"
                        + " the service's own replies prove little";
    }
}
