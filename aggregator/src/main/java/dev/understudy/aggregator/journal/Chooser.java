package dev.understudy.aggregator.journal;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.RecordedReply;
import dev.understudy.aggregator.journal.past.AnswerHistory;
import dev.understudy.aggregator.match.Inbound;
import dev.understudy.aggregator.match.InboundExchanges;
import dev.understudy.aggregator.match.MatchReason;
import dev.understudy.aggregator.match.ReplyGroup;
import dev.understudy.aggregator.match.SearchScope;
import dev.understudy.aggregator.match.TimeSpan;
import dev.understudy.aggregator.match.TraceId;
import dev.understudy.aggregator.match.UpstreamCall;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Chooses among the exchanges of one form: the same inbound exchange's by trace, then by time, then the oldest.
 *
 * <p>Waits rather than choose less surely than it could in a moment, where that may matter: for what the sidecar is
 * about to tell of the call, and for what production is about to have recorded. Guarded by its journal.
 */
final class Chooser<R extends RecordedReply> {
    private static final TimeSpan EVER = new TimeSpan(Long.MIN_VALUE, Long.MAX_VALUE);

    /** While production is at a transaction, its next statement may come at any time. */
    private static final long OPEN_TRANSACTION = TimeUnit.MILLISECONDS.toNanos(20);

    /** So many are looked at for a difference. */
    private static final int TRANSACTIONS = 8;

    /** So many choices in a row that were of another trace, all told. */
    private static final int STRAYS = 16;

    private final InboundExchanges inbound;
    private final AnswerHistory answers;
    private final DoubtfulReplies doubtful = new DoubtfulReplies();
    private int strayed;

    Chooser(InboundExchanges inbound, AnswerHistory answers) {
        this.inbound = inbound;
        this.answers = answers;
    }

    /**
     * Chooses now.
     *
     * @param now on the journal's clock
     * @param last whether the request can't wait any longer
     */
    Choice<R> choose(ReplyQueue<R> shelf, Form form, UpstreamCall call, long now, boolean last) {
        if (shelf.size() == 0) {
            return Choice.notBefore(Long.MAX_VALUE);
        }
        SearchScope outlook = inbound.outlook(call);
        boolean changing = matters(shelf, form);
        JournalEntry<R> traced = traced(shelf, outlook);
        if (traced != null) {
            strayed = 0;
            return chosen(shelf, traced, MatchReason.TRACE, outlook, shared(traced, outlook), changing);
        }
        ReplyGroup group = call.group();
        JournalEntry<R> next = group == null ? null : shelf.first(entry -> entry.group == group);
        if (next != null) {
            return chosen(shelf, next, MatchReason.TRANSACTION, outlook, false, changing);
        }
        if (group != null && !last && !group.isOver()) {
            return Choice.notBefore(now + OPEN_TRANSACTION);
        }
        if (!last && now < outlook.toldBy() && (changing || call.trace() != null)) {
            return Choice.notBefore(outlook.toldBy());
        }
        boolean awaited = !last && now < outlook.recordedBy();
        Predicate<JournalEntry<R>> wanted = entry -> !entry.isOfAnother(call)
                && !inbound.others(entry.trace(), outlook)
                && !(awaited && anothers(entry, outlook));
        JournalEntry<R> within = within(shelf, outlook, wanted);
        if (within != null) {
            Inbound origin = outlook.origin();
            boolean doubtful = doubtful(within, outlook);
            if (origin != null && doubtful && changing && within.trace() == null) {
                List<JournalEntry<R>> candidates = candidates(shelf, origin, wanted);
                if (!last && candidates.stream().anyMatch(Chooser::isOpen)) {
                    return Choice.notBefore(Long.MAX_VALUE); // complete, it may show whose it is
                }
                return among(candidates, within, shelf, origin, outlook, awaited);
            }
            learn(within, outlook);
            strayed += anothers(within, outlook) ? 1 : 0;
            return chosen(shelf, within, MatchReason.INTERVAL, outlook, doubtful, changing);
        }
        if (awaited && (changing || outlook.exact())) {
            return Choice.notBefore(outlook.recordedBy());
        }
        JournalEntry<R> shown = changing ? elsewhere(shelf, outlook) : null;
        if (shown != null) {
            return chosen(shelf, shown, MatchReason.VALUES, outlook, false, true);
        }
        JournalEntry<R> oldest = oldest(shelf, call, outlook, changing);
        if (oldest == null) {
            return Choice.notBefore(Long.MAX_VALUE);
        }
        return chosen(shelf, oldest, MatchReason.ORDER, outlook, true, changing);
    }

