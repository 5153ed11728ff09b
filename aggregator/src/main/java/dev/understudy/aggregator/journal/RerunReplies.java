package dev.understudy.aggregator.journal;

import dev.understudy.aggregator.exchange.Recorded;
import dev.understudy.aggregator.exchange.RecordedReply;
import dev.understudy.aggregator.journal.past.GivenReplies;
import dev.understudy.aggregator.journal.past.KnownForms;
import dev.understudy.aggregator.match.InboundExchanges;
import dev.understudy.aggregator.match.Reruns;
import dev.understudy.aggregator.match.UpstreamCall;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What requests get that the debug JVM makes for an inbound exchange which it was sent once more: what it got for it
 * before, and nothing that production recorded for others.
 *
 * <p>A request says by its trace that it is such a one. One that names no trace is taken for one while the debug JVM
 * serves nothing else, as far as the sidecar can say. Guarded by its journal.
 */
final class RerunReplies<R extends RecordedReply> {
    private static final int MOST_ALIKE = 8;

    private final InboundExchanges inbound;
    private final LongSupplier clock;
    private final GivenReplies<R> given;

    /** Keeps at most so many bytes. */
    RerunReplies(long capacity, InboundExchanges inbound, LongSupplier clock) {
        this.inbound = inbound;
        this.clock = clock;
        this.given = new GivenReplies<>(capacity);
    }

    /**
     * A reply was given to a request, off its shelf. It is remembered for the exchange that this was for; if that may
     * be one of several, for each, as long as all replies of this form say the same.
     */
    void given(UpstreamCall call, JournalEntry<R> entry, Reason reason) {
        R reply = entry.reply;
        int run = inbound.reruns().run();
        Long told = reason.inbound();
        List<Long> all = told == null ? inbound.servedAlike(call.nanos(), entry.whole()) : List.of(told);
        if (all.size() > (reason.changing() ? 1 : MOST_ALIKE)) {
            return;
        }
        for (Long exchange : all) {
            // looked up after the run: of another one it isn't known
            if (inbound.get(exchange) != null) {
                given.given(exchange, run, entry.id, entry.form(), reply == null ? null : entry.with(reply));
            }
        }
    }

    /** Somebody may want to run these exchanges again. */
    void keep(List<Long> exchanges) {
        int run = inbound.reruns().run();
        exchanges.forEach(exchange -> given.keep(exchange, run));
    }

    /** What a request gets; null if it is none of those, or that isn't known yet. */
    @Nullable
    Match<R> settled(Waiter<R> waiter, KnownForms known) {
        long nanos = waiter.call.nanos();
        Reruns.Rerun rerun = null;
        if (waiter.call.trace() != null) {
            rerun = inbound.reruns().in(waiter.call.trace());
        } else if (inbound.reruns().areUnderway()) {
            rerun = inbound.rerunAt(nanos);
        }
        if (rerun == null) {
            return null;
        }
        Recorded<R> reply = given.next(rerun, waiter.form);
        long waited = clock.getAsLong() - nanos;
        if (reply != null) {
            return new Match.Hit<>(reply, waited, true, null);
        }
        String why = "exchange %d, which is run again, was given no such reply, or it isn't kept any more";
        return new Match.Miss<>(waiter.form, why.formatted(rerun.exchange()), known.nearest(waiter.form), waited);
    }

    /** Whether it may be one of those, which the next news of the sidecar say. */
    boolean isDoubtful(Waiter<R> waiter) {
        return waiter.call.trace() == null
                && inbound.reruns().areUnderway()
                && inbound.linked()
                && inbound.mayBeRerunAt(waiter.call.nanos());
    }
}
