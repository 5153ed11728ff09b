package dev.understudy.aggregator.journal;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The last exchange of each repeatable form, bounded by bytes; the form recorded longest ago is forgotten first.
 *
 * <p>Guarded by its journal.
 */
final class LastReplies<R extends Reply> {
    private final long capacity;
    private final Map<Form, Recorded<R>> last = new LinkedHashMap<>();
    private long bytes;

    LastReplies(long capacity) {
        this.capacity = capacity;
    }

    void remember(Recorded<R> exchange) {
        if (!exchange.form().repeatable() || exchange.bytes() > capacity) {
            return;
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

    @Nullable
    Recorded<R> of(Form form) {
        return last.get(form);
    }
}
