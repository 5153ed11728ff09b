package dev.understudy.aggregator.journal;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.Recorded;
import dev.understudy.aggregator.exchange.RecordedReply;

/**
 * A reply that is in the journal while production still receives it. Whoever recorded it ends the offer: by {@link
 * #withdraw}, and then {@link #complete} if the reply is complete; or by {@link #given}. Safe for all threads.
 */
public final class ReplyOffer<R extends RecordedReply> {
    private final Journal<R> journal;
    private final Recorded<R> exchange;

    ReplyOffer(Journal<R> journal, Recorded<R> exchange) {
        this.journal = journal;
        this.exchange = exchange;
    }

    /** Takes it back; false if a debug request was given it, or the journal had no room for it. */
    public boolean withdraw() {
        return journal.withdraw(exchange);
    }

    /** Keeps the complete reply in place of the one that was withdrawn, under the same number. */
    public void complete(R reply, long endNanos) {
        journal.add(new Recorded<>(
                exchange.id(), exchange.form(), exchange.connection(), exchange.startNanos(), endNanos, reply));
    }

    /** It wasn't there to be withdrawn, and is complete, with this {@linkplain RecordedReply#answer answer}. */
    public void given(long answer) {
        journal.answered(exchange.form(), answer);
    }

    /** What was asked. */
    public Form form() {
        return exchange.form();
    }

    /** Its number in the journal. */
    public long id() {
        return exchange.id();
    }
}
