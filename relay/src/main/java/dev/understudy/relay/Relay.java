package dev.understudy.relay;

import dev.understudy.relay.tap.CloseReason;
import dev.understudy.relay.tap.Direction;
import dev.understudy.relay.tap.TapConnection;
import dev.understudy.relay.tls.TlsWrites;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How one relayed connection lives and ends: a FIN is passed on as a FIN once everything before it was written, a reset
 * as a reset, and a socket is closed when it has ended both ways.
 *
 * <p>Confined to the event loop of its two sockets.
 */
final class Relay {
    /** How long bytes that came before a reset may take to be written before the reset is passed on. */
    private static final long GRACE_MILLIS = 1000;

    private static final Logger LOG = LoggerFactory.getLogger(Relay.class);

    private final TapConnection connection;
    private final Side client;
    private final Side production;
    private final TapGuard tap;
    private final EventLoop loop;
    private final Queue<ByteBuf> early = new ArrayDeque<>(1);
    private final LongSupplier nanoClock;
    private final BiConsumer<Relay, CloseReason> whenEnded;

    private @Nullable CloseReason reason;
    private @Nullable ScheduledFuture<?> grace;
    private boolean ended;

    Relay(
            TapConnection connection,
            DuplexChannel client,
            TapGuard tap,
            LongSupplier nanoClock,
            BiConsumer<Relay, CloseReason> whenEnded) {
        this.connection = connection;
        this.client = new Side(client, Direction.REQUEST, CloseReason.RESET_BY_CLIENT);
        this.production = new Side(null, Direction.REPLY, CloseReason.RESET_BY_PRODUCTION);
        this.loop = client.eventLoop();
        this.tap = tap;
        this.nanoClock = nanoClock;
        this.whenEnded = whenEnded;
    }

    EventLoop loop() {
        return loop;
    }

    Side client() {
        return client;
    }

    Side production() {
        return production;
    }

    /** Keeps what came before production was connected; no more than the kernel had for a client that reset. */
    void early(ByteBuf data) {
        if (production.over) {
            data.release();
        } else {
            early.add(data);
        }
    }

    /** Production accepted: it gets what has come already, and relaying starts. */
    void connected(DuplexChannel accepted) {
        production.channel = accepted;
        if (production.over) {
            discard(accepted);
            return;
        }
        tap.connected(nanoClock.getAsLong());
        if (connection.preface().length > 0 && !TlsWrites.secured(accepted)) {
            accepted.write(Unpooled.wrappedBuffer(connection.preface()));
        }
        for (ByteBuf data = early.poll(); data != null; data = early.poll()) {
            accepted.write(data);
        }
        accepted.flush();
        if (client.over) {
            resetOnceWritten(production);
            return;
        }
        if (client.inputEnded) {
            passFin(accepted, production);
        }
        read(client);
        accepted.read();
    }

    /** Production couldn't be connected: the client sees a reset in the refusal's stead. */
    void notConnected(CloseReason why) {
        because(why);
        reset(production);
        reset(client);
    }

    /** {@code side}'s FIN was read, or its end after a write to it had failed: then it was reset before. */
    void inputEnded(Side side) {
        if (side.over || side.inputEnded) {
            return;
        }
        side.inputEnded = true;
        if (side.broken) {
            gone(side);
            return;
        }
        tap.end(side.direction, nanoClock.getAsLong());
        Side peer = peer(side);
        DuplexChannel to = peer.channel;
        if (!peer.over && to != null && to.isActive()) {
            passFin(to, peer);
        }
        closeIfEnded(side);
    }

    private void passFin(DuplexChannel to, Side side) {
        TlsWrites.flushed(to).addListener(written -> {
            if (written.isSuccess()) {
                side.finPassed = true;
                TlsWrites.endOutput(to).addListener(sent -> {
                    if (!sent.isSuccess()) {
                        gone(side);
                    }
                });
            }
        });
    }

