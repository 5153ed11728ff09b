package dev.understudy.agent.stack;

import dev.understudy.agent.bootstrap.ExchangeKey;
import dev.understudy.agent.bootstrap.ThreadSwitch;
import dev.understudy.agent.bootstrap.ThreadSwitches;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Which exchange a thread served at some moment of the last seconds. Confined to one thread.
 *
 * <p>Of a thread without shifts since this began, or since some were lost, nobody knows for {@link #UNSURE_NANOS}
 * whether it serves an exchange all that time; from then on it is taken for one that serves none.
 */
final class ServedTimes {
    /** Few exchanges take longer. */
    static final long UNSURE_NANOS = TimeUnit.SECONDS.toNanos(10);
    /** In the midst of an exchange at a time; with more, all is forgotten. */
    static final int MOST_THREADS = 1 << 14;

    private final Map<Long, Deque<ThreadSwitch>> threads = new HashMap<>();
    private long sureNanos;
    private long knownNanos;

    /** Of what is served from now on. */
    ServedTimes(long now) {
        ThreadSwitches.take();
        ThreadSwitches.tellLost();
        forget(now);
    }

    /** Learns what has happened until now. */
    void learn(long now) {
        List<ThreadSwitch> latestFirst = new ArrayList<>();
        for (ThreadSwitch shift = ThreadSwitches.take(); shift != null; shift = shift.unlink()) {
            latestFirst.add(shift);
        }
        if (ThreadSwitches.tellLost()) { // asked last: of those taken none is missing then
            forget(now);
            return;
        }
        for (int i = latestFirst.size() - 1; i >= 0; i--) {
            ThreadSwitch shift = latestFirst.get(i);
            threads.computeIfAbsent(shift.thread, unseen -> new ArrayDeque<>(2)).addLast(shift);
        }
    }

    /** What was before that moment isn't asked for any more. */
    void forgetBefore(long nanos) {
        knownNanos = nanos;
        for (Iterator<Deque<ThreadSwitch>> each = threads.values().iterator(); each.hasNext(); ) {
            Deque<ThreadSwitch> shifts = each.next();
            while (shifts.size() > 1 && second(shifts).nanos - nanos <= 0) {
                shifts.removeFirst();
            }
            ThreadSwitch first = shifts.getFirst();
            if (shifts.size() == 1 && first.nanos - nanos <= 0 && isOver(first.to, nanos)) {
                each.remove();
            }
        }
        if (threads.size() > MOST_THREADS) {
            forget(nanos);
        }
    }

    /** Whose what that thread did then was. */
    Whose whose(long thread, long nanos) {
        if (nanos - knownNanos < 0) {
            return Whose.UNKNOWN;
        }
        Deque<ThreadSwitch> shifts = threads.get(thread);
        if (shifts == null) {
            return nanos - sureNanos < 0 ? Whose.UNKNOWN : Whose.NOBODYS;
        }
        ExchangeKey served = shifts.getFirst().from;
        for (ThreadSwitch shift : shifts) {
            if (shift.nanos - nanos > 0) {
                break;
            }
            served = shift.to;
        }
        return isOver(served, nanos) ? Whose.NOBODYS : Whose.of(served);
    }

    /** Of how many threads something is remembered. */
    int threads() {
        return threads.size();
    }

    private static boolean isOver(@Nullable ExchangeKey served, long nanos) {
        return served == null || served.isOverBefore(nanos);
    }

    private void forget(long now) {
        threads.clear();
        knownNanos = now;
        sureNanos = now + UNSURE_NANOS;
    }

    private static ThreadSwitch second(Deque<ThreadSwitch> shifts) {
        Iterator<ThreadSwitch> each = shifts.iterator();
        each.next();
        return each.next();
    }
}