    private static boolean isOpen(JournalEntry<?> entry) {
        return entry.reply != null && entry.reply.isOpen();
    }

    /** Whether it matters which one is given: answers to the form differ, or the transactions that begin with it. */
    private boolean matters(ReplyQueue<R> shelf, Form form) {
        return answers.changing(form)
                || doubtful.knows(form)
                || shelf.someOf(TRANSACTIONS, entry -> entry.group != null).stream()
                                .map(ShownValues::said)
                                .distinct()
                                .count()
                        > 1;
    }

    /**
     * What is left of a transaction that others were given of is nobody's: the last choice for whoever begins one, and
     * the first for whoever makes a call more in its own.
     */
    private @Nullable JournalEntry<R> oldest(
            ReplyQueue<R> shelf, UpstreamCall call, SearchScope outlook, boolean changing) {
        Predicate<JournalEntry<R>> may = entry -> !changing || !inbound.foreign(entry.trace(), outlook);
        boolean within = call.group() != null;
        JournalEntry<R> liked = shelf.first(entry -> entry.isOfAnother(call) == within && may.test(entry));
        return liked == null ? shelf.first(may) : liked;
    }

    /** Of several inbound exchanges in one trace each has its own time. */
    private @Nullable JournalEntry<R> traced(ReplyQueue<R> shelf, SearchScope outlook) {
        TraceId wanted = outlook.wanted();
        if (wanted == null) {
            return null;
        }
        JournalEntry<R> first = null;
        for (Inbound origin : outlook.origins()) {
            first = earlier(first, shelf.firstOf(wanted, origin.production()));
        }
        return first == null && inbound.in(wanted) < 2 ? shelf.firstOf(wanted, EVER) : first;
    }

    /**
     * Whether production made a call in another trace than that of the inbound exchange that asks. Where that is always
     * so, the service begins traces of its own, and it says nothing.
     */
    private boolean anothers(JournalEntry<R> entry, SearchScope outlook) {
        return strayed < STRAYS
                && outlook.exact()
                && outlook.wanted() != null
                && entry.trace() != null
                && !entry.trace().equals(outlook.wanted());
    }

    private boolean shared(JournalEntry<R> traced, SearchScope outlook) {
        Inbound origin = outlook.origin();
        if (!outlook.exact()) {
            return false;
        }
        return origin == null
                ? outlook.origins().size() > 1
                : !inbound.onlyBy(origin, traced.startNanos, traced.endNanos, traced.trace());
    }

    private @Nullable JournalEntry<R> within(
            ReplyQueue<R> shelf, SearchScope outlook, Predicate<JournalEntry<R>> wanted) {
        JournalEntry<R> first = null;
        for (Inbound origin : outlook.origins()) {
            TimeSpan span = origin.production();
            first = earlier(
                    first, shelf.firstWithin(span, entry -> span.contains(entry.whole()) && wanted.test(entry)));
        }
        return first;
    }

