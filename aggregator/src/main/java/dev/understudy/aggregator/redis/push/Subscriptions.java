package dev.understudy.aggregator.redis.push;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The subscriptions of production's connections to one upstream: each is taken by one debug connection that subscribes
 * to the same topic, the oldest first, and its messages go there. One that a debug connection had and that has ended is
 * nobody's any more, so that the n-th hears what the n-th of production's heard.
 *
 * <p>What nobody has taken keeps its messages as long as the journal keeps exchanges, within a quarter of all bytes, so
 * that nobody's messages never cost somebody's; the oldest make room. Where a taker's messages don't fit, it is cut
 * off: a subscriber with a gap is told nothing more.
 *
 * <p>Safe for all threads: everything is guarded by {@code this}, and no callback runs under the lock.
 */
public final class Subscriptions {
    /** Subscriptions that are over and that nobody has taken. */
    private static final int MOST_ENDED = 10_000;

    /** How much longer than production's a debug connection may stay subscribed before it counts as left behind. */
    private static final long GRACE = TimeUnit.SECONDS.toNanos(2);

    /** A debug connection doesn't outlive what it was subscribed to for longer, however long production's waited. */
    private static final long MOST_PATIENCE = TimeUnit.MINUTES.toNanos(1);

    private final long capacity;
    private final long ageNanos;
    private final LongSupplier clock;
    private final TopicQueues queues = new TopicQueues();

    /** Taken by debug connections that are still there, while production's client has ended them. */
    private final Map<Topic, Set<Subscription>> left = new HashMap<>();

    private final Set<Subscription> ended = new LinkedHashSet<>();
    private long untakenBytes;
    private long takenBytes;
    private long sequence;

    /**
     * Makes an empty one.
     *
     * @param capacity bytes of all messages that wait
     * @param ageNanos how long a message waits for a taker
     * @param clock on which messages are stamped
     */
    public Subscriptions(long capacity, long ageNanos, LongSupplier clock) {
        this.capacity = capacity;
        this.ageNanos = ageNanos;
        this.clock = clock;
    }

    /**
     * A production connection has subscribed.
     *
     * @param unheard counts its messages that no debug connection heard; is called under a lock
     */
    public Subscription open(Topic topic, LongConsumer unheard) {
        return add(topic, null, unheard);
    }

    /** The server has refused a subscription with this error. */
    public void refused(Topic topic, byte[] error) {
        end(add(topic, error, none -> {}), Subscription.End.UNSUBSCRIBED);
    }

    /** A production connection got a message. */
    public void message(Subscription to, long nanos, byte[] wire) {
        Outbox taker;
        synchronized (this) {
            taker = to.taker;
            to.lastNanos = clock.getAsLong();
            Message message = new Message(to, nanos, ++sequence, wire);
            if (to.dropped || (taker != null && taker.broken != null)) {
                to.unheard(1);
                return;
            }
            if (taker == null) {
                keep(message);
                return;
            }
            if (takenBytes + untakenBytes + message.cost() <= capacity) {
                takenBytes += message.cost();
                taker.messages.add(message);
            } else {
                to.unheard(1);
                breakOff(taker, "more messages than " + capacity + " bytes wait for the debug JVM to read them");
            }
        }
        taker.wake.run();
    }

    private void keep(Message message) {
        Subscription to = message.from();
        to.unheard(makeRoom(to, message));
        if (untakenBytes + message.cost() <= capacity / 4) {
            untakenBytes += message.cost();
            to.backlog.add(message);
        } else {
            to.unheard(1);
        }
    }

    /** A production connection gets nothing more of this. */
    public void end(Subscription subscription, Subscription.End how) {
        Outbox taker;
        synchronized (this) {
            if (subscription.end != null) {
                return;
            }
            subscription.end = how;
            subscription.endNanos = clock.getAsLong();
            taker = subscription.taker;
            if (taker != null) {
                follow(taker, subscription);
            } else if (subscription.inherited && !subscription.dropped) {
                forget(subscription);
            } else if (!subscription.dropped) {
                ended.add(subscription);
                expire();
            }
        }
        if (taker != null) {
            taker.wake.run();
        }
    }

