package dev.understudy.aggregator.redis.push;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The subscriptions of production's connections to one upstream: each is taken by one debug connection that subscribes
 * to the same topic, the oldest first, and its messages go there.
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

    private final long capacity;
    private final long ageNanos;
    private final LongSupplier clock;
    private final Map<Topic, ArrayDeque<Subscription>> untaken = new HashMap<>();
    private final Map<Topic, ArrayDeque<Waiting>> waiting = new HashMap<>();
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

    /** A production connection has subscribed. */
    public Subscription open(Topic topic) {
        return add(new Subscription(topic, null));
    }

    /** The server has refused a subscription with this error. */
    public void refused(Topic topic, byte[] error) {
        Subscription refusal = new Subscription(topic, error);
        add(refusal);
        end(refusal, Subscription.End.UNSUBSCRIBED);
    }

    /**
     * A production connection got a message; returns how many messages had to go for it, of those that nobody heard.
     */
    public int message(Subscription to, long nanos, byte[] wire) {
        Outbox taker;
        int lost;
        synchronized (this) {
            taker = to.taker;
            if (to.dropped || (taker != null && taker.over != null)) {
                return 0;
            }
            Message message = new Message(to, nanos, ++sequence, wire);
            lost = taker == null ? makeRoom(to, message) : 0;
            if (taker == null && untakenBytes + message.cost() <= capacity / 4) {
                untakenBytes += message.cost();
                to.backlog.add(message);
            } else if (taker == null) {
                return lost + 1;
            } else if (takenBytes + untakenBytes + message.cost() <= capacity) {
                takenBytes += message.cost();
                taker.messages.add(message);
            } else {
                breakOff(taker, "more messages than " + capacity + " bytes wait for the debug JVM to read them");
            }
        }
        if (taker != null) {
            taker.wake.run();
        }
        return lost;
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
            if (taker == null && !subscription.dropped) {
                ended.add(subscription);
                expire();
            } else if (taker != null) {
                follow(taker, subscription);
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
        Waiting wish = new Waiting(topic, outbox, loop, then);
        synchronized (this) {
            expire();
            found = oldest(topic);
            if (found == null) {
                waiting.computeIfAbsent(topic, none -> new ArrayDeque<>()).add(wish);
                return () -> withdraw(wish);
            }
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
        return message.wire();
    }

    /** Why a debug connection that was told all there is must end; null if it mustn't. */
    public synchronized @Nullable String over(Outbox outbox) {
        return outbox.messages.isEmpty() ? outbox.over : null;
    }

    /** Whether it must end because messages were lost, rather than as production's did. */
    public synchronized boolean broken(Outbox outbox) {
        return outbox.broken;
    }

    /** A debug connection has unsubscribed: the rest of its messages is nobody's. */
    public synchronized void drop(Outbox outbox, Topic topic) {
        Subscription subscription = outbox.taken.remove(topic);
        if (subscription != null) {
            subscription.dropped = true;
            subscription.taker = null;
            outbox.messages.removeIf(message -> gone(message, subscription));
        }
    }

    /** A debug connection has ended: what it subscribed to is the next one's, with what it wasn't told yet. */
    public void giveBack(Outbox outbox) {
        synchronized (this) {
            for (Message message = outbox.messages.poll(); message != null; message = outbox.messages.poll()) {
                message.from().backlog.add(message);
                takenBytes -= message.cost();
                untakenBytes += message.cost();
            }
            for (Subscription subscription : outbox.taken.values()) {
                subscription.taker = null;
                if (outbox.broken || subscription.end == Subscription.End.LOST) {
                    forget(subscription);
                } else {
                    untaken.computeIfAbsent(subscription.topic, none -> new ArrayDeque<>())
                            .addFirst(subscription);
                    if (subscription.end != null) {
                        ended.add(subscription);
                    }
                }
            }
            outbox.taken.clear();
        }
    }

    /** Bytes of the messages that wait. */
    public synchronized long bytes() {
        return takenBytes + untakenBytes;
    }

    private Subscription add(Subscription subscription) {
        Waiting first;
        synchronized (this) {
            ArrayDeque<Waiting> wishes = waiting.get(subscription.topic);
            first = wishes == null ? null : wishes.poll();
            if (first == null) {
                untaken.computeIfAbsent(subscription.topic, none -> new ArrayDeque<>())
                        .add(subscription);
                return subscription;
            }
            if (wishes != null && wishes.isEmpty()) {
                waiting.remove(subscription.topic);
            }
            attach(subscription, first.outbox);
        }
        first.loop.execute(() -> first.then.accept(subscription));
        return subscription;
    }

    private @Nullable Subscription oldest(Topic topic) {
        ArrayDeque<Subscription> all = untaken.get(topic);
        Subscription oldest = all == null ? null : all.poll();
        if (all != null && all.isEmpty()) {
            untaken.remove(topic);
        }
        if (oldest != null) {
            ended.remove(oldest);
        }
        return oldest;
    }

    private void attach(Subscription subscription, Outbox outbox) {
        subscription.taker = outbox;
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

    /** A twin whose connection ended ends too, or it would stay deaf when production has subscribed anew. */
    private void follow(Outbox taker, Subscription subscription) {
        if (subscription.end == Subscription.End.CLOSED && taker.over == null) {
            taker.over = "production's connection ended";
        } else if (subscription.end == Subscription.End.LOST) {
            breakOff(taker, "it isn't known what production was told from here on");
        }
    }

    private void breakOff(Outbox taker, String why) {
        taker.messages.removeIf(message -> gone(message, message.from()));
        taker.over = why;
        taker.broken = true;
    }

    private boolean withdraw(Waiting wish) {
        synchronized (this) {
            ArrayDeque<Waiting> wishes = waiting.get(wish.topic);
            boolean waited = wishes != null && wishes.remove(wish);
            if (wishes != null && wishes.isEmpty()) {
                waiting.remove(wish.topic);
            }
            return waited;
        }
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
        subscription.backlog.clear();
        ArrayDeque<Subscription> all = untaken.get(subscription.topic);
        if (all != null) {
            all.remove(subscription);
            if (all.isEmpty()) {
                untaken.remove(subscription.topic);
            }
        }
    }

    /** Whether a taken message is of this subscription; it isn't kept any more then. */
    private boolean gone(Message message, Subscription of) {
        boolean its = message.from() == of;
        takenBytes -= its ? message.cost() : 0;
        return its;
    }

    /** A wish for a subscription that production hasn't made yet. */
    @FunctionalInterface
    public interface Wish {
        /** Takes it back; false if it was granted already. */
        boolean withdraw();
    }

    private record Waiting(Topic topic, Outbox outbox, Executor loop, Consumer<Subscription> then) {}
}
