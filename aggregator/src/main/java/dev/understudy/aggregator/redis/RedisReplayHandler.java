package dev.understudy.aggregator.redis;

import dev.understudy.aggregator.fault.Fault;
import dev.understudy.aggregator.journal.Form;
import dev.understudy.aggregator.journal.Match;
import dev.understudy.aggregator.journal.Taking;
import dev.understudy.aggregator.replay.Replay;
import dev.understudy.aggregator.replay.Turns;
import dev.understudy.divergence.wire.redis.RedisCommand;
import dev.understudy.divergence.wire.redis.RespFramer;
import dev.understudy.divergence.wire.redis.RespSink;
import dev.understudy.divergence.wire.redis.RespValue;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.SimpleChannelInboundHandler;
import org.jspecify.annotations.Nullable;

/**
 * Is Redis for one debug connection: answers each command from the journal, in the order they come.
 *
 * <p>A transaction is answered as a whole, when EXEC asks for it. Confined to the connection's event loop.
 */
public final class RedisReplayHandler extends SimpleChannelInboundHandler<ByteBuf> {
    private static final RespValue OK = new RespValue.Simple("OK");

    private final Replay<RedisReply> replay;
    private final Channel channel;
    private final long connection;
    private final RedisSession session = new RedisSession();
    private final RespFramer framer;
    private final Turns<RedisCommand> turns;
    private @Nullable Taking waiting;

    private RedisReplayHandler(Channel channel, Replay<RedisReply> replay) {
        this.replay = replay;
        this.channel = channel;
        this.connection = replay.nextConnection();
        this.framer = new RespFramer(new Commands(), (int) Math.min(replay.largestMessage(), Integer.MAX_VALUE - 16));
        this.turns = new Turns<>(channel, this::admit);
    }

    /** Makes a debug connection a Redis connection. */
    public static void replay(ChannelPipeline pipeline, Replay<RedisReply> replay) {
        pipeline.addLast(new RedisReplayHandler(pipeline.channel(), replay));
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, ByteBuf data) {
        framer.feed(data.nioBuffer());
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        turns.readComplete();
        ctx.fireChannelReadComplete();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        turns.writabilityChanged();
        ctx.fireChannelWritabilityChanged();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        turns.end();
        if (waiting != null) {
            waiting.cancel();
        }
        ctx.fireChannelInactive();
    }

    /** A transaction is one request: its commands are let in with its EXEC. */
    private void admit(RedisCommand command) {
        boolean whole = command.name().equals("EXEC");
        if (session.inTransaction() && !whole) {
            answer(command);
            return;
        }
        waiting = null;
        Taking held = replay.admit(() -> whole ? session.transactionForm() : session.form(command), injection -> {
            Fault.ErrorReply error = injection.error();
            if (error == null) {
                answer(command);
            } else {
                session.discardTransaction();
                write(line(error.code() + " " + injection.says(error)));
            }
        });
        if (waiting == null) {
            waiting = held;
        }
    }

    private void answer(RedisCommand command) {
        if (session.inTransaction()) {
            answerInTransaction(command);
        } else if (command.name().equals("EXEC") || command.name().equals("DISCARD")) {
            local(new RespValue.SimpleError("ERR " + command.name() + " without MULTI"));
        } else if (command.name().equals("MULTI")) {
            session.succeeded(command);
            local(OK);
        } else if (LocalCommands.contains(command)) {
            answerLocally(command);
        } else if (command.unpairs()) {
            String why = "the server would speak unasked; that isn't replayed";
            replay.refused(session.form(command), why);
            write(error(session.form(command), why));
        } else {
            take(session.form(command));
        }
    }

    private void answerInTransaction(RedisCommand command) {
        switch (command.name()) {
            case "EXEC" -> {
                Form form = session.transactionForm();
                session.endTransaction();
                take(form);
            }
            case "DISCARD" -> {
                session.discardTransaction();
                local(OK);
            }
            case "MULTI" -> local(new RespValue.SimpleError("ERR MULTI calls can not be nested"));
            case "WATCH" -> local(new RespValue.SimpleError("ERR WATCH inside MULTI is not allowed"));
            case "RESET", "QUIT" -> answerLocally(command);
            default -> {
                if (session.queuedBytes() + command.bytes() > replay.largestMessage()) {
                    local(new RespValue.SimpleError("ERR transaction larger than what is recorded"));
                } else {
                    session.queue(command);
                    local(new RespValue.Simple("QUEUED"));
                }
            }
        }
    }

    private void answerLocally(RedisCommand command) {
        String fact = LocalCommands.fact(command);
        RespValue recorded = fact == null ? null : replay.known(fact, RespValue.class);
        RespValue reply = LocalCommands.answer(command, session, connection, recorded);
        if (!(reply instanceof RespValue.SimpleError)) {
            session.succeeded(command);
        }
        if (command.name().equals("QUIT")) {
            replay.local();
            channel.writeAndFlush(Unpooled.wrappedBuffer(OK.encode())).addListener(ChannelFutureListener.CLOSE);
        } else {
            local(reply);
        }
    }

    private void take(Form form) {
        waiting = replay.take(form, channel.eventLoop(), match -> {
            waiting = null;
            if (match instanceof Match.Hit<RedisReply> hit) {
                write(hit.recorded().reply().wire());
            } else {
                write(error(form, ((Match.Miss<RedisReply>) match).why()));
            }
        });
    }

    private void local(RespValue reply) {
        replay.local();
        write(reply.encode());
    }

    private void write(byte[] wire) {
        channel.write(Unpooled.wrappedBuffer(wire));
        turns.done();
    }

    private static byte[] error(Form form, String why) {
        return line("UNDERSTUDY no recorded reply for " + form.text() + " (" + why + ")");
    }

    private static byte[] line(String text) {
        return new RespValue.SimpleError(text.replaceAll("[\\r\\n]", " ")).encode();
    }

    private final class Commands implements RespSink {
        private boolean garbled;

        @Override
        public void value(RespValue value, byte[] raw) {
            RedisCommand command = RedisCommand.of(value);
            if (command != null) {
                turns.add(command, raw.length);
            } else if (!empty(value)) {
                unframed("expected an array of bulk strings", raw);
            }
        }

        @Override
        public void unframed(String reason, byte[] remaining) {
            if (!garbled) {
                garbled = true;
                turns.end();
                channel.writeAndFlush(Unpooled.wrappedBuffer(
                                new RespValue.SimpleError("ERR Protocol error: " + reason).encode()))
                        .addListener(ChannelFutureListener.CLOSE);
            }
        }

        private static boolean empty(RespValue value) {
            return (value instanceof RespValue.Inline inline && inline.words().isEmpty())
                    || (value instanceof RespValue.Array array
                            && (array.items() == null || array.items().isEmpty()));
        }
    }
}
