package dev.understudy.aggregator.journal;

import dev.understudy.aggregator.body.LargeBodies;
import dev.understudy.aggregator.exchange.Eviction;
import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.PendingRequest;
import dev.understudy.aggregator.exchange.Recorded;
import dev.understudy.aggregator.exchange.RecordedReply;
import dev.understudy.aggregator.journal.disk.JournalDisk;
import dev.understudy.aggregator.journal.disk.Label;
import dev.understudy.aggregator.journal.disk.Leftovers;
import dev.understudy.aggregator.journal.disk.Stored;
import dev.understudy.aggregator.journal.past.AnswerHistory;
import dev.understudy.aggregator.journal.past.BackgroundReplies;
import dev.understudy.aggregator.journal.past.Common;
import dev.understudy.aggregator.journal.past.KnownForms;
import dev.understudy.aggregator.journal.past.LastReplies;
import dev.understudy.aggregator.match.InboundExchanges;
import dev.understudy.aggregator.match.ReplyGroup;
import dev.understudy.aggregator.match.UpstreamCall;
import dev.understudy.divergence.content.ValueWords;
import io.netty.util.concurrent.EventExecutor;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The exchanges of one upstream that production has had and the debug JVM has not asked for yet.
 *
 * <p>Each recorded reply is handed out once; among those of one {@link Form}, {@link ReplyMatcher} chooses. A request
 * that comes before its reply was recorded waits, bounded. Adding and taking cost O(log n), and adding one more look
 * for each request that waits for this form. Bytes and age are bounded; what is evicted is counted by reason. With a
 * {@link JournalDisk} the oldest replies go there instead, and come back when chosen; only the request waits for that.
 *
 * <p>Safe for all threads: every field is guarded by {@code this}, and no callback runs under the lock.
 */
public final class Journal<R extends RecordedReply> implements AutoCloseable {
    private final JournalBounds bounds;
    private final LongSupplier clock;
    private final InboundExchanges inbound;
    private final CallsUnderWay<R> underWay = new CallsUnderWay<>();
    private final Common common = new Common();
    private final KnownForms known = new KnownForms();
    private final AnswerHistory answers = new AnswerHistory();
    private final LastReplies<R> last;
    private final RerunReplies<R> reruns;
    private final BackgroundReplies<R> background;
    private final @Nullable JournalDisk<R> disk;
    private final @Nullable LargeBodies bodies;
    private final ReplyStore<R> stock;
    private final ReplyMatcher<R> matcher;
    private long recorded;
    private @Nullable Long forgotten; // all that ended before

    /** Makes an empty journal in memory only. */
    public Journal(JournalBounds bounds, LongSupplier clock, InboundExchanges inbound) {
        this(bounds, clock, inbound, null, null);
    }

    /**
     * Makes a journal that is empty, but for what the process before left on disk, which is read from now on.
     *
     * @param clock nanoseconds on the clock that the recorded stamps are on, {@code System.nanoTime} in service
     * @param inbound what is known of the requests that make the calls, on the same clock
     * @param disk where replies wait that memory has no room for, closed with the journal; null for nowhere
     * @param bodies where large replies have the most of their bytes, closed with the journal; null if there are none
     */
    public Journal(
            JournalBounds bounds,
            LongSupplier clock,
            InboundExchanges inbound,
            @Nullable JournalDisk<R> disk,
            @Nullable LargeBodies bodies) {
        this.bodies = bodies;
        this.bounds = bounds;
        this.disk = disk;
        this.clock = clock;
        this.inbound = inbound;
        this.last = new LastReplies<>(bounds.repeatLast() ? bounds.repeatMemory() : 0);
        this.reruns = new RerunReplies<>(bounds.repeatMemory(), inbound, clock);
        this.background = new BackgroundReplies<>(bounds.repeatMemory());
        this.stock = new ReplyStore<>(bounds, clock, disk, bodies, this::evicted, this::moved);
        this.matcher = new ReplyMatcher<>(inbound, clock, answers, known, underWay, reruns, stock, disk);
        if (bodies != null) {
            bodies.whenCrowded(this::expire);
        }
        if (disk != null) {
            disk.load(new Earlier());
        }
    }

    /**
     * Keeps an exchange, or gives it at once to the request that it suits best of those that wait for its form.
     *
     * @return its number, from 1
     */
    public long add(Form form, long connection, long startNanos, long endNanos, R reply) {
        long id = nextId();
        add(new Recorded<>(id, form, connection, startNanos, endNanos, reply));
        return id;
    }

    private synchronized long nextId() {
        return ++recorded;
    }

