package dev.understudy.aggregator.redis;

import dev.understudy.aggregator.body.LargeBody;
import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.PendingRequest;
import dev.understudy.aggregator.exchange.Recorded;
import dev.understudy.aggregator.fault.Fault;
import dev.understudy.aggregator.journal.Match;
import dev.understudy.aggregator.redis.command.BlockingCommands;
import dev.understudy.aggregator.redis.command.RedisRule;
import dev.understudy.aggregator.redis.command.ReplySwitch;
import dev.understudy.aggregator.redis.command.Tracking;
import dev.understudy.aggregator.redis.push.Topic.Kind;
import dev.understudy.aggregator.replay.BodyPump;
import dev.understudy.aggregator.replay.Gathering;
import dev.understudy.aggregator.replay.ReplayTurns;
import dev.understudy.aggregator.replay.UpstreamReplay;
import dev.understudy.divergence.wire.redis.RedisCommand;
import dev.understudy.divergence.wire.redis.RespFramer;
import dev.understudy.divergence.wire.redis.RespValue;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Is Redis for one debug connection: answers each command from the journal, in the order they come.
 *
 * <p>A transaction is answered as a whole, when EXEC asks for it. Confined to the connection's event loop.
 */
final class RedisReplayHandler extends SimpleChannelInboundHandler<ByteBuf> {
    private static final RespValue OK = new RespValue.Simple("OK");
    private static final String OUT_OF_MEMORY = "OOM debug connections hold as much as they may";

    private final UpstreamReplay<RedisReply> replay;
    private final Channel channel;
    private final ClientIds.RedisClient client;
    private final LocalRefusals refusals;
    private final RedisUpstreamSession session;
    private final RespFramer framer;
    private final ReplayTurns<RedisCommand> turns;
    private final Gathering answers = new Gathering();
    private final ReplySwitch replySwitch = new ReplySwitch();
    private final Subscriber subscriber;
    private final CachedKeys cached;
    private final RedisLiveReads live;
    private @Nullable PendingRequest waiting;
    private @Nullable BodyPump pump;
    private boolean refused;

