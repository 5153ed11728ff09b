package dev.understudy.agent.caller;

import dev.understudy.agent.bootstrap.CallNote;
import dev.understudy.agent.bootstrap.CallNotes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Notes that were taken and aren't sent yet, and until when all are, or some are missing. Confined to one thread.
 *
 * <p>No more are taken while some are left, so that there are never more than {@link CallNotes#CAPACITY}.
 */
final class CallBacklog {
    /** In one message. */
    static final int MOST_AT_ONCE = 512;

    private final Deque<CallNote> notes = new ArrayDeque<>();
    private long taken = System.nanoTime();
    private @Nullable Long lostUntil = taken;

    /** The next to be sent, which may be none. */
    CallBatch next() {
        if (notes.isEmpty()) {
            take();
        }
        List<CallNote> calls = new ArrayList<>();
        while (calls.size() < MOST_AT_ONCE && !notes.isEmpty()) {
            calls.add(notes.remove());
        }
        CallNote later = notes.peek();
        return new CallBatch(calls, later == null ? taken : later.nanos(), lostUntil);
    }

    /** Whether all that were taken were sent. */
    boolean isEmpty() {
        return notes.isEmpty();
    }

    /** The aggregator has a batch. */
    void sent() {
        lostUntil = null;
    }

    /** It hasn't, and isn't going to get it again. */
    void lost(CallBatch batch) {
        if (!batch.calls.isEmpty()) {
            lost(batch.toldUntil);
        }
    }

    /** Until now some writes weren't noted. */
    void lost() {
        lost(System.nanoTime());
    }

    private void lost(long until) {
        Long before = lostUntil;
        lostUntil = before == null || until - before > 0 ? Long.valueOf(until) : before;
    }

    private void take() {
        taken = System.nanoTime(); // before those that are missing below have theirs
        for (CallNote note = CallNotes.take(); note.before() != null; note = note.before()) {
            if (note.dropped() > 0) {
                lost(note.nanos() + 1);
            } else {
                notes.addFirst(note);
            }
        }
        if (CallNotes.takeMissed()) {
            lost();
        }
    }
}
