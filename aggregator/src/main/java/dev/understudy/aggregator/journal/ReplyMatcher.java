package dev.understudy.aggregator.journal;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.Recorded;
import dev.understudy.aggregator.exchange.RecordedReply;
import dev.understudy.aggregator.journal.disk.JournalDisk;
import dev.understudy.aggregator.journal.past.Absence;
import dev.understudy.aggregator.journal.past.AnswerHistory;
import dev.understudy.aggregator.journal.past.KnownForms;
import dev.understudy.aggregator.match.InboundExchanges;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Who gets what: the shelves with the replies of each form, the requests that wait at them, and the choice between
 * them. What it chose leaves its shelf; the journal delivers it. Guarded by its journal.
 */
final class ReplyMatcher<R extends RecordedReply> {
    private final InboundExchanges inbound;
    private final LongSupplier clock;
    private final KnownForms known;
    private final CallsUnderWay<R> underWay;
    private final RerunReplies<R> reruns;
    private final ReplyStore<R> stock;
    private final @Nullable JournalDisk<R> disk;
    private final Chooser<R> chooser;
    private final ReplyIndex<R> shelves = new ReplyIndex<>();
    private final Set<Form> awaited = new LinkedHashSet<>();

    ReplyMatcher(
            InboundExchanges inbound,
            LongSupplier clock,
            AnswerHistory answers,
            KnownForms known,
            CallsUnderWay<R> underWay,
            RerunReplies<R> reruns,
            ReplyStore<R> stock,
            @Nullable JournalDisk<R> disk) {
        this.inbound = inbound;
        this.clock = clock;
        this.known = known;
        this.underWay = underWay;
        this.reruns = reruns;
        this.stock = stock;
        this.disk = disk;
        this.chooser = new Chooser<>(inbound, answers);
    }

    /** The same form; what it shares with others is shared. */
    Form words(Form form) {
        ReplyQueue<R> shelf = shelves.get(form);
        return shelf == null ? known.shared(form).withoutOutline() : form.sharing(shelf.form());
    }

    /** Where replies of this form are kept. */
    ReplyQueue<R> shelf(Form form) {
        return shelves.of(form);
    }

    /** All exchanges that had ended by then. */
    List<JournalEntry<R>> endedBefore(long nanos) {
        return shelves.endedBefore(nanos);
    }

    /** Takes an exchange off its shelf; false if it isn't there any longer. */
    boolean withdraw(Recorded<R> exchange) {
        ReplyQueue<R> shelf = shelves.get(exchange.form());
        JournalEntry<R> entry = shelf == null ? null : shelf.first(one -> one.id == exchange.id());
        if (entry == null) {
            return false;
        }
        out(entry);
        return true;
    }

    /** Takes a waiter out of its queue; false if it isn't there any longer. */
    boolean withdraw(Waiter<R> waiter) {
        ReplyQueue<R> shelf = shelves.get(waiter.form);
        boolean waiting = shelf != null && shelf.withdraw(waiter);
        underWay.release(waiter);
        if (waiting) {
            tidy(waiter.form, shelf);
        }
        return waiting;
    }

    boolean isWaiting(Waiter<R> waiter) {
        ReplyQueue<R> shelf = shelves.get(waiter.form);
        return shelf != null && shelf.waiters().contains(waiter);
    }

    /** What the request is to have, off its shelf; null if nothing, and then it waits unless this is its last look. */
    @Nullable
    ReplyDelivery<R> take(Waiter<R> waiter, long now, boolean last) {
        ReplyQueue<R> shelf = shelves.get(waiter.form);
        Choice<R> choice = shelf == null ? null : choose(shelf, waiter, now, last);
        if (choice != null && choice.entry() != null) {
            return handover(waiter, choice);
        }
        if (!last) {
            shelves.of(waiter.form.withoutOutline()).await(waiter);
            awaited.add(waiter.form);
            waiter.startTimer();
            postpone(waiter, choice, now);
        }
        return null;
    }

    /** What a request gets that gets nothing. */
    Match<R> missed(Form form, long waitedNanos) {
        ReplyQueue<R> shelf = shelves.get(form);
        String why = shelf == null || shelf.size() == 0
                ? known.why(form, Absence.of(underWay.contain(form), underWay.areFollowed(), waitedNanos))
                : "what production recorded of it (%d) was for other inbound requests".formatted(shelf.size());
        return new Match.Miss<>(form, why, known.nearest(form), waitedNanos);
    }

