package dev.understudy.aggregator.journal;

import dev.understudy.aggregator.body.LargeBody;
import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.Recorded;
import dev.understudy.aggregator.exchange.RecordedReply;
import dev.understudy.aggregator.journal.disk.Label;
import dev.understudy.aggregator.journal.disk.Stored;
import dev.understudy.aggregator.match.ReplyGroup;
import dev.understudy.aggregator.match.TimeSpan;
import dev.understudy.aggregator.match.TraceId;
import dev.understudy.aggregator.match.UpstreamCall;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * One unused exchange on its shelf, its reply in memory or on disk; once it is used or evicted, the queues that still
 * hold the entry skip it.
 *
 * <p>Guarded by its journal.
 */
final class JournalEntry<R extends RecordedReply> {
    /** What knowing its place on disk takes. */
    static final long PLACE = 112;

    /** Stands where an entry has what was asked. */
    private static final Form NOTHING = Form.of("", "");

    final long id;
    final long startNanos;
    final long endNanos;
    private final long connection;
    private final Form form;

    /** Whether its reply is being written to disk. */
    boolean moving;

    @Nullable
    R reply;

    @Nullable
    Stored stored;

    /** What it belongs to, wherever its reply is; null if it stands alone, or is from an earlier process. */
    final @Nullable ReplyGroup group;

    private @Nullable ReplyQueue<R> shelf;

    JournalEntry(ReplyQueue<R> shelf, Recorded<R> recorded) {
        this(
                shelf,
                recorded.id(),
                recorded.form(),
                recorded.connection(),
                recorded.startNanos(),
                recorded.endNanos(),
                recorded.reply().group());
        this.reply = recorded.reply();
    }

    private JournalEntry(
            @Nullable ReplyQueue<R> shelf,
            long id,
            Form form,
            long connection,
            long startNanos,
            long endNanos,
            @Nullable ReplyGroup group) {
        this.group = group;
        this.id = id;
        this.startNanos = startNanos;
        this.endNanos = endNanos;
        this.connection = connection;
        this.form = form;
        this.shelf = shelf;
    }

    /** An exchange whose reply is on disk. */
    static <R extends RecordedReply> JournalEntry<R> onDisk(
            ReplyQueue<R> shelf, Label label, Form form, Stored stored) {
        JournalEntry<R> entry = new JournalEntry<>(
                shelf, label.id(), form, label.connection(), label.startNanos(), label.endNanos(), null);
        entry.stored = stored;
        return entry;
    }

    /** The place before all that ended at {@code endNanos}: an entry of nothing. */
    static <R extends RecordedReply> JournalEntry<R> place(long endNanos, @Nullable TraceId trace) {
        return new JournalEntry<>(null, Long.MIN_VALUE, NOTHING.in(trace), 0, endNanos, endNanos, null);
    }

    /** Production's order is that of its replies, whatever the order in which lanes deliver them. */
    static <R extends RecordedReply> Comparator<JournalEntry<R>> inOrder() {
        return (one, other) -> {
            int byEnd = Long.compare(one.endNanos, other.endNanos);
            return byEnd != 0 ? byEnd : Long.compare(one.id, other.id);
        };
    }

    /** Trace by trace; those that name none come first. */
    static <R extends RecordedReply> Comparator<JournalEntry<R>> byTrace() {
        Comparator<@Nullable TraceId> traces = Comparator.nullsFirst(Comparator.naturalOrder());
        Comparator<JournalEntry<R>> order = inOrder();
        return (one, other) -> {
            int byTrace = traces.compare(one.trace(), other.trace());
            return byTrace != 0 ? byTrace : order.compare(one, other);
        };
    }

    Form form() {
        return form;
    }

    /** From when to when production was at it: at the whole transaction, if it was part of one. */
    TimeSpan whole() {
        ReplyGroup all = group;
        return all == null
                ? new TimeSpan(startNanos, endNanos)
                : new TimeSpan(Math.min(startNanos, all.startNanos()), Math.max(endNanos, all.endNanos()));
    }

    /** Whether others of the transaction that it was part of were given to somebody else than this call. */
    boolean isOfAnother(UpstreamCall call) {
        return group != null && group != call.group() && group.isGiven();
    }

    @Nullable
    TraceId trace() {
        return form.trace();
    }

    /** What of its reply lies in files of its own, wherever the rest is. */
    @Nullable
    LargeBody large() {
        if (reply != null) {
            return reply.large();
        }
        return stored == null ? null : stored.large();
    }

    /** Nobody will have it, wherever its reply is. */
    void discard() {
        LargeBody large = large();
        if (reply != null) {
            reply.discard();
        } else if (large != null) {
            large.discard();
        }
    }

    boolean gone() {
        return shelf == null;
    }

    /** Bytes of memory that it takes. */
    long bytes() {
        return Recorded.OVERHEAD + form.textBytes() + replyBytes() + (stored == null ? 0 : PLACE);
    }

    /** Bytes of its reply in memory. */
    long replyBytes() {
        return reply == null ? 0 : reply.bytes();
    }

    /** Takes it off its shelf, with its reply in memory. */
    Recorded<R> take() {
        R taken = reply;
        if (taken == null) {
            throw new IllegalStateException("its reply is on disk");
        }
        leave();
        return with(taken);
    }

    /** Takes it off its shelf, which is returned. */
    ReplyQueue<R> leave() {
        ReplyQueue<R> left = shelf;
        if (left == null) {
            throw new IllegalStateException("taken twice");
        }
        left.remove(this);
        shelf = null;
        return left;
    }

    /** The exchange, with the reply that it had or has again. */
    Recorded<R> with(R reply) {
        return new Recorded<>(id, form, connection, startNanos, endNanos, reply);
    }

    long connection() {
        return connection;
    }

    JournalItem told() {
        return new JournalItem(id, form, connection, startNanos, endNanos, reply == null);
    }
}