    /** Keeps an exchange that has its number. */
    void add(Recorded<R> complete) {
        Form form = complete.form();
        R reply = complete.reply();
        long answer = reply.answer();
        ReplyGroup group = reply.group();
        ValueWords words = group != null && inbound.wantsValues() ? ShownValues.of(form, reply) : null;
        ReplyDelivery<R> handover;
        synchronized (this) {
            Recorded<R> exchange = complete.asked(matcher.words(form));
            if (group != null) {
                group.recorded(complete.startNanos(), complete.endNanos(), 31 * form.fingerprint() + answer);
                if (words != null) {
                    group.recorded(words);
                }
            }
            answered(form, answer);
            if (exchange.bytes() > bounds.largestExchange()) {
                stock.refused(reply);
                known.evicted(form, Eviction.TOO_LARGE);
                return;
            }
            last.remember(exchange);
            handover = keep(exchange, false);
        }
        ReplyDelivery.deliver(handover);
    }

    /**
     * Keeps a reply that production is still receiving, for a request that can tell by now that it is its own.
     *
     * @param nowNanos when its head had come, by which it has its place in production's order
     * @param reply {@linkplain RecordedReply#isOpen open}, without a group
     */
    public ReplyOffer<R> offer(Form form, long connection, long startNanos, long nowNanos, R reply) {
        Recorded<R> exchange;
        ReplyDelivery<R> handover;
        synchronized (this) {
            exchange = new Recorded<>(nextId(), matcher.words(form), connection, startNanos, nowNanos, reply);
            handover = keep(exchange, false);
        }
        ReplyDelivery.deliver(handover);
        return new ReplyOffer<>(this, exchange);
    }

    /** Takes an exchange back; false if it isn't here any longer. */
    synchronized boolean withdraw(Recorded<R> exchange) {
        return matcher.withdraw(exchange);
    }

    /** This is known of a complete answer that isn't kept. */
    synchronized void answered(Form form, long answer) {
        known.recorded(form);
        answers.recorded(form, answer);
    }

    /** Production has sent a request: while its reply isn't complete, requests of this form wait beyond their time. */
    public PendingCall begin(Form form) {
        long number;
        synchronized (this) {
            number = underWay.begin(form);
        }
        return new PendingCall(() -> {
            List<Waiter<R>> freed;
            synchronized (this) {
                freed = underWay.end(form, number);
            }
            freed.forEach(Waiter::waitAgain);
        });
    }

    /** Whether a request whose time is over waits on, as production's own call is under way. */
    synchronized boolean isHeld(Waiter<R> waiter) {
        return matcher.isWaiting(waiter) && underWay.hold(waiter);
    }

    /**
     * Finds the reply for a request.
     *
     * @param waitNanos how long to wait for production; 0 for an answer at once
     * @param caller where {@code then} runs; this call must be made there
     * @param then told exactly once, before this returns if the answer is in memory already; never after a cancel
     */
    public PendingRequest take(Form form, long waitNanos, EventExecutor caller, Consumer<Match<R>> then) {
        return take(form, null, waitNanos, caller, then);
    }

    /** As the other one does; {@code group} is production's transaction whose replies the request's own one gets. */
    public PendingRequest take(
            Form form, @Nullable ReplyGroup group, long waitNanos, EventExecutor caller, Consumer<Match<R>> then) {
        UpstreamCall call = new UpstreamCall(clock.getAsLong(), form.trace(), group);
        Waiter<R> waiter = new Waiter<>(this, form, call, waitNanos, caller, then);
        ReplyDelivery<R> handover = null;
        Match<R> other;
        synchronized (this) {
            stock.trim(waiter.call.nanos());
            other = reruns.settled(waiter, known);
            if (other == null) {
                handover = matcher.take(waiter, waiter.call.nanos(), waitNanos <= 0);
                if (handover == null && waitNanos > 0) {
                    return waiter;
                }
                other = handover == null ? matcher.missed(form, 0) : null;
            }
        }
        waiter.gets(handover, 0, other);
        return waiter;
    }

    /** The sidecar has told something: requests that wait may know now what to take. */
    public void lookAgain() {
        List<ReplyDelivery<R>> handovers;
        synchronized (this) {
            handovers = matcher.lookAgain();
        }
        handovers.forEach(ReplyDelivery::deliver);
    }

    /** The last reply recorded for a form, whether used or not; null unless such replies are remembered. */
    public synchronized @Nullable Recorded<R> lastOf(Form form) {
        return last.of(form);
    }

    /** Whether two answers to this form were different. */
    public synchronized boolean changing(Form form) {
        return answers.changing(form);
    }

    /** Whether it matters whose such a request is, and nobody knows without being told. */
    public boolean wantsMaker(Form form) {
        return (inbound.serving() > 1 && changing(form)) || inbound.reruns().areUnderway();
    }

    /** Evicts what is too old; otherwise that happens only as exchanges come and go. */
    public synchronized void expire() {
        stock.trim(clock.getAsLong());
    }

