package dev.understudy.aggregator.record;

import dev.understudy.aggregator.body.LargeBodies;
import dev.understudy.aggregator.body.LargeBody;
import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.RecordedReply;
import dev.understudy.aggregator.exchange.Redaction;
import dev.understudy.aggregator.journal.Journal;
import dev.understudy.aggregator.journal.PendingCall;
import dev.understudy.aggregator.journal.ReplyOffer;
import dev.understudy.aggregator.outgoing.OutgoingCalls;
import dev.understudy.aggregator.policy.CallPolicy;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the recorder of one production connection puts what it finds. Used on that connection's lane loop.
 */
public final class Recording<R extends RecordedReply> {
    private static final Logger log = LoggerFactory.getLogger(Recording.class);

    private final String upstream;
    private final long connection;
    private final Journal<R> journal;
    private final RecordCounts counts;
    private final long largestMessage;
    private final CallPolicy policy;
    private final OutgoingCalls outgoing;
    private final @Nullable LargeBodies bodies;
    private final Redaction redaction;
    private final Set<PendingCall> underWay = new HashSet<>();
    private boolean degraded;

    /**
     * Makes the recording of one connection that keeps no large replies.
     */
    public Recording(
            String upstream,
            long connection,
            Journal<R> journal,
            RecordCounts counts,
            long largestMessage,
            CallPolicy policy,
            OutgoingCalls outgoing) {
        this(upstream, connection, journal, counts, largestMessage, policy, outgoing, null, Redaction.NONE);
    }

    /** Makes the recording of one connection to the upstream of this name. */
    public Recording(
            String upstream,
            long connection,
            Journal<R> journal,
            RecordCounts counts,
            long largestMessage,
            CallPolicy policy,
            OutgoingCalls outgoing,
            @Nullable LargeBodies bodies,
            Redaction redaction) {
        this.redaction = redaction;
        this.bodies = bodies;
        this.upstream = upstream;
        this.connection = connection;
        this.journal = journal;
        this.counts = counts;
        this.largestMessage = largestMessage;
        this.policy = policy;
        this.outgoing = outgoing;
    }

    /** Production's connection. */
    public long connection() {
        return connection;
    }

    /** Bytes of one message (request or reply) beyond which it isn't kept; {@link Unrecorded#TOO_LARGE}. */
    public long largestMessage() {
        return largestMessage;
    }

    /** Where replies go that are too large for memory; null if they aren't kept. */
    public @Nullable LargeBodies bodies() {
        return bodies;
    }

    /** A complete exchange. The form and the reply hold no credentials. */
    public void exchange(Form asked, R reply, long startNanos, long endNanos) {
        Form form = redaction.of(asked);
        Form background = policy.background(form);
        LargeBody large = reply.large();
        if (background != null && large != null) {
            large.discard();
            dropped(Unrecorded.TOO_LARGE, 1);
            return;
        }
        if (background != null) {
            counts.background.increment();
            journal.background().add(background.withoutOutline(), connection, startNanos, endNanos, reply);
            return;
        }
        counts.exchanges.increment();
        long id = journal.add(form, connection, startNanos, endNanos, reply);
        outgoing.made(upstream, id, form.withoutOutline(), startNanos, endNanos);
    }

    /**
     * A reply that production is still receiving, for the debug JVM to have meanwhile; null if it is to have it only
     * once it is complete. To be ended by the caller.
     */
    public @Nullable ReplyOffer<R> offer(Form asked, R reply, long startNanos, long nowNanos) {
        Form form = redaction.of(asked);
        if (policy.background(form) != null) {
            return null;
        }
        ReplyOffer<R> offer = journal.offer(form, connection, startNanos, nowNanos, reply);
        outgoing.made(upstream, offer.id(), form.withoutOutline(), startNanos, nowNanos);
        return offer;
    }

    /** An exchange is complete whose reply was offered, and taken back. */
    public void complete(ReplyOffer<R> offer, R reply, long endNanos) {
        counts.exchanges.increment();
        offer.complete(reply, endNanos);
    }

    /** An exchange is complete whose reply the debug JVM has, with such an {@linkplain RecordedReply#answer answer}. */
    public void given(ReplyOffer<R> offer, long answer) {
        counts.exchanges.increment();
        offer.given(answer);
    }

    /**
     * Production has sent a request whose reply isn't complete. To be ended after {@link #exchange}, or when it is
     * known that there will be no such; ended with the connection otherwise.
     */
    public PendingCall begin(Form asked) {
        PendingCall call = journal.begin(asked.withoutOutline());
        underWay.add(call);
        return call;
    }

    /** Such a call is over. */
    public void end(PendingCall call) {
        underWay.remove(call);
        call.end();
    }

    private void endAll() {
        underWay.forEach(PendingCall::end);
        underWay.clear();
    }

    /** The upstream has begun to speak, on a connection that isn't cut into exchanges. */
    public void turn() {
        counts.exchanges.increment();
    }

    /** A small value that many replies have, such as a header or a list of columns: an equal one, kept once. */
    public <T> T once(T value) {
        return journal.common().once(value);
    }

    /** Publishes a fact for the debug side, such as a greeting; the latest one under a key counts. */
    public void share(String key, Object fact) {
        journal.common().share(key, fact);
    }

    /** The same, together with what is known under that key. */
    public <T> void share(String key, T fact, BinaryOperator<T> both) {
        journal.common().share(key, fact, both);
    }

    /** Some exchanges that can't be recorded, while the connection stays framed. */
    public void dropped(Unrecorded reason, long exchanges) {
        counts.add(reason, exchanges);
        boolean calls = reason != Unrecorded.UNHEARD; // what a server says unasked is no call
        if (exchanges > 0 && calls) {
            outgoing.lost();
        }
    }

    /** One exchange that can't be recorded, and what is known of it. */
    public void dropped(Unrecorded reason, Form known) {
        dropped(reason, 1);
        journal.seen(redaction.of(known));
    }

    /** The connection is closed. */
    void closed() {
        endAll();
        if (degraded) {
            outgoing.blindNoMore();
        }
    }

    /** Whether the rest of this connection {@linkplain #unframed can't be recorded}. */
    boolean isOver() {
        return degraded;
    }

    /** The rest of this connection can't be recorded. Counted and logged once, the first reason only. */
    public void unframed(Unrecorded reason, String detail) {
        if (degrade(reason, detail)) {
            outgoing.blind();
        }
    }

    /** The same, from a moment on that has passed. */
    void unframedSince(long nanos, Unrecorded reason, String detail) {
        if (degrade(reason, detail)) {
            outgoing.blindSince(nanos);
        }
    }

    /** False if it was before. */
    private boolean degrade(Unrecorded reason, String detail) {
        endAll();
        if (degraded) {
            return false;
        }
        degraded = true;
        counts.add(reason, 1);
        log.warn(
                "upstream {}: production connection {} can't be recorded from here on: {} ({})",
                upstream,
                connection,
                reason,
                detail);
        return true;
    }
}
