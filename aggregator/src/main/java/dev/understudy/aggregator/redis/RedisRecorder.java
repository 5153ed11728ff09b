package dev.understudy.aggregator.redis;

import dev.understudy.aggregator.body.LargeBodies;
import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.record.ConnectionRecorder;
import dev.understudy.aggregator.record.Overflow;
import dev.understudy.aggregator.record.Recording;
import dev.understudy.aggregator.record.Unrecorded;
import dev.understudy.aggregator.redis.command.RedisRule;
import dev.understudy.aggregator.redis.command.ReplySwitch;
import dev.understudy.aggregator.redis.command.Tracking;
import dev.understudy.aggregator.redis.push.Subscription;
import dev.understudy.aggregator.redis.push.Topic;
import dev.understudy.aggregator.redis.push.Topic.Kind;
import dev.understudy.divergence.wire.redis.RedisCommand;
import dev.understudy.divergence.wire.redis.RespFramer;
import dev.understudy.divergence.wire.redis.RespSink;
import dev.understudy.divergence.wire.redis.RespValue;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Set;

/**
 * Pairs production's Redis commands with their replies, in order, and records them: one class, since all of it is one
 * queue's state. Messages of subscriptions are told apart and handed on.
 *
 * <p>A connection on which the server begins to speak unasked in other ways (MONITOR, replication) can't be paired any
 * more and is given up; so is one whose state changes while its replies are switched off.
 */
final class RedisRecorder implements ConnectionRecorder {
    /** After these the server speaks unasked, in ways that aren't replayed. */
    private static final Set<String> SPEAKING = Set.of("MONITOR", "PSYNC", "SYNC");

    /** These change what later commands mean, and aren't {@link LocalCommands}. */
    private static final Set<String> STATEFUL = Set.of("DISCARD", "EXEC", "MULTI");

    /** Types of replies that may be too large for memory: strings, arrays, sets, maps. */
    private static final String LARGE = "$=*~%";

    /** Commands sent and not answered; more is no client's pipeline. */
    private static final int MAX_PENDING = 100_000;

    /** Memory of a command that waits for its reply, besides its bytes: most have few and short arguments. */
    private static final long PER_PENDING = 200;

    /** A value that isn't complete is held as bytes and, as far as it has come, parsed. */
    private static final int COPIES = 2;

    private final Recording<RedisReply> recording;
    private final ClientIds.RedisClient client;
    private final LocalRefusals refusals;
    private final RedisUpstreamSession session;
    private final ArrayDeque<Pending> pending = new ArrayDeque<>();
    private final RecordedSubscriptions subscriptions;
    private final RecordedTracking tracking;
    private final ReplySwitch replySwitch = new ReplySwitch();
    private final RespFramer requests;
    private final RespFramer replies;
    private final Overflow large = new Overflow();
    private long now;
    private long pendingBytes;
    private boolean unpaired;
    private boolean sendingTransaction;
    private boolean unqueueable;
    private long transactionStart;
    private boolean clientEnded;

    RedisRecorder(Recording<RedisReply> recording, RedisSharing shared, RedisRule rule) {
        this.recording = recording;
        this.client = shared.clients().ofProduction();
        this.refusals = shared.refusals();
        this.session = new RedisUpstreamSession(rule, client);
        this.subscriptions = new RecordedSubscriptions(recording, session, shared.subscriptions());
        this.tracking = new RecordedTracking(session, client);
        int most = (int) Math.min(recording.largestMessage(), Integer.MAX_VALUE - 16);
        requests = new RespFramer(new Requests(), most, LongCommand.from(most));
        LargeBodies bodies = recording.bodies();
        long whole = most / COPIES;
        replies = new RespFramer(new Replies(), most, bodies == null ? whole : Math.min(whole, bodies.threshold()));
    }

    @Override
    public void request(ByteBuffer data, long nanos) {
        now = nanos;
        if (!unpaired) {
            requests.feed(data);
        }
    }

    @Override
    public void reply(ByteBuffer data, long nanos) {
        now = nanos;
        if (!unpaired) {
            replies.feed(data);
        }
    }

    @Override
    public long heldBytes() {
        if (unpaired) {
            return 0;
        }
        long waiting = pendingBytes + PER_PENDING * pending.size() + session.heldBytes();
        return large.heldBytes() + waiting + requests.heldMemory() + replies.heldMemory();
    }

    @Override
    public void requestEnd(long nanos) {
        clientEnded = true;
    }

    /** A client may leave its own direction open for as long as it likes. */
    @Override
    public void replyEnd(long nanos) {
        if (!clientEnded) {
            subscriptions.end(Subscription.End.CUT);
        }
    }

    @Override
    public void closed(long nanos) {
        end(Subscription.End.CLOSED);
        client.close();
    }

    @Override
    public void lost(long nanos) {
        end(Subscription.End.LOST);
        client.close();
    }

