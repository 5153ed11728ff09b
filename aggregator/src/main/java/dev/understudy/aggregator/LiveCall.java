package dev.understudy.aggregator;

import dev.understudy.aggregator.exchange.PendingRequest;
import dev.understudy.aggregator.limit.HeldMemory;
import dev.understudy.aggregator.live.LiveRead;
import dev.understudy.aggregator.live.LiveReads;
import dev.understudy.relay.connect.Dial;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One call of the debug JVM on its way to a running server and back. It has a place among the connections from
 * {@link #begin} until its socket is closed, however early the call itself is over. Confined to its event loop.
 */
final class LiveCall implements PendingRequest, Dial.Outcome {
    private final LiveUpstream upstream;
    private final EventLoop loop;
    private final HeldMemory memory;
    private final String shown;
    private final LiveRead<?> read;
    private final LiveReads.Answer answer;
    private @Nullable DuplexChannel channel;
    private @Nullable Future<?> timer;
    private int received;
    private boolean isOver;

    LiveCall(
            LiveUpstream upstream,
            EventLoop loop,
            HeldMemory memory,
            String shown,
            LiveRead<?> read,
            LiveReads.Answer answer) {
        this.upstream = upstream;
        this.loop = loop;
        this.memory = memory;
        this.shown = shown;
        this.read = read;
        this.answer = answer;
    }

    EventLoop loop() {
        return loop;
    }

    /** Its time runs from here on. */
    void limitTime() {
        long most = upstream.target().limits().time().toMillis();
        timer = loop.schedule(() -> end("no reply within " + most + " ms"), most, TimeUnit.MILLISECONDS);
    }

    /** It has a place. */
    void begin() {
        if (isOver) {
            upstream.release();
            return;
        }
        if (timer == null) {
            limitTime();
        }
        upstream.dial().open(loop, this::reader, this);
    }

    @Override
    public void connected(DuplexChannel opened) {
        opened.closeFuture().addListener(closed -> upstream.release());
        channel = opened;
        if (isOver) {
            opened.close();
            return;
        }
        if (upstream.target().barred().test(opened.remoteAddress())) {
            end("a real upstream is at its address");
            return;
        }
        opened.writeAndFlush(Unpooled.wrappedBuffer(read.request())).addListener(written -> {
            if (!written.isSuccess()) {
                end("the request couldn't be sent: " + written.cause().getMessage());
            }
        });
        opened.read();
    }

    @Override
    public void failed(Throwable cause) {
        upstream.release();
        end("it can't be reached: " + cause.getMessage());
    }

    private ChannelHandler reader() {
        return new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext ctx, Object data) {
                ByteBuf bytes = (ByteBuf) data;
                try {
                    take(bytes);
                } finally {
                    bytes.release();
                }
            }

            @Override
            public void channelReadComplete(ChannelHandlerContext ctx) {
                if (!isOver) {
                    ctx.read();
                }
            }

            @Override
            public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
                if (event == ChannelInputShutdownEvent.INSTANCE) {
                    progress(isOver ? LiveRead.Progress.BROKEN : read.end());
                }
            }

            @Override
            public void channelInactive(ChannelHandlerContext ctx) {
                broken(ctx, "");
            }

            @Override
            public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
                broken(ctx, ": " + cause.getMessage());
            }
        };
    }

    /** An address that is tried in vain isn't the last one. */
    private void broken(ChannelHandlerContext ctx, String why) {
        if (ctx.channel() == channel) {
            end("the connection broke" + why);
        }
    }

    private void take(ByteBuf bytes) {
        if (isOver) {
            return;
        }
        int most = upstream.target().limits().replyBytes();
        if (bytes.readableBytes() > most - received) {
            end("its reply is longer than " + most + " bytes");
            return;
        }
        received += bytes.readableBytes();
        if (!memory.hold(2L * received)) {
            end("debug connections hold as much as they may");
            return;
        }
        progress(read.feed(bytes.nioBuffer()));
    }

    private void progress(LiveRead.Progress progress) {
        switch (progress) {
            case COMPLETE -> end(null);
            case BROKEN -> end(read.problem());
            case INCOMPLETE -> {
                // more will come
            }
        }
    }

    /** @param problem why it has no reply; null if it has */
    void end(@Nullable String problem) {
        if (isOver) {
            return;
        }
        over();
        upstream.audit(shown, problem == null ? received + " bytes" : problem);
        answer.given(problem);
    }

    @Override
    public void cancel() {
        if (!isOver) {
            over();
            upstream.audit(shown, "given up by the debug JVM");
        }
    }

    private void over() {
        isOver = true;
        memory.hold(0);
        upstream.leave(this);
        Future<?> running = timer;
        if (running != null) {
            running.cancel(false);
        }
        DuplexChannel open = channel;
        if (open != null) {
            open.close();
        }
    }
}
