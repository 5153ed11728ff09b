package dev.understudy.aggregator.redis;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.redis.push.Ending;
import dev.understudy.aggregator.redis.push.Outbox;
import dev.understudy.aggregator.redis.push.Subscription;
import dev.understudy.aggregator.redis.push.Subscriptions;
import dev.understudy.aggregator.redis.push.Topic;
import dev.understudy.aggregator.redis.push.Topic.Kind;
import dev.understudy.aggregator.replay.UpstreamReplay;
import dev.understudy.divergence.wire.redis.RedisCommand;
import dev.understudy.divergence.wire.redis.RespValue;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.util.concurrent.Future;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The subscriptions of one debug connection: each is confirmed once production has made the same, and then passes on
 * what production's connection is told. Confined to the connection's event loop.
 */
final class Subscriber {
    /** Memory of a topic that waits for its turn, besides its name. */
    private static final long PER_TOPIC = 64;

    private final Channel channel;
    private final UpstreamReplay<RedisReply> replay;
    private final Subscriptions all;
    private final RedisUpstreamSession session;
    private final Outbox outbox = new Outbox(this::wake);
    private final AtomicBoolean awake = new AtomicBoolean();
    private @Nullable Begun begun;
    private @Nullable Future<?> endTimer;
    private boolean ended;

    /** Writing makes the channel tell of its writability, which comes back here. */
    private boolean telling;

    private boolean held;

    Subscriber(Channel channel, UpstreamReplay<RedisReply> replay, Subscriptions all, RedisUpstreamSession session) {
        this.channel = channel;
        this.replay = replay;
        this.all = all;
        this.session = session;
    }

    /** Memory that an unanswered subscription takes. */
    long heldBytes() {
        return begun == null ? 0 : begun.bytes;
    }

    /** Begins to answer a command of this kind; {@code done} is told when that is written, now or later. */
    void answer(RedisCommand command, Kind kind, Runnable done) {
        if (kind.begunBy(command)) {
            begun = new Begun(command, kind, done);
            begun.goOn();
        } else {
            unsubscribe(command, kind);
            replay.local();
            done.run();
        }
    }

    /** Writes what is there to be told, as far as the debug JVM reads it. */
    void tell() {
        if (begun != null || ended || telling || held) {
            return; // a message comes after the confirmation of its subscription
        }
        telling = true;
        do {
            while (channel.isWritable() && write() > 0) {
                channel.flush();
            }
        } while (all.movesOn(outbox));
        telling = false;
        cancelEnd();
        Ending ending = all.ending(outbox);
        if (ending != null && ending.inNanos() > 0) {
            endTimer = channel.eventLoop().schedule(this::tell, ending.inNanos(), TimeUnit.NANOSECONDS);
        } else if (ending != null) {
            ended = true;
            if (ending.broken()) {
                replay.notLearned(Form.of("SUBSCRIBE", "messages of a subscription"), ending.why(), 0);
            }
            // once all of it is written: a close throws the rest away
            channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
        }
    }

    private void cancelEnd() {
        if (endTimer != null) {
            endTimer.cancel(false);
            endTimer = null;
        }
    }

    /** Whether nothing may be told now, since a reply is being written. */
    void hold(boolean now) {
        held = now;
        tell();
    }

    private int write() {
        int told = 0;
        while (channel.isWritable()) {
            byte[] message = all.next(outbox);
            if (message == null) {
                break;
            }
            channel.write(Unpooled.wrappedBuffer(message));
            told++;
        }
        replay.pushed(told);
        return told;
    }

    /** The connection is subscribed to nothing any more. */
    void reset() {
        for (Kind kind : Kind.values()) {
            session.subscribed()
                    .names(kind)
                    .forEach(name -> all.drop(outbox, new Topic(kind, name, session.version())));
        }
    }

    /** The connection has ended. */
    void end() {
        ended = true;
        cancelEnd();
        if (begun != null) {
            begun.giveUp();
        }
        all.giveBack(outbox);
    }