    private void end(Subscription.End how) {
        subscriptions.end(how);
        tracking.close(now);
        long unanswered = pending.stream()
                .filter(one -> !LocalCommands.contains(one.command))
                .count();
        if (unanswered > 0) {
            recording.dropped(Unrecorded.INCOMPLETE, unanswered);
        }
        pending.clear();
        large.abandon();
        unpaired = true;
    }

    private void asked(RedisCommand command, long length) {
        if (unpaired) {
            return;
        }
        if (!replySwitch.answers(command)) {
            unanswered(command);
            return;
        }
        sendingTransaction = switch (command.name()) {
            case "MULTI" -> true;
            case "EXEC", "DISCARD", "RESET" -> false;
            default -> sendingTransaction;
        };
        clientEnded |= command.name().equals("QUIT");
        pendingBytes += length;
        if (SPEAKING.contains(command.name())) {
            giveUp(Unrecorded.SERVER_PUSH, command.name());
        } else if (pending.size() >= MAX_PENDING || pendingBytes > recording.largestMessage()) {
            giveUp(Unrecorded.TOO_LARGE, pending.size() + " commands without a reply");
        } else {
            pending.add(new Pending(command, length, now));
        }
    }

    /** Nothing is to be replayed of it, unless it changes what later commands mean. */
    private void unanswered(RedisCommand command) {
        boolean turned = ReplySwitch.isTurnedBy(command);
        boolean local = LocalCommands.contains(command) && !turned;
        boolean harmless = LocalCommands.changesNothing(command) || !(local || STATEFUL.contains(command.name()));
        if (sendingTransaction || !harmless || Kind.of(command) != null || SPEAKING.contains(command.name())) {
            giveUp(Unrecorded.UNANSWERED, command.name() + " without a reply");
        } else if (!turned && !local) {
            recording.dropped(Unrecorded.UNANSWERED, 1);
        }
    }

    private void reply(RespValue value, byte[] wire) {
        if (unpaired) {
            return;
        }
        Topic topic = subscriptions.topicOf(value);
        Pending asked = pending.peek();
        Kind kind = asked == null || session.inTransaction() ? null : Kind.of(asked.command);
        if (topic != null) {
            List<String> forgotten = Tracking.redirected(value);
            boolean redirected = forgotten != null && tracking.forget(forgotten, now);
            if (!redirected && !subscriptions.message(topic, wire, now)) {
                giveUp(Unrecorded.SERVER_PUSH, "a message that nobody subscribed to");
            }
        } else if (asked != null && kind != null && !strange(value)) {
            subscribed(asked.command, kind, value, wire);
        } else if (value instanceof RespValue.Push push) {
            List<String> forgotten = Tracking.forgotten(push);
            if ((forgotten == null || !tracking.forget(forgotten, now)) && Topic.confirmsAnything(push)) {
                giveUp(Unrecorded.SERVER_PUSH, "a subscription that the server ended, or of a transaction");
            }
        } else if (value instanceof RespValue.Inline) {
            giveUp(Unrecorded.NOT_THE_PROTOCOL, "a reply that isn't RESP");
        } else if (asked == null) {
            giveUp(Unrecorded.NOT_THE_PROTOCOL, "a reply to no command");
        } else if (replySwitch.used() && Refusal.ofSilence(value)) {
            giveUp(Unrecorded.UNANSWERED, "CLIENT REPLY may have been refused");
        } else {
            answer(answered(), value, wire);
        }
    }

    /** In version 3 something else than what the server says of subscriptions may come before it. */
    private boolean strange(RespValue value) {
        return value instanceof RespValue.Push push && !Topic.confirmsAnything(push);
    }

    private void subscribed(RedisCommand command, Kind kind, RespValue value, byte[] wire) {
        switch (subscriptions.answered(command, kind, value, wire)) {
            case SOME -> {
                // the command stays the first of those that are pending
            }
            case LAST -> answered();
            case NONE -> giveUp(Unrecorded.SERVER_PUSH, "no confirmation of " + command.name());
        }
    }

    private Pending answered() {
        Pending asked = pending.remove();
        pendingBytes -= asked.length;
        return asked;
    }

    private void answer(Pending asked, RespValue value, byte[] wire) {
        RedisCommand command = asked.command;
        session.next();
        boolean failed = value instanceof RespValue.SimpleError || value instanceof RespValue.BulkError;
        if (session.inTransaction()) {
            transaction(command, failed, value, wire);
        } else if (command.name().equals("MULTI")) {
            refusals.heard(command, session, value);
            begin(asked, failed);
        } else if (LocalCommands.contains(command) || session.refuses(command)) {
            local(command, failed, value);
        } else {
            client.learn(command, value);
            recording.exchange(session.form(command), replied(wire, asked.nanos), asked.nanos, now);
        }
    }

