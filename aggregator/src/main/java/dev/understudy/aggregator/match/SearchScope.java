package dev.understudy.aggregator.match;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the recorded twin of one debug call is to be looked for, as far as that is known now.
 *
 * @param wanted the trace in which production made it; null if that isn't known
 * @param origins the inbound exchanges that may have made the call; empty if none is known
 * @param exact whether the call itself says that it was made by one of these
 * @param toldBy when all has been told that can be told of the call; a time gone by if it has
 * @param recordedBy when production's calls for these exchanges are all recorded; {@link Long#MAX_VALUE} while it
 *     serves one
 */
public record SearchScope(
        @Nullable TraceId wanted, List<Inbound> origins, boolean exact, long toldBy, long recordedBy) {
    static final long ALREADY = Long.MIN_VALUE;

    /** Nothing is known but the call. */
    static SearchScope of(UpstreamCall call) {
        return new SearchScope(call.trace(), List.of(), false, ALREADY, ALREADY);
    }

    /** The one inbound exchange that made the call; null if several may have, or none is known. */
    public @Nullable Inbound origin() {
        return origins.size() == 1 ? origins.get(0) : null;
    }
}