    RedisReplayHandler(Channel channel, UpstreamReplay<RedisReply> replay, RedisSharing shared, RedisRule rule) {
        this.client = shared.clients().ofDebug();
        this.refusals = shared.refusals();
        this.session = new RedisUpstreamSession(rule, client);
        this.replay = replay;
        this.channel = channel;
        int most = (int) Math.min(replay.largestMessage(), Integer.MAX_VALUE - 16);
        this.framer = new RespFramer(new Commands(), most, LongCommand.from(most));
        this.cached = new CachedKeys(channel, replay, session, client);
        client.open(new RedisPeer(channel, cached));
        this.subscriber = new Subscriber(channel, replay, shared.subscriptions(), session);
        this.live = new RedisLiveReads(session, replay.memory().of(channel, 0));
        this.turns = new ReplayTurns<>(channel, this::admit);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        ctx.pipeline().addBefore(ctx.name(), null, answers);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, ByteBuf data) {
        if (!refused) {
            framer.feed(data.nioBuffer());
            charge();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        turns.readComplete();
        ctx.fireChannelReadComplete();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (pump != null) {
            pump.flow();
        }
        turns.writabilityChanged();
        subscriber.tell();
        ctx.fireChannelWritabilityChanged();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        client.close();
        turns.end();
        if (pump != null) {
            pump.cancel();
        }
        if (waiting != null) {
            waiting.cancel();
        }
        subscriber.end();
        cached.forget();
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
        PendingRequest held =
                replay.admit(() -> whole ? session.transactionForm() : session.form(command), injection -> {
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
        Kind kind = Kind.of(command);
        session.next();
        RespValue refused = isLocal(command) ? refusals.of(command, session) : null;
        if (!replySwitch.answers(command)) {
            unanswered(command);
        } else if (refused != null) {
            local(refused);
        } else if (session.refuses(command)) {
            local(new RespValue.SimpleError(
                    "ERR Can't execute '" + command.name().toLowerCase(Locale.ROOT)
                            + "': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT "
                            + "/ RESET are allowed in this context"));
        } else if (session.inTransaction()) {
            answerInTransaction(command);
        } else if (command.name().equals("EXEC") || command.name().equals("DISCARD")) {
            local(new RespValue.SimpleError("ERR " + command.name() + " without MULTI"));
        } else if (command.name().equals("MULTI")) {
            session.succeeded(command);
            local(OK);
        } else if (untracked(command) != null) {
            refuse(command, String.valueOf(untracked(command)));
        } else if (LocalCommands.contains(command)) {
            answerLocally(command);
        } else if (kind != null
                && (!kind.begunBy(command) || !command.arguments().isEmpty())) {
            subscriber.answer(command, kind, this::done);
        } else if (command.unpairs()) {
            refuse(command, "the server would speak unasked; that isn't replayed");
        } else {
            take(session.form(command), List.of(command), BlockingCommands.patience(command), false);
        }
    }

    /** Production's were answered by nothing either. */
    private void unanswered(RedisCommand command) {
        if (Kind.of(command) != null) {
            replay.refused(session.form(command), "a subscription whose confirmation is switched off");
            channel.close();
            return;
        }
        if (!session.inTransaction()) {
            session.succeeded(command);
        } else if (command.name().equals("EXEC")) {
            session.endTransaction();
        } else if (command.name().equals("DISCARD")) {
            session.discardTransaction();
        } else {
            session.queue(command);
        }
        replay.local();
        done();
    }

    private void answerInTransaction(RedisCommand command) {
        switch (command.name()) {
            case "EXEC" -> {
                if (session.isAborted()) {
                    session.discardTransaction();
                    local(new RespValue.SimpleError("EXECABORT Transaction discarded because of previous errors."));
                    return;
                }
                Form form = session.transactionForm();
                List<RedisCommand> commands = session.queued();
                session.endTransaction();
                take(form, commands, Duration.ZERO, true);
            }
            case "DISCARD" -> {
                session.discardTransaction();
                local(OK);
            }
            case "MULTI" -> local(new RespValue.SimpleError("ERR MULTI calls can not be nested"));
            case "WATCH" -> local(new RespValue.SimpleError("ERR WATCH inside MULTI is not allowed"));
            case "RESET", "QUIT" -> answerLocally(command);
            default -> {
                if (Kind.of(command) != null) {
                    refuse(command, "subscriptions within a transaction aren't replayed");
                } else {
                    queue(command);
                }
            }
        }
    }

    /** What doesn't fit ends the transaction, as it does where the server is out of memory: EXEC will say so. */
    private void queue(RedisCommand command) {
        session.queue(command);
        if (session.queuedBytes() > replay.largestMessage()) {
            session.abortTransaction();
            local(new RespValue.SimpleError("ERR transaction larger than what is recorded"));
        } else if (!fits()) {
            session.abortTransaction();
            local(new RespValue.SimpleError(OUT_OF_MEMORY));
        } else {
            local(new RespValue.Simple("QUEUED"));
        }
    }

    /** Whether there is room for all that this connection makes us hold, which is charged then. */
    private boolean fits() {
        return replay.memory()
                .hold(framer.heldMemory()
                        + turns.heldBytes()
                        + session.heldBytes()
                        + subscriber.heldBytes()
                        + cached.heldBytes());
    }

    /** Charges what this connection makes us hold, or ends it. */
    private void charge() {
        if (!refused && !fits()) {
            end(OUT_OF_MEMORY);
        }
    }

    private void end(String error) {
        refused = true;
        turns.end();
        channel.writeAndFlush(Unpooled.wrappedBuffer(new RespValue.SimpleError(error).encode()));
        channel.close();
    }

    private void done() {
        turns.done();
        charge();
    }

    private void answerLocally(RedisCommand command) {
        RespValue reply = LocalCommands.answer(
                command, session, client.id(), LocalCommands.greeting(command, session.version(), replay));
        if (!(reply instanceof RespValue.SimpleError)) {
            if (command.name().equals("RESET")) {
                subscriber.reset();
            }
            session.succeeded(command);
            live.succeeded(command);
            if (!session.isTracking()) {
                cached.forget();
            }
        }
        if (command.name().equals("QUIT")) {
            replay.local();
            channel.writeAndFlush(Unpooled.wrappedBuffer(OK.encode())).addListener(ChannelFutureListener.CLOSE);
        } else {
            local(reply);
        }
    }

    /** Whether it is answered here, and production's server was asked like this. */
    private boolean isLocal(RedisCommand command) {
        boolean local = LocalCommands.contains(command) || command.name().equals("MULTI");
        return (local || session.refuses(command)) && untracked(command) == null && !session.inTransaction();
    }

    /** Why what this switches on isn't replayed; null if it is. */
    private @Nullable String untracked(RedisCommand command) {
        return Tracking.isTurnedBy(command)
                ? Tracking.refusal(command, session.version(), client.reaches(Tracking.redirection(command)))
                : null;
    }

    private void refuse(RedisCommand command, String why) {
        replay.refused(session.form(command), why);
        write(error(session.form(command), why));
    }

    private void take(Form form, List<RedisCommand> commands, Duration longer, boolean isTransaction) {
        waiting = replay.take(form, longer, channel.eventLoop(), live.instead(commands, isTransaction), match -> {
            waiting = null;
            LargeBody large = match instanceof Match.Hit<RedisReply> hit
                    ? hit.recorded().reply().large()
                    : null;
            if (match instanceof Match.Hit<RedisReply> hit && large != null) {
                pump(large, commands, hit.recorded());
            } else if (match instanceof Match.Hit<RedisReply> hit) {
                byte[] wire = hit.recorded().reply().wire();
                answers.add(ClientReplies.rewritten(commands, isTransaction, wire, client));
                client.kill(commands, isTransaction, wire);
                cached.read(commands, hit.recorded());
                done();
            } else {
                Match.Miss<RedisReply> miss = (Match.Miss<RedisReply>) match;
                write(error(miss.form(), miss.why()));
            }
        });
    }

    /** What the server says unasked waits until the reply is whole. */
    private void pump(LargeBody large, List<RedisCommand> commands, Recorded<RedisReply> recorded) {
        subscriber.hold(true);
        cached.hold(true);
        BodyPump flowing = new BodyPump(channel, large, channel::write, whole -> {
            pump = null;
            if (!whole) {
                turns.end();
                channel.close(); // the client sees that it is cut off
                return;
            }
            cached.read(commands, recorded);
            cached.hold(false);
            subscriber.hold(false);
            done();
        });
        pump = flowing;
        flowing.flow();
    }

    private void local(RespValue reply) {
        replay.local();
        write(reply.encode());
    }

    private void write(byte[] wire) {
        answers.add(wire);
        done();
    }

    static byte[] error(Form form, String why) {
        return line("UNDERSTUDY no recorded reply for " + form.text() + " (" + why + ")");
    }

    private static byte[] line(String text) {
        return new RespValue.SimpleError(text.replaceAll("[\\r\\n]", " ")).encode();
    }

    private final class Commands extends CommandSink {
        @Override
        void command(RedisCommand command, long bytes) {
            turns.add(command, command.memory());
        }

        @Override
        void other(RespValue value) {
            if (!empty(value)) {
                unframed("expected an array of bulk strings", new byte[0]);
            }
        }

        @Override
        public void unframed(String reason, byte[] remaining) {
            if (!refused) {
                RedisReplayHandler.this.end("ERR Protocol error: " + reason);
            }
        }

        private static boolean empty(RespValue value) {
            return (value instanceof RespValue.Inline inline && inline.words().isEmpty())
                    || (value instanceof RespValue.Array array
                            && (array.items() == null || array.items().isEmpty()));
        }
    }
}
