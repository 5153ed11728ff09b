package dev.understudy.sidecar.upstream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;

/**
 * What the aggregator knew of upstream calls at one moment, in its own words.
 *
 * @param problem why it could not be read, or ""
 * @param status the aggregator's {@code /v1/status}
 * @param matches its newest calls
 * @param missed its newest misses, with the nearest recorded forms
 * @param kinds the misses of the whole run by what they have in common
 * @param recorded production's newest calls that weren't asked for
 * @param faults those that are injected; those that were read last if it could not be read
 */
public record UpstreamCalls(
        State state,
        String problem,
        JsonNode status,
        JsonNode matches,
        JsonNode missed,
        JsonNode kinds,
        JsonNode recorded,
        JsonNode faults) {

    /** How the last reading ended. */
    public enum State {
        /** The settings name no aggregator. */
        NONE,
        /** Nothing was read yet. */
        WAITING,
        /** All was read. */
        READ,
        /** It could not be read. */
        FAILED
    }

    /** The same with these faults, which may still stand. */
    UpstreamCalls with(JsonNode standing) {
        return new UpstreamCalls(state, problem, status, matches, missed, kinds, recorded, standing);
    }

    static UpstreamCalls none(State state, String problem) {
        JsonNode nothing = MissingNode.getInstance();
        return new UpstreamCalls(state, problem, nothing, nothing, nothing, nothing, nothing, nothing);
    }
}
