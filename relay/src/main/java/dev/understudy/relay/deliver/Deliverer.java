package dev.understudy.relay.deliver;

import dev.understudy.relay.lane.LossReason;
import dev.understudy.relay.loop.DebugSockets;
import dev.understudy.relay.loop.EventLoops;
import dev.understudy.relay.loop.HungUp;
import dev.understudy.relay.tls.TlsWrites;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.ChannelOutputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The debug socket of one lane: tells the debug JVM the window's cues as far as the gate admits them and the socket
 * takes them, and reads its replies always.
 *
 * <p>Connecting is retried while the window is open, so the debug JVM may start late. After {@link DebugEvent.Close}
 * the socket is half-closed, read until it has been silent for a second, and closed; the kernel then still delivers
 * what a stopped debug JVM hasn't read. A lane that would take more sockets than the debug side may have waits for
 * another to end. Confined to its lane loop.
 */
public final class Deliverer {
    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LONGEST_LINGER_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final Logger LOG = LoggerFactory.getLogger(Deliverer.class);

    private final DebugConnector connector;
    private final EventLoops loops;
    private final EventLoop loop;
    private final DebugPeer peer;
    private final Window window;
    private final Gate gate;
    private final DebugObserver observer;

    private @Nullable ScheduledFuture<?> linger;
    private @Nullable CueWriter writer;
    private boolean pumping;
    private boolean resetTold;
    private boolean writeFailed;
    private boolean replyEnded;
    private boolean over;
    private long lastReadNanos;
    private long lingerSinceNanos;

    /**
     * Doesn't connect yet: the first {@link #pump} does.
     *
     * @param loops where {@code loop}, a lane loop, comes from
     */
    public Deliverer(
            EventLoops loops, EventLoop loop, DebugPeer peer, Window window, Gate gate, DebugObserver observer) {
        this.connector = new DebugConnector(loops, loop, peer, this::pump);
        this.loops = loops;
        this.loop = loop;
        this.peer = peer;
        this.window = window;
        this.gate = gate;
        this.observer = observer;
    }

    /** Goes on: after a cue was offered, or the gate opened. Costs little when there is nothing to do. */
    public void pump() {
        DuplexChannel open = connector.channel();
        if (over || pumping) {
            return;
        }
        if (open == null) {
            connect();
            return;
        }
        CueWriter told = writer;
        if (told == null) {
            told = new CueWriter(open, window, gate, this::delivered);
            writer = told;
            guarded(observer::connected);
            if (over) {
                return;
            }
        }
        boolean wrote = false;
        pumping = true;
        try {
            wrote = told.write();
        } catch (Throwable e) {
            defect(e);
        } finally {
            pumping = false;
        }
        if (wrote) {
            // May make room at once and so come here again.
            open.flush();
        }
    }

    /** Whether the debug JVM has accepted the connection and it isn't over. */
    public boolean connected() {
        return connector.channel() != null && !over;
    }

    /**
     * The port of its own that the debug JVM sees; 0 if it isn't connected, or not with the bytes of the cues as they
     * are.
     */
    public int port() {
        DuplexChannel open = connector.channel();
        return open != null && !TlsWrites.secured(open) && open.localAddress() instanceof InetSocketAddress own
                ? own.getPort()
                : 0;
    }

    /** Bytes that the debug JVM is sent before the first cue's. */
    public int prefaced() {
        return peer.preface().length;
    }

    /** Whether it waits for a socket, which the debug side may have no more of, and not for the debug JVM. */
    public boolean lacksSocket() {
        return connector.lacksSocket();
    }

    /** Ends this lane's debug side at once, with {@link LossReason#SHUTDOWN}: the debug JVM sees a reset. */
    public void close() {
        finish(LossReason.SHUTDOWN);
    }

    /**
     * Writes what no client sent, ahead of the next cue; takes ownership of it. For {@link DebugObserver#connected}: it
     * is neither charged to the window nor counted.
     */
    public void tell(ByteBuf bytes) {
        DuplexChannel open = connector.channel();
        if (open == null || over) {
            bytes.release();
        } else {
            open.writeAndFlush(bytes);
        }
    }

