package dev.understudy.aggregator.redis;

import dev.understudy.aggregator.record.ConnectionRecorder;
import dev.understudy.aggregator.record.Recording;
import dev.understudy.aggregator.record.Unrecorded;
import dev.understudy.divergence.wire.redis.RedisCommand;
import dev.understudy.divergence.wire.redis.RespFramer;
import dev.understudy.divergence.wire.redis.RespSink;
import dev.understudy.divergence.wire.redis.RespValue;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Pairs production's Redis commands with their replies, in order, and records them.
 *
 * <p>A connection on which the server begins to speak unasked in RESP2's way (subscriptions, MONITOR, replication), or
 * falls silent (CLIENT REPLY), can't be paired any more and is given up. RESP3's pushes are told apart and left out.
 */
public final class RedisRecorder implements ConnectionRecorder {
    /** Commands sent and not answered; more is no client's pipeline. */
    private static final int MAX_PENDING = 100_000;

    /** A value that isn't complete is held as bytes and, as far as it has come, parsed. */
    private static final int COPIES = 2;

    private final Recording<RedisReply> recording;
    private final RedisSession session = new RedisSession();
    private final ArrayDeque<Pending> pending = new ArrayDeque<>();
    private final RespFramer requests;
    private final RespFramer replies;
    private long now;
    private long pendingBytes;
    private boolean unpaired;
    private boolean unqueueable;
    private long transactionStart;

    public RedisRecorder(Recording<RedisReply> recording) {
        this.recording = recording;
        int most = (int) Math.min(recording.largestMessage(), Integer.MAX_VALUE - 16);
        requests = new RespFramer(
                new RespSink() {
                    @Override
                    public void value(RespValue value, byte[] raw) {
                        command(RedisCommand.of(value), raw.length);
                    }

                    @Override
                    public void unframed(String reason, byte[] remaining) {
                        giveUp(Unrecorded.NOT_THE_PROTOCOL, reason);
                    }
                },
                most);
        replies = new RespFramer(
                new RespSink() {
                    @Override
                    public void value(RespValue value, byte[] raw) {
                        reply(value, raw);
                    }

                    @Override
                    public void unframed(String reason, byte[] remaining) {
                        giveUp(Unrecorded.NOT_THE_PROTOCOL, reason);
                    }
                },
                most);
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
        return unpaired
                ? 0
                : pendingBytes + session.queuedBytes() + COPIES * ((long) requests.heldBytes() + replies.heldBytes());
    }

    @Override
    public void closed(long nanos) {
        long unanswered = pending.stream()
                .filter(one -> !LocalCommands.contains(one.command))
                .count();
        if (unanswered > 0) {
            recording.dropped(Unrecorded.INCOMPLETE, unanswered);
        }
        pending.clear();
        unpaired = true;
    }

    private void command(@Nullable RedisCommand command, int length) {
        if (unpaired || command == null) {
            return;
        }
        pendingBytes += length;
        if (command.unpairs()) {
            giveUp(Unrecorded.SERVER_PUSH, command.name());
        } else if (pending.size() >= MAX_PENDING || pendingBytes > recording.largestMessage()) {
            giveUp(Unrecorded.TOO_LARGE, pending.size() + " commands without a reply");
        } else {
            pending.add(new Pending(command, length, now));
        }
    }

    private void reply(RespValue value, byte[] wire) {
        if (unpaired || value instanceof RespValue.Push) {
            return;
        }
        if (value instanceof RespValue.Inline) {
            giveUp(Unrecorded.NOT_THE_PROTOCOL, "a reply that isn't RESP");
            return;
        }
        Pending asked = pending.poll();
        if (asked == null) {
            giveUp(Unrecorded.NOT_THE_PROTOCOL, "a reply to no command");
            return;
        }
        pendingBytes -= asked.length;
        RedisCommand command = asked.command;
        boolean failed = value instanceof RespValue.SimpleError || value instanceof RespValue.BulkError;
        if (session.inTransaction()) {
            transaction(command, failed, value, wire);
        } else if (command.name().equals("MULTI")) {
            begin(asked, failed);
        } else if (LocalCommands.contains(command)) {
            local(command, failed, value);
        } else {
            recording.exchange(session.form(command), new RedisReply(wire), asked.nanos, now);
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
                    recording.exchange(session.transactionForm(), new RedisReply(wire), transactionStart, now);
                }
                if (value instanceof RespValue.Array array && array.items() != null) {
                    session.endTransaction();
                } else {
                    session.discardTransaction();
                }
            }
            case "DISCARD" -> session.discardTransaction();
            case "RESET" -> session.succeeded(command);
            default -> {
                // A command that Redis refused to queue makes EXEC fail in a way that replay couldn't announce in time.
                unqueueable |= failed || session.queuedBytes() + command.bytes() > recording.largestMessage();
                if (!unqueueable) {
                    session.queue(command);
                }
            }
        }
    }

    private void local(RedisCommand command, boolean failed, RespValue value) {
        String fact = LocalCommands.fact(command);
        if (fact != null && !refusesCredentials(value)) {
            recording.share(fact, value);
        }
        if (!failed) {
            session.succeeded(command);
        }
    }

    private static boolean refusesCredentials(RespValue value) {
        return value instanceof RespValue.SimpleError error
                && (error.message().startsWith("NOAUTH") || error.message().startsWith("WRONGPASS"));
    }

    private void giveUp(Unrecorded reason, String detail) {
        if (!unpaired) {
            closed(now);
            recording.unframed(reason, detail);
        }
    }

    private record Pending(RedisCommand command, int length, long nanos) {}
}