    /** Chooses among what production may have got for the one inbound exchange that asks, or for others. */
    private Choice<R> among(
            List<JournalEntry<R>> candidates,
            JournalEntry<R> first,
            ReplyQueue<R> shelf,
            Inbound origin,
            SearchScope outlook,
            boolean awaited) {
        inbound.doubted();
        if (awaited && origin.shown() == null) {
            return Choice.notBefore(outlook.recordedBy());
        }
        ShownValues<R> values = new ShownValues<>(candidates, doubtful.words(shelf.form()));
        boolean lacking = doubtful.anyWithin(shelf.form(), origin.production());
        JournalEntry<R> shown = values.pick(origin.shown());
        // a transaction may show what it has read, which was its predecessor's to show if that is gone
        if (shown != null && !(lacking && shown.group != null)) {
            return chosen(shelf, shown, MatchReason.VALUES, outlook, false, true);
        }
        if (awaited) {
            return Choice.notBefore(outlook.recordedBy());
        }
        JournalEntry<R> any = candidates.isEmpty()
                ? first
                : values.unclaimed((candidate, showing) -> inbound.anyShowing(origin, candidate.whole(), showing));
        learn(any, outlook);
        strayed += anothers(any, outlook) ? 1 : 0;
        return chosen(shelf, any, MatchReason.INTERVAL, outlook, lacking || !values.saySame(), true);
    }

    /** One that says the same as the exchange's own, which another one with equal values has got. */
    private @Nullable JournalEntry<R> elsewhere(ReplyQueue<R> shelf, SearchScope outlook) {
        Inbound origin = outlook.origin();
        if (origin == null || origin.shown() == null) {
            return null;
        }
        List<JournalEntry<R>> near = shelf.someOf(
                ShownValues.MOST,
                entry -> entry.reply != null
                        && !isOpen(entry)
                        && entry.group == null
                        && !inbound.others(entry.trace(), outlook));
        return new ShownValues<>(near, doubtful.words(shelf.form())).pick(origin.shown());
    }

    /** None if they can't all be looked at. */
    private List<JournalEntry<R>> candidates(ReplyQueue<R> shelf, Inbound origin, Predicate<JournalEntry<R>> wanted) {
        TimeSpan span = origin.production();
        List<JournalEntry<R>> all =
                shelf.allWithin(span, ShownValues.MOST, entry -> span.contains(entry.whole()) && wanted.test(entry));
        return all == null || all.stream().anyMatch(entry -> entry.reply == null) ? List.of() : all;
    }

    /** An exchange was given for this reason. */
    void given(JournalEntry<R> entry, Reason reason) {
        if (reason.changing() && (reason.doubtful() || reason.basis() == MatchReason.VALUES)) {
            doubtful.add(entry, ShownValues.words(entry).hashes());
        }
    }

    /** Whether the call may have been made for another inbound exchange than the one that asks. */
    private boolean doubtful(JournalEntry<R> within, SearchScope outlook) {
        Inbound origin = outlook.origin();
        if (origin == null) {
            return true;
        }
        boolean another = outlook.wanted() != null
                && within.trace() != null
                && !within.trace().equals(outlook.wanted());
        TimeSpan whole = within.whole();
        return another || !inbound.onlyBy(origin, whole.from(), whole.to(), within.trace());
    }

    /**
     * A service that begins traces of its own shows which one belongs to an inbound exchange as soon as only one can.
     */
    private void learn(JournalEntry<R> within, SearchScope outlook) {
        Inbound origin = outlook.origin();
        TraceId trace = within.trace();
        if (origin != null
                && outlook.exact()
                && origin.trace() == null
                && trace != null
                && inbound.onlyBy(origin, within.startNanos, within.endNanos, trace)) {
            inbound.learn(origin, trace);
        }
    }

    private Choice<R> chosen(
            ReplyQueue<R> shelf,
            JournalEntry<R> entry,
            MatchReason basis,
            SearchScope outlook,
            boolean doubtful,
            boolean changing) {
        Inbound origin = outlook.origin();
        return Choice.of(
                entry, new Reason(basis, doubtful, changing, shelf.size(), origin == null ? null : origin.id()));
    }

    private static <R extends RecordedReply> @Nullable JournalEntry<R> earlier(
            @Nullable JournalEntry<R> one, @Nullable JournalEntry<R> other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return JournalEntry.<R>inOrder().compare(Objects.requireNonNull(one), other) <= 0 ? one : other;
    }
}