    /**
     * Gives the oldest subscription to a topic that nobody has, now or when production subscribes.
     *
     * @param loop where {@code then} runs, unless it runs before this returns
     * @return takes the wish back; false if {@code then} is told nevertheless
     */
    public Wish take(Topic topic, Outbox outbox, Executor loop, Consumer<Subscription> then) {
        Subscription found;
        TopicRequest wish = new TopicRequest(topic, outbox, loop, then);
        synchronized (this) {
            expire();
            found = queues.oldest(topic);
            if (found == null) {
                queues.add(wish);
                return () -> withdraw(wish);
            }
            queues.remove(found);
            ended.remove(found);
            attach(found, outbox);
        }
        then.accept(found);
        return () -> false;
    }

    /** The next message for a debug connection; null if there is none now. */
    public synchronized byte @Nullable [] next(Outbox outbox) {
        Message message = outbox.messages.poll();
        if (message == null) {
            return null;
        }
        takenBytes -= message.cost();
        outbox.lastNanos = clock.getAsLong();
        message.from().inherited = false;
        return message.wire();
    }

    /**
     * Has a debug connection whose subscription production's client ended go on with the next one, if nobody else takes
     * that; returns whether it does, and may have messages.
     */
    public synchronized boolean movesOn(Outbox outbox) {
        boolean moved = false;
        for (Subscription old : List.copyOf(outbox.taken.values())) {
            boolean due = old.isLeft() && (old.inherited || dueIn(outbox, old) == 0);
            Subscription next = due && outbox.messages.isEmpty() ? queues.oldest(old.topic) : null;
            if (next != null && next.refusal == null) {
                release(outbox, old);
                queues.remove(next);
                ended.remove(next);
                attach(next, outbox);
                moved = true;
            }
        }
        return moved;
    }

    /** Whether and when a debug connection must end, or may have to move on; null if it goes on as it is. */
    public synchronized @Nullable Ending ending(Outbox outbox) {
        if (!outbox.messages.isEmpty()) {
            return null;
        }
        if (outbox.broken != null) {
            return new Ending(outbox.broken, true, 0);
        }
        return outbox.taken.values().stream()
                .filter(one -> one.end == Subscription.End.CUT || (one.isLeft() && queues.oldest(one.topic) != null))
                .map(one -> new Ending(
                        "production's connection ended", false, Math.max(one.isLeft() ? 1 : 0, dueIn(outbox, one))))
                .min(Comparator.comparingLong(Ending::inNanos))
                .orElse(null);
    }

    /** It stays subscribed for as long as production's after the last message. */
    private long dueIn(Outbox outbox, Subscription over) {
        long stayed = Math.min(MOST_PATIENCE, over.endNanos - over.lastNanos) + (over.isLeft() ? GRACE : 0);
        return Math.max(0, outbox.lastNanos + stayed - clock.getAsLong());
    }

    /** A debug connection has unsubscribed: the rest of its messages is nobody's. */
    public synchronized void drop(Outbox outbox, Topic topic) {
        Subscription subscription = outbox.taken.get(topic);
        if (subscription != null) {
            release(outbox, subscription);
            subscription.dropped = true;
            outbox.messages.removeIf(message -> gone(message, subscription));
        }
    }

    /**
     * A debug connection has ended: what production is still subscribed to is the next one's, with what it wasn't told
     * yet; the rest is nobody's.
     */
    public void giveBack(Outbox outbox) {
        List<Runnable> granted = new ArrayList<>();
        synchronized (this) {
            for (Message message = outbox.messages.poll(); message != null; message = outbox.messages.poll()) {
                message.from().backlog.add(message);
                takenBytes -= message.cost();
                untakenBytes += message.cost();
            }
            for (Subscription subscription : List.copyOf(outbox.taken.values())) {
                release(outbox, subscription);
                subscription.inherited = true;
                if (outbox.broken != null || subscription.end != null) {
                    forget(subscription);
                } else {
                    TopicRequest next = offer(subscription);
                    if (next != null) {
                        granted.add(() -> next.grant(subscription));
                    }
                }
            }
        }
        granted.forEach(Runnable::run);
    }