    private RedisReply replied(byte[] wire, long nanos) {
        return RedisReply.of(wire, tracking.heard(nanos), null);
    }

    /**
     * Whether a reply of this type may be too large for memory: the answer to a command of its own, or to a
     * transaction.
     */
    private boolean beginsLarge(char type) {
        Pending asked = pending.peek();
        return !unpaired
                && asked != null
                && LARGE.indexOf(type) >= 0
                && (!session.inTransaction() || asked.command.name().equals("EXEC"))
                && Kind.of(asked.command) == null
                && !LocalCommands.contains(asked.command)
                && !session.refuses(asked.command);
    }

    private void endLarge() {
        if (unpaired) {
            return;
        }
        Pending asked = answered();
        session.next();
        boolean transaction = session.inTransaction();
        Unrecorded lost = recording.bodies() == null ? Unrecorded.TOO_LARGE : large.lost();
        if (transaction && unqueueable) {
            lost = Unrecorded.INCOMPLETE;
        }
        if (lost != null) {
            large.abandon();
            recording.dropped(lost, 1);
        } else {
            long begun = transaction ? transactionStart : asked.nanos;
            RedisReply reply = RedisReply.of(new byte[0], tracking.heard(begun), large.take());
            Form form = transaction ? session.transactionForm() : session.form(asked.command);
            recording.exchange(form, reply, begun, now);
        }
        if (transaction) {
            session.endTransaction();
        }
    }

    private void begin(Pending multi, boolean failed) {
        if (!failed) {
            session.succeeded(multi.command);
            transactionStart = multi.nanos;
            unqueueable = false;
        }
    }

    private void transaction(RedisCommand command, boolean failed, RespValue value, byte[] wire) {
        switch (command.name()) {
            case "EXEC" -> {
                if (unqueueable) {
                    recording.dropped(Unrecorded.INCOMPLETE, 1);
                } else {
                    recording.exchange(
                            session.transactionForm(), replied(wire, transactionStart), transactionStart, now);
                }
                if (value instanceof RespValue.Array array && array.items() != null) {
                    client.learn(session.queued(), array.items());
                    session.endTransaction();
                } else {
                    session.discardTransaction();
                }
            }
            case "DISCARD" -> session.discardTransaction();
            case "RESET" -> local(command, failed, value);
            default -> {
                if (!failed && Kind.of(command) != null) {
                    giveUp(Unrecorded.SERVER_PUSH, command.name() + " in a transaction");
                    return;
                }
                // A command that Redis refused to queue makes EXEC fail in a way that replay couldn't announce in time.
                unqueueable |= failed || session.queuedBytes() + command.bytes() > recording.largestMessage();
                if (!unqueueable) {
                    session.queue(command);
                }
            }
        }
    }

    private void local(RedisCommand command, boolean failed, RespValue value) {
        refusals.heard(command, session, value);
        if (!failed) {
            String greeting = LocalCommands.greeting(command, session.version());
            if (greeting != null) {
                recording.share(greeting, value);
            }
            client.learn(command, value);
            if (command.name().equals("RESET")) {
                subscriptions.end(Subscription.End.UNSUBSCRIBED);
            }
            session.succeeded(command);
            tracking.follow(command, now);
        }
        if (session.queuedBytes() > recording.largestMessage()) {
            giveUp(Unrecorded.TOO_LARGE, "keys that are watched");
        }
    }

    private void giveUp(Unrecorded reason, String detail) {
        if (!unpaired) {
            end(Subscription.End.LOST);
            recording.unframed(reason, detail);
        }
    }

    private void unframed(String reason) {
        boolean tooLarge = reason.startsWith("a value of more than");
        giveUp(tooLarge ? Unrecorded.TOO_LARGE : Unrecorded.NOT_THE_PROTOCOL, reason);
    }

    private final class Requests extends CommandSink {
        @Override
        void command(RedisCommand command, long bytes) {
            asked(command, bytes);
        }

        @Override
        public void unframed(String reason, byte[] remaining) {
            RedisRecorder.this.unframed(reason);
        }
    }

    private final class Replies implements RespSink {
        @Override
        public void value(RespValue value, Sent sent) {
            reply(value, sent.bytes());
        }

        @Override
        public boolean largeBegins(char type, List<RespValue> begun, long atLeast) {
            return beginsLarge(type);
        }

        @Override
        public void piece(ByteBuffer wire) {
            LargeBodies bodies = recording.bodies();
            if (bodies != null && !unpaired) {
                large.into(bodies).add(wire);
            }
        }

        @Override
        public void largeEnds() {
            endLarge();
        }

        @Override
        public void unframed(String reason, byte[] remaining) {
            RedisRecorder.this.unframed(reason);
        }
    }

    private record Pending(RedisCommand command, long length, long nanos) {}
}
