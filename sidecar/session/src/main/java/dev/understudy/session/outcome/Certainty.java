package dev.understudy.session.outcome;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Whether the first suspect is certain: the same method stays first for several looks, its interval is clearly above
 * chance, and enough exchanges failed. Confined to its session's thread.
 */
public final class Certainty {
    /** So often in a row the same method must be first. */
    static final int LOOKS = 3;

    /** Failing exchanges, of which a ranking needs ten at least. */
    static final int LEAST_FAILING = 20;

    /** The least lower bound of how much more often exchanges fail with it. */
    static final double LEAST_LOW = 0.1;

    private String first = "";
    private int looks;

    /**
     * Takes one look.
     *
     * @param document what {@code /v1/suspects} answers
     * @return whether it is certain now
     */
    public boolean look(JsonNode document) {
        JsonNode leader = document.path("suspects").path(0);
        String method = leader.path("method").asText("");
        boolean isClear = !method.isEmpty()
                && leader.path("low").asDouble() >= LEAST_LOW
                && document.path("exchanges").path("failing").asLong() >= LEAST_FAILING;
        looks = !isClear ? 0 : method.equals(first) ? looks + 1 : 1;
        first = method;
        return looks >= LOOKS;
    }

    /** The method that was first at the last look; "" if there was none. */
    public String first() {
        return first;
    }
}