    /** What those that wait are to have, as something new is known of inbound requests. */
    List<ReplyDelivery<R>> lookAgain() {
        List<ReplyDelivery<R>> handovers = new ArrayList<>();
        for (Form form : List.copyOf(awaited)) {
            ReplyQueue<R> shelf = shelves.get(form);
            giveAgain(shelf);
            for (ReplyDelivery<R> next = next(shelf); next != null; next = next(shelf)) {
                handovers.add(next);
            }
        }
        return handovers;
    }

    /** The time has come that a waiter was to look again at. */
    @Nullable
    ReplyDelivery<R> lookAgain(Waiter<R> waiter) {
        waiter.againAt = Long.MAX_VALUE;
        return isWaiting(waiter) ? next(shelves.get(waiter.form)) : null;
    }

    /**
     * The surest choice for one of those that wait at a shelf, taken off it; null if none of them is to have anything
     * now.
     */
    @Nullable
    ReplyDelivery<R> next(@Nullable ReplyQueue<R> shelf) {
        if (shelf == null || shelf.size() == 0 || shelf.waiters().isEmpty()) {
            return null;
        }
        long now = clock.getAsLong();
        Waiter<R> best = null;
        Choice<R> surest = null;
        for (Waiter<R> waiter : shelf.waiters()) {
            Choice<R> choice = choose(shelf, waiter, now, false);
            if (choice.surerThan(surest)) {
                best = waiter;
                surest = choice;
            }
            postpone(waiter, choice, now);
        }
        if (best == null || surest == null || surest.entry() == null) {
            return null;
        }
        shelf.withdraw(best);
        underWay.release(best);
        return handover(best, surest);
    }

    private void giveAgain(@Nullable ReplyQueue<R> shelf) {
        if (shelf == null || !inbound.reruns().areUnderway()) {
            return;
        }
        for (Waiter<R> waiter : List.copyOf(shelf.waiters())) {
            Match<R> again = reruns.settled(waiter, known);
            if (again != null) {
                shelf.withdraw(waiter);
                underWay.release(waiter);
                waiter.answer(again);
            }
        }
        tidy(shelf.form(), shelf);
    }

    /** Of several replies that may be the request's, one that is open is given only once it is complete. */
    private Choice<R> choose(ReplyQueue<R> shelf, Waiter<R> waiter, long now, boolean last) {
        if (!last && reruns.isDoubtful(waiter)) {
            return Choice.notBefore(Long.MAX_VALUE); // the next news say it
        }
        Choice<R> choice = chooser.choose(shelf, waiter.form, waiter.call, now, last);
        boolean several = shelf.size() > 1 || underWay.areSeveral(waiter.form);
        return !last && several && choice.isDoubtful() && choice.isOpen() ? Choice.notBefore(Long.MAX_VALUE) : choice;
    }

    private void postpone(Waiter<R> waiter, @Nullable Choice<R> choice, long now) {
        if (choice != null && choice.entry() == null && choice.againAt() < waiter.againAt) {
            waiter.againAt = choice.againAt();
            waiter.lookAgain(Math.max(0, choice.againAt() - now));
        }
    }

    /** Takes what was chosen off its shelf. */
    private ReplyDelivery<R> handover(Waiter<R> waiter, Choice<R> choice) {
        JournalEntry<R> entry = Objects.requireNonNull(choice.entry());
        Reason reason = Objects.requireNonNull(choice.reason());
        ReplyDelivery<R> handover = new ReplyDelivery<>(waiter, entry, entry.reply, reason, disk);
        if (entry.group != null && waiter.call.isInNoneBut(entry.group)) {
            entry.group.given();
        }
        chooser.given(entry, reason);
        reruns.given(waiter.call, entry, reason);
        out(entry);
        return handover;
    }

    private void out(JournalEntry<R> entry) {
        ReplyQueue<R> left = entry.leave();
        stock.out(entry);
        tidy(entry.form(), left);
    }

    /** Takes down a shelf that nobody needs. */
    void tidy(Form form, @Nullable ReplyQueue<R> shelf) {
        if (shelf != null && shelf.waiters().isEmpty()) {
            awaited.remove(form);
            if (shelf.idle()) {
                shelves.remove(form);
            }
        }
    }
}
