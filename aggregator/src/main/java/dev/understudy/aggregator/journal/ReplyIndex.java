package dev.understudy.aggregator.journal;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.RecordedReply;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The shelves of a journal by their forms: a hash table whose links are in the shelves themselves, since there may be
 * as many as exchanges. Guarded by its journal.
 */
final class ReplyIndex<R extends RecordedReply> {
    private static final int FEWEST = 64;
    private static final int MOST = 1 << 30;

    private @Nullable ReplyQueue<R>[] table = array(FEWEST);
    private int size;

    /** The shelf of a form; null if there is none. */
    @Nullable
    ReplyQueue<R> get(Form form) {
        ReplyQueue<R> shelf = table[place(form)];
        while (shelf != null && !shelf.form().equals(form)) {
            shelf = shelf.next;
        }
        return shelf;
    }

    /** The shelf of a form, put up if there is none. */
    ReplyQueue<R> of(Form form) {
        ReplyQueue<R> known = get(form);
        if (known != null) {
            return known;
        }
        if (size >= table.length && size < MOST) {
            grow();
        }
        ReplyQueue<R> shelf = new ReplyQueue<>(form);
        put(shelf);
        size++;
        return shelf;
    }

    /** Takes down the shelf of a form, if there is one. */
    void remove(Form form) {
        int place = place(form);
        ReplyQueue<R> before = null;
        ReplyQueue<R> shelf = table[place];
        while (shelf != null && !shelf.form().equals(form)) {
            before = shelf;
            shelf = shelf.next;
        }
        if (shelf == null) {
            return;
        }
        if (before == null) {
            table[place] = shelf.next;
        } else {
            before.next = shelf.next;
        }
        shelf.next = null;
        size--;
    }

    /** All exchanges that had ended by then. */
    List<JournalEntry<R>> endedBefore(long nanos) {
        List<JournalEntry<R>> ended = new ArrayList<>();
        for (ReplyQueue<R> first : table) {
            for (ReplyQueue<R> shelf = first; shelf != null; shelf = shelf.next) {
                ended.addAll(shelf.endedBefore(nanos));
            }
        }
        return ended;
    }

    private void grow() {
        @Nullable ReplyQueue<R>[] smaller = table;
        table = array(2 * smaller.length);
        for (ReplyQueue<R> first : smaller) {
            ReplyQueue<R> shelf = first;
            while (shelf != null) {
                ReplyQueue<R> next = shelf.next;
                put(shelf);
                shelf = next;
            }
        }
    }

    private void put(ReplyQueue<R> shelf) {
        int place = place(shelf.form());
        shelf.next = table[place];
        table[place] = shelf;
    }

    /** A form's fingerprint is as good as random. */
    private int place(Form form) {
        return (int) form.fingerprint() & (table.length - 1);
    }

    @SuppressWarnings("unchecked")
    private static <R extends RecordedReply> @Nullable ReplyQueue<R>[] array(int length) {
        return (ReplyQueue<R>[]) new ReplyQueue<?>[length];
    }
}
