package dev.understudy.aggregator.journal;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.RecordedReply;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Production's calls whose replies aren't recorded yet, and the debug requests that wait longer than usual for them.
 *
 * <p>A request waits for the calls of its form that had begun when its wait was over, and for no later ones. Calls
 * beyond {@link #MOST} aren't followed. Guarded by its journal.
 */
final class CallsUnderWay<R extends RecordedReply> {
    static final int MOST = 100_000;

    private final Map<Form, Calls<R>> calls = new HashMap<>();
    private int open;
    private long begun;

    /** A call begins; returns its number, or 0 if it isn't followed. */
    long begin(Form form) {
        begun++;
        if (open >= MOST) {
            return 0;
        }
        open++;
        calls.computeIfAbsent(form, first -> new Calls<>()).open.add(begun);
        return begun;
    }

    /** A call is over; returns the requests that don't wait for any other. */
    List<Waiter<R>> end(Form form, long number) {
        Calls<R> its = calls.get(form);
        if (its == null || !its.open.remove(number)) {
            return List.of();
        }
        open--;
        if (its.open.isEmpty()) {
            calls.remove(form);
            return List.copyOf(its.overdue.keySet());
        }
        long oldest = its.open.iterator().next();
        List<Waiter<R>> freed = new ArrayList<>();
        its.overdue.forEach((waiter, newest) -> {
            if (newest < oldest) {
                freed.add(waiter);
            }
        });
        freed.forEach(its.overdue::remove);
        return freed;
    }

    /** Whether production has sent anything that is followed. */
    boolean areFollowed() {
        return begun > 0;
    }

    /** Whether a call of this form is under way. */
    boolean contain(Form form) {
        return calls.containsKey(form);
    }

    /** Whether more than one call of this form is under way. */
    boolean areSeveral(Form form) {
        Calls<R> its = calls.get(form);
        return its != null && its.open.size() > 1;
    }

    /**
     * The wait of this request is over; returns whether it waits on, for the calls that are under way. Later calls
     * don't hold it again: it would never end where they overlap.
     */
    boolean hold(Waiter<R> waiter) {
        Calls<R> its = calls.get(waiter.form);
        if (its == null || waiter.held) {
            return false;
        }
        waiter.held = true;
        its.overdue.put(waiter, begun);
        return true;
    }

    /** This request doesn't wait any longer. */
    void release(Waiter<R> waiter) {
        Calls<R> its = calls.get(waiter.form);
        if (its != null) {
            its.overdue.remove(waiter);
        }
    }

    /** Those of one form: numbers in their order, and who waits for which number at most. */
    private static final class Calls<R extends RecordedReply> {
        private final Set<Long> open = new LinkedHashSet<>(4);
        private final Map<Waiter<R>, Long> overdue = new LinkedHashMap<>(2);
    }
}