    /** Bytes of the messages that wait. */
    public synchronized long bytes() {
        return takenBytes + untakenBytes;
    }

    private Subscription add(Topic topic, byte @Nullable [] refusal, LongConsumer unheard) {
        Subscription added;
        TopicRequest first;
        List<Outbox> leftBehind = new ArrayList<>();
        synchronized (this) {
            added = new Subscription(topic, refusal, ++sequence, clock.getAsLong(), unheard);
            first = offer(added);
            if (first == null) {
                left.getOrDefault(topic, Set.of()).forEach(one -> leftBehind.add(Objects.requireNonNull(one.taker)));
            }
        }
        if (first != null) {
            first.grant(added);
        }
        leftBehind.forEach(outbox -> outbox.wake.run());
        return added;
    }

    /** Gives a subscription to the first who waits for it, and returns that; keeps it and returns null if none does. */
    private @Nullable TopicRequest offer(Subscription subscription) {
        TopicRequest first = queues.waiting(subscription.topic);
        if (first == null) {
            queues.add(subscription);
        } else {
            attach(subscription, first.outbox());
        }
        return first;
    }

    private void attach(Subscription subscription, Outbox outbox) {
        subscription.taker = outbox;
        outbox.lastNanos = clock.getAsLong();
        for (Message message : subscription.backlog) {
            untakenBytes -= message.cost();
            takenBytes += message.cost();
            outbox.messages.add(message);
        }
        subscription.backlog.clear();
        if (subscription.refusal == null) {
            outbox.taken.put(subscription.topic, subscription);
            follow(outbox, subscription);
        }
    }

    private void release(Outbox outbox, Subscription subscription) {
        outbox.taken.remove(subscription.topic);
        subscription.taker = null;
        left.computeIfPresent(
                subscription.topic, (topic, all) -> all.remove(subscription) && all.isEmpty() ? null : all);
    }

    private void follow(Outbox taker, Subscription subscription) {
        if (subscription.isLeft()) {
            left.computeIfAbsent(subscription.topic, none -> new LinkedHashSet<>())
                    .add(subscription);
        } else if (subscription.end == Subscription.End.LOST) {
            breakOff(taker, "it isn't known what production was told from here on");
        }
    }

    private void breakOff(Outbox taker, String why) {
        taker.messages.removeIf(message -> gone(message, message.from()));
        taker.broken = why;
    }

    private synchronized boolean withdraw(TopicRequest wish) {
        return queues.remove(wish);
    }

    private int makeRoom(Subscription subscription, Message message) {
        int lost = 0;
        long tooOld = message.nanos() - ageNanos;
        ArrayDeque<Message> backlog = subscription.backlog;
        for (Message oldest = backlog.peek(); oldest != null; oldest = backlog.peek()) {
            if (oldest.nanos() - tooOld >= 0 && untakenBytes + message.cost() <= capacity / 4) {
                break;
            }
            untakenBytes -= backlog.remove().cost();
            lost++;
        }
        return lost;
    }

    private void expire() {
        long now = clock.getAsLong();
        while (!ended.isEmpty()) {
            Subscription oldest = ended.iterator().next();
            if (ended.size() <= MOST_ENDED && now - oldest.endNanos <= ageNanos) {
                return;
            }
            forget(oldest);
        }
    }

    private void forget(Subscription subscription) {
        ended.remove(subscription);
        subscription.dropped = true;
        subscription.backlog.forEach(message -> untakenBytes -= message.cost());
        subscription.unheard(subscription.backlog.size());
        subscription.backlog.clear();
        queues.remove(subscription);
    }

    /** Whether a taken message is of this subscription; it isn't kept any more then. */
    private boolean gone(Message message, Subscription of) {
        boolean its = message.from() == of;
        takenBytes -= its ? message.cost() : 0;
        of.unheard(its ? 1 : 0);
        return its;
    }

    /** A wish for a subscription that production hasn't made yet. */
    @FunctionalInterface
    public interface Wish {
        /** Takes it back; false if it was granted already. */
        boolean withdraw();
    }
}