    /** Evicts what production had longer ago than this, since debug won't ask for it any more; how many those were. */
    public synchronized long forget(long ageNanos) {
        forgotten = clock.getAsLong() - ageNanos;
        List<JournalEntry<R>> old = matcher.endedBefore(forgotten);
        old.forEach(stock::forget);
        return old.size();
    }

    /** Leaves what is still here to its disk, if it has one and that has room, within some seconds. */
    @Override
    public void close() {
        synchronized (this) {
            stock.save();
        }
        if (disk != null) {
            disk.close();
        }
        if (bodies != null) {
            bodies.close();
        }
    }

    /** Something like this was seen and isn't recorded: told to whoever misses it, among what is nearest. */
    public synchronized void seen(Form form) {
        known.seen(form);
    }

    /** What its replies have in common, and what belongs to none of them. */
    public Common common() {
        return common;
    }

    /** Replies to calls that have no twin. */
    public BackgroundReplies<R> background() {
        return background;
    }

    /**
     * The newest of what is still here, those in memory first; without those that are just being written to disk.
     *
     * @param limit at most so many; ten times as many are looked at
     */
    public synchronized List<JournalItem> newest(int limit) {
        return stock.newest(limit, 10 * limit).stream().map(JournalEntry::told).toList();
    }

    /** How full the journal is, and what became of what it was given. */
    public synchronized JournalCounts counts() {
        return stock.counts(recorded);
    }

    /** Takes a waiter out of its queue; false if a reply is on its way to it already. */
    synchronized boolean withdraw(Waiter<R> waiter) {
        return matcher.withdraw(waiter);
    }

    /** Tells a request whose wait is over, and which was withdrawn, what it gets; on its event loop. */
    void lastLook(Waiter<R> waiter) {
        long now = clock.getAsLong();
        long waited = now - waiter.call.nanos();
        ReplyDelivery<R> handover;
        Match<R> miss;
        synchronized (this) {
            handover = matcher.take(waiter, now, true);
            miss = handover == null ? matcher.missed(waiter.form, waited) : null;
        }
        waiter.gets(handover, waited, miss);
    }

    /** The time has come that a waiter was to look again at. */
    void lookAgain(Waiter<R> waiter) {
        ReplyDelivery<R> handover;
        synchronized (this) {
            handover = matcher.lookAgain(waiter);
        }
        ReplyDelivery.deliver(handover);
    }

    long since(long nanos) {
        return clock.getAsLong() - nanos;
    }

    /** An exchange whose taker has gone is the next again. */
    void giveBack(Recorded<R> exchange) {
        ReplyDelivery.deliver(keep(exchange, true));
    }

    private synchronized @Nullable ReplyDelivery<R> keep(Recorded<R> exchange, boolean first) {
        ReplyQueue<R> shelf = matcher.shelf(exchange.form());
        JournalEntry<R> entry = new JournalEntry<>(shelf, exchange);
        shelf.put(entry);
        stock.put(entry, first);
        ReplyDelivery<R> handover = matcher.next(shelf);
        stock.trim(clock.getAsLong());
        return handover;
    }

    /** Somebody may want to run these inbound exchanges again: what they were given is kept for longer. */
    public synchronized void keep(List<Long> exchanges) {
        reruns.keep(exchanges);
    }

    private void evicted(JournalEntry<R> entry, Eviction reason) {
        known.evicted(entry.form(), reason);
        matcher.tidy(entry.form(), entry.leave());
    }

    private synchronized void moved(JournalEntry<R> entry, @Nullable Stored place) {
        stock.moved(entry, place);
    }

    /** A reply that was to be handed over can't be read back. */
    synchronized void damaged(Form form, Eviction reason) {
        stock.count(reason);
        known.evicted(form, reason);
    }

    /** Takes in what the process before left. */
    private final class Earlier implements Leftovers {
        @Override
        public boolean found(Label label, Stored stored) {
            ReplyDelivery<R> handover;
            synchronized (Journal.this) {
                if (forgotten != null && label.endNanos() < forgotten) {
                    stock.count(Eviction.FORGOTTEN);
                    return false;
                }
                Form form = matcher.words(label.form());
                ReplyQueue<R> shelf = matcher.shelf(form);
                JournalEntry<R> entry = JournalEntry.onDisk(shelf, label, form, stored);
                answered(form, label.answer());
                shelf.put(entry);
                stock.adopt(entry);
                handover = matcher.next(shelf);
                stock.trim(clock.getAsLong());
            }
            ReplyDelivery.deliver(handover);
            return true;
        }

        @Override
        public void lost(Eviction reason) {
            synchronized (Journal.this) {
                stock.count(reason);
            }
        }

        @Override
        public long all() {
            synchronized (Journal.this) {
                return stock.loaded();
            }
        }
    }
}
