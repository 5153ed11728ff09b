package dev.understudy.sidecar.verdict;

import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.divergence.compare.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * One exchange and what came of it; secrets are masked already.
 *
 * @param exchange number of the exchange within this process
 * @param listener name of the listener
 * @param connection id of the client's connection
 * @param session stands for what its client is known by to both JVMs, the same for all of its connections; null if for
 *     nothing
 * @param request e.g. {@code GET /orders/7}
 * @param trace its trace id, 32 hex digits; null if traces are off
 * @param productionMillis from the request's arrival to the end of production's reply; null if that never came
 * @param debugMillis from the request's delivery to the end of debug's reply; null if that never came
 * @param at when the request arrived, in milliseconds since 1970; 0 for what is no exchange
 * @param productionStatus what production answered, where the protocol has numbers for that; else 0
 * @param debugStatus the same of the debug JVM
 * @param debugAt when that was given the request, in milliseconds since 1970; 0 if it never was
 */
public record Judged(
        long exchange,
        String listener,
        long connection,
        @Nullable String session,
        String request,
        Verdict verdict,
        @Nullable String trace,
        @Nullable Double productionMillis,
        @Nullable Double debugMillis,
        long at,
        int productionStatus,
        int debugStatus,
        double debugAt) {
    /** One of which no more is known. */
    public Judged(
            long exchange,
            String listener,
            long connection,
            @Nullable String session,
            String request,
            Verdict verdict,
            @Nullable String trace,
            @Nullable Double productionMillis,
            @Nullable Double debugMillis) {
        this(
                exchange,
                listener,
                connection,
                session,
                request,
                verdict,
                trace,
                productionMillis,
                debugMillis,
                0,
                0,
                0,
                0);
    }

    /** The same when it is known how many of debug's upstream replies were guesses, which may be why it differs. */
    public Judged after(int guesses) {
        return guesses == 0 ? this : with(request, verdict.excusedBy(NotCompared.GUESSED));
    }

    /** The same with another request's name and verdict. */
    public Judged with(String shown, Verdict changed) {
        return new Judged(
                exchange,
                listener,
                connection,
                session,
                shown,
                changed,
                trace,
                productionMillis,
                debugMillis,
                at,
                productionStatus,
                debugStatus,
                debugAt);
    }
}