    /**
     * {@code side} was sent the FIN we passed on; or else a write to it failed, and what it still sent is to be read.
     */
    void outputEnded(Side side) {
        if (side.over) {
            return;
        }
        side.outputEnded = true;
        if (side.finPassed) {
            closeIfEnded(side);
            return;
        }
        side.broken = true;
        because(side.resetReason);
        if (side.inputEnded) {
            gone(side);
        } else {
            abortAfterGrace();
            read(side);
        }
    }

    private static void read(Side side) {
        if (side.channel != null) {
            side.channel.read();
        }
    }

    private void closeIfEnded(Side side) {
        if (side.inputEnded && side.outputEnded) {
            side.over = true;
            if (side.channel != null) {
                side.channel.close();
            }
            conclude();
        }
    }

    /** Reading from {@code side} failed. */
    void failed(Side side, Throwable cause) {
        if (cause instanceof SSLHandshakeException) {
            because(side == client ? CloseReason.TLS_FAILED : CloseReason.CONNECT_FAILED);
        } else if (!(cause instanceof IOException)) {
            LOG.error("connection {} ends by a defect", connection.id(), cause);
            because(CloseReason.INTERNAL);
        }
        gone(side);
    }

    /**
     * {@code side} was reset, unless it has merely ended both ways. What it had sent before is read at once, also if
     * its peer can't take it yet: the kernel holds no more than it has, and the peer shall hear of the reset.
     */
    void hungUp(Side side) {
        if (side.inputEnded) {
            gone(side);
        } else if (!side.outputEnded) {
            read(side);
        }
    }

    /** {@code side} is no more: its peer gets what is left of it, and then a reset. */
    void gone(Side side) {
        if (side.over) {
            return;
        }
        because(side.resetReason);
        reset(side);
        Side peer = peer(side);
        if (!peer.over) {
            resetOnceWritten(peer);
        }
    }

    /** A production that isn't connected yet is told once it is. */
    private void resetOnceWritten(Side side) {
        if (side.channel != null) {
            TlsWrites.flushed(side.channel).addListener(written -> reset(side));
            if (!side.over) {
                abortAfterGrace();
            }
        }
    }

    /** Ends both sides with a reset. */
    void abort(CloseReason why) {
        because(why);
        reset(client);
        reset(production);
    }

    private void reset(Side side) {
        if (side.over) {
            return;
        }
        side.over = true;
        if (side.channel != null) {
            discard(side.channel);
        }
        conclude();
    }

    /** Closes with a reset. */
    static void discard(Channel channel) {
        if (channel.isOpen()) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
            TlsWrites.drop(channel);
        }
    }

    private void abortAfterGrace() {
        if (grace == null && !ended) {
            grace = loop.schedule(() -> abort(CloseReason.INTERNAL), GRACE_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void because(CloseReason why) {
        if (reason == null) {
            reason = why;
        }
    }

    private void conclude() {
        if (client.over && production.over && !ended) {
            ended = true;
            if (grace != null) {
                grace.cancel(false);
            }
            early.forEach(ByteBuf::release);
            early.clear();
            CloseReason why = reason == null ? CloseReason.FINISHED : reason;
            tap.closed(why, nanoClock.getAsLong());
            whenEnded.accept(this, why);
        }
    }

    private Side peer(Side side) {
        return side == client ? production : client;
    }

    /** One socket of the relay. */
    static final class Side {
        private @Nullable DuplexChannel channel;
        private final Direction direction;
        private final CloseReason resetReason;

        private boolean inputEnded;
        private boolean finPassed;
        private boolean outputEnded;
        private boolean broken;
        private boolean over;

        private Side(@Nullable DuplexChannel channel, Direction direction, CloseReason resetReason) {
            this.channel = channel;
            this.direction = direction;
            this.resetReason = resetReason;
        }

        /** The socket; null until production is connected. */
        @Nullable
        DuplexChannel channel() {
            return channel;
        }
    }
}
