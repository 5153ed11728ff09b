package dev.understudy.aggregator.journal.past;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.Recorded;
import dev.understudy.aggregator.exchange.RecordedReply;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The last exchange of each repeatable form, bounded by bytes; the form recorded longest ago is forgotten first.
 *
 * <p>Guarded by its journal.
 */
public final class LastReplies<R extends RecordedReply> {
    private final long capacity;
    private final Map<Form, Recorded<R>> last = new LinkedHashMap<>();
    private long bytes;

    /** Remembers nothing yet, and never more than so many bytes. */
    public LastReplies(long capacity) {
        this.capacity = capacity;
    }

    /** Remembers it, if its form is one that may be repeated and it isn't too large. */
    public void remember(Recorded<R> exchange) {
        if (!exchange.form().repeatable()
                || exchange.bytes() > capacity
                || exchange.reply().large() != null) {
            return;
        }
        Recorded<R> known = last.get(exchange.form());
        if (known != null && known.endNanos() - exchange.endNanos() > 0) {
            return; // of another connection, and read late
        }
        Recorded<R> before = last.remove(exchange.form());
        bytes += exchange.bytes() - (before == null ? 0 : before.bytes());
        last.put(exchange.form(), exchange);
        var oldest = last.values().iterator();
        while (bytes > capacity) {
            bytes -= oldest.next().bytes();
            oldest.remove();
        }
    }

    /** The last one of a form; null if it isn't remembered. */
    public @Nullable Recorded<R> of(Form form) {
        return last.get(form);
    }
}