    private void connect() {
        LossReason gone = window.closed();
        if (gone == null) {
            connector.connect(DebugHandler::new);
        } else {
            finish(gone == LossReason.NONE ? LossReason.DEBUG_UNREACHABLE : gone);
        }
    }

    private void delivered(DebugEvent cue) {
        if (over) {
            return;
        }
        guarded(() -> observer.delivered(cue, peer.now()));
        if (cue instanceof DebugEvent.Reset) {
            resetTold = true;
            finish(LossReason.NONE);
        } else if (cue instanceof DebugEvent.Close) {
            linger();
        }
    }

    private void linger() {
        if (replyEnded) {
            finish(LossReason.NONE);
            return;
        }
        lingerSinceNanos = peer.now();
        lastReadNanos = lingerSinceNanos;
        lingerFor(LINGER_NANOS);
    }

    private void lingerFor(long nanos) {
        linger = loop.schedule(
                () -> {
                    long now = peer.now();
                    long left = lastReadNanos + LINGER_NANOS - now;
                    if (left > 0 && now - lingerSinceNanos < LONGEST_LINGER_NANOS) {
                        lingerFor(left);
                    } else {
                        finish(LossReason.NONE);
                    }
                },
                nanos,
                TimeUnit.NANOSECONDS);
    }

    private boolean finPassed() {
        return writer != null && writer.finPassed();
    }

    private void guarded(Runnable callback) {
        try {
            callback.run();
        } catch (Throwable e) {
            defect(e);
        }
    }

    private void defect(Throwable e) {
        LOG.error("the debug side of a connection ends by a defect", e);
        finish(LossReason.INTERNAL);
    }

    /** The one end: closes socket and window, and says so after the last write has been settled. */
    private void finish(LossReason reason) {
        if (over) {
            return;
        }
        over = true;
        connector.cancel();
        if (linger != null) {
            linger.cancel(false);
        }
        Channel open = connector.channel();
        if (open != null) {
            boolean inGoodOrder = finPassed() && !resetTold && reason == LossReason.NONE;
            if (!inGoodOrder && open.isOpen()) {
                open.config().setOption(ChannelOption.SO_LINGER, 0);
            }
            TlsWrites.drop(open);
        }
        window.clear(reason);
        loop.execute(() -> {
            try {
                observer.closed(reason, peer.now());
            } catch (RuntimeException e) {
                LOG.error("the observer of a debug connection failed at its end", e);
            }
        });
    }

    private final class DebugHandler extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object msg) {
            ByteBuf data = (ByteBuf) msg;
            if (over) {
                data.release();
                return;
            }
            lastReadNanos = peer.now();
            guarded(() -> observer.reply(data, lastReadNanos));
        }

        /**
         * The debug JVM may wait for that before it says the rest; what there was to say to it, and would have carried
         * it, is said.
         */
        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            if (!over) {
                loops.acknowledge(ctx.channel());
            }
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            if (event == ChannelInputShutdownEvent.INSTANCE) {
                replyEnded();
            } else if (event == ChannelOutputShutdownEvent.INSTANCE && !finPassed()) {
                writeFailed = true;
            } else if (event == HungUp.INSTANCE && replyEnded) {
                gone();
            } else if (event == DebugSockets.GiveBack.INSTANCE) {
                finish(LossReason.NO_DESCRIPTORS);
            }
        }

        /** The debug JVM's FIN, or what is left of its reset if a write heard of that first. */
        private void replyEnded() {
            if (over) {
                return;
            }
            if (writeFailed) {
                gone();
                return;
            }
            replyEnded = true;
            guarded(() -> observer.replyEnd(peer.now()));
            if (finPassed()) {
                finish(LossReason.NONE);
            }
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext ctx) {
            pump();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            gone();
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            gone();
        }

        /** The debug JVM is gone; if it had been told everything, nothing is missing. */
        private void gone() {
            if (connector.channel() == null || over) {
                return;
            }
            if (finPassed() && (replyEnded || (writer != null && writer.lastTaken()))) {
                finish(LossReason.NONE);
                return;
            }
            LossReason reason = replyEnded ? LossReason.DEBUG_CLOSED : LossReason.DEBUG_RESET;
            guarded(() -> observer.gone(reason, peer.now()));
            finish(reason);
        }
    }
}
