package dev.understudy.aggregator.journal;

import dev.understudy.aggregator.exchange.RecordedReply;
import dev.understudy.aggregator.match.ReplyGroup;
import dev.understudy.divergence.content.ValueWords;
import org.jspecify.annotations.Nullable;

/** A reply that is a text, perhaps of a transaction. */
record ReplyText(String text, @Nullable ReplyGroup group, boolean isOpen) implements RecordedReply {
    ReplyText(String text, @Nullable ReplyGroup group) {
        this(text, group, false);
    }

    @Override
    public long bytes() {
        return text.length();
    }

    @Override
    public long answer() {
        return text.hashCode();
    }

    @Override
    public void addTo(ValueWords words) {
        words.add(text);
    }
}