    private void unsubscribe(RedisCommand command, Kind kind) {
        List<String> names = command.arguments().isEmpty()
                ? session.subscribed().names(kind)
                : command.arguments().stream().map(Topic::name).toList();
        for (String name : names) {
            if (session.subscribed().remove(kind, name)) {
                all.drop(outbox, new Topic(kind, name, session.version()));
            }
            confirm(command, kind, name);
        }
        if (names.isEmpty()) {
            confirm(command, kind, null);
        }
    }

    private void confirm(RedisCommand command, Kind kind, @Nullable String name) {
        RespValue nothing = session.version() == 3 ? new RespValue.Null() : new RespValue.Bulk(null);
        List<RespValue> items = List.of(
                bulk(command.name().toLowerCase(Locale.ROOT)),
                name == null ? nothing : bulk(name),
                new RespValue.Int(session.subscribed().count(kind)));
        RespValue confirmation = session.version() == 3 ? new RespValue.Push(items) : new RespValue.Array(items);
        channel.write(Unpooled.wrappedBuffer(confirmation.encode()));
    }

    private void wake() {
        if (!awake.getAndSet(true)) {
            try {
                channel.eventLoop().execute(() -> {
                    awake.set(false);
                    tell();
                });
            } catch (RejectedExecutionException stopped) {
                awake.set(false);
            }
        }
    }

    private static RespValue bulk(String name) {
        return new RespValue.Bulk(name.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** A command that begins subscriptions: topic by topic, each when production has subscribed to it. */
    private final class Begun {
        private final RedisCommand command;
        private final Kind kind;
        private final Runnable done;
        private final ArrayDeque<String> left = new ArrayDeque<>();
        private final long asked = System.nanoTime();
        private final long bytes;
        private Subscriptions.@Nullable Wish wish;
        private @Nullable Future<?> timeout;
        private boolean waited;
        private boolean going;

        Begun(RedisCommand command, Kind kind, Runnable done) {
            this.command = command;
            this.kind = kind;
            this.done = done;
            command.arguments().forEach(argument -> left.add(Topic.name(argument)));
            bytes = 2 * command.memory() + PER_TOPIC * left.size();
        }

        void goOn() {
            going = true;
            while (wish == null && !left.isEmpty() && begun == this) {
                String name = left.element();
                if (session.subscribed().has(kind, name)) {
                    confirm(command, kind, left.remove());
                } else {
                    ask(new Topic(kind, name, session.version()));
                }
            }
            going = false;
            if (begun == this && left.isEmpty()) {
                replay.shared(waited ? System.nanoTime() - asked : 0);
                over();
            }
        }

        private void ask(Topic topic) {
            boolean[] granted = new boolean[1];
            Subscriptions.Wish asking = all.take(topic, outbox, channel.eventLoop(), subscription -> {
                granted[0] = true;
                granted(topic, subscription);
            });
            if (granted[0]) {
                return;
            }
            wish = asking;
            waited = true;
            long patience = replay.patience().toNanos();
            if (patience == 0) {
                timedOut();
            } else {
                timeout = channel.eventLoop().schedule(this::timedOut, patience, TimeUnit.NANOSECONDS);
            }
        }

        private void granted(Topic topic, Subscription subscription) {
            wish = null;
            cancelTimeout();
            if (begun != this) {
                return;
            }
            byte[] refusal = subscription.refusal();
            if (refusal != null) {
                channel.write(Unpooled.wrappedBuffer(refusal));
                left.clear();
            } else {
                session.subscribed().add(kind, topic.name());
                confirm(command, kind, left.remove());
            }
            if (!going) {
                goOn();
            }
        }

        private void timedOut() {
            if (begun != this || wish == null || !wish.withdraw()) {
                return;
            }
            String why = "production hasn't subscribed to it, or not as often";
            Form form = session.form(
                    new RedisCommand(command.name(), List.of(left.element().getBytes(StandardCharsets.ISO_8859_1))));
            replay.notLearned(form, why, System.nanoTime() - asked);
            channel.write(Unpooled.wrappedBuffer(RedisReplayHandler.error(form, why)));
            over();
        }

        private void over() {
            begun = null;
            done.run();
            tell();
        }

        void giveUp() {
            begun = null;
            cancelTimeout();
            if (wish != null) {
                wish.withdraw();
            }
        }

        private void cancelTimeout() {
            if (timeout != null) {
                timeout.cancel(false);
            }
        }
    }
}
