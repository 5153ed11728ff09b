package dev.understudy.sidecar.label;

import dev.understudy.divergence.wire.http.GrpcCode;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How an exchange ended that the debug JVM was told, or that it didn't in the time from which on it is slow; secrets
 * are masked already.
 *
 * @param span the debug span, 16 hex digits; empty if that JVM wasn't told the trace
 * @param place where it was told
 * @param exchange its number within this process
 * @param request e.g. {@code GET /orders/7}
 * @param opening how a request of bytes begins, only for rules to look at, since nothing in it is masked; empty for all
 *     others
 * @param different whether the replies differ
 * @param status of the debug JVM's reply; 0 if there was none, or its protocol has none
 * @param productionStatus of production's reply; 0 likewise
 * @param said how the debug JVM's reply begins, where its protocol has no status; of gRPC {@code grpc 13}; empty for
 *     nothing
 * @param debugMillis from the request's delivery to the end of debug's reply; null if that hasn't come, or never did
 * @param late whether nothing came of it for so long that it is slow, and it is still worked on
 * @param shows those of the operator's conditions that debug's reply meets
 * @param arrival by which {@code understudy replay --exchange} finds it in a recording that the same sidecar has made,
 *     such as {@code @8372412}; empty if that isn't known
 * @param labels the edition of the rules for which {@code shows} was looked for
 */
public record ExchangeOutcome(
        String span,
        Place place,
        long exchange,
        String listener,
        long connection,
        String request,
        String opening,
        boolean different,
        int status,
        int productionStatus,
        String said,
        @Nullable Double debugMillis,
        boolean late,
        Set<ReplyCondition> shows,
        String arrival,
        int labels) {
    public ExchangeOutcome {
        shows = Set.copyOf(shows);
    }

    /** The same where the replies differ, or don't. */
    public ExchangeOutcome as(boolean differing) {
        return new ExchangeOutcome(
                span,
                place,
                exchange,
                listener,
                connection,
                request,
                opening,
                differing,
                status,
                productionStatus,
                said,
                debugMillis,
                late,
                shows,
                arrival,
                labels);
    }

    /** Whether debug's reply ended the call with {@code code}; bytes that look alike have no status. */
    boolean isGrpc(GrpcCode code) {
        return status > 0 && said.equals(code.said());
    }

    /** By what an observation of it is known: its span, or else its place; null if there is none. */
    @Nullable
    public Object key() {
        return !span.isEmpty() ? span : place.isKnown() ? place : null;
    }
}
