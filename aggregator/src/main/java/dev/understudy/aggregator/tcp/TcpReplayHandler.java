package dev.understudy.aggregator.tcp;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.RecordedReply;
import dev.understudy.aggregator.replay.UpstreamReplay;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Plays one debug connection what production's connection of the same number was told, as far as it says the same.
 *
 * <p>Confined to the connection's event loop.
 */
final class TcpReplayHandler extends ChannelInboundHandlerAdapter {
    /** What the debug side may have said that isn't compared yet. */
    private static final int MOST_AHEAD = 256 * 1024;

    private final Channel channel;
    private final UpstreamReplay<RecordedReply> replay;
    private final Conversations all;
    private final boolean byCount;
    private final long number;
    private final ByteBuf said = Unpooled.buffer();
    private final AtomicBoolean awake = new AtomicBoolean();
    private @Nullable Conversation conversation;
    private @Nullable TcpSegment current;

    /** Bytes of the current request that the debug side has said. */
    private int at;

    /** Bytes that the debug side has said and that were compared. */
    private long place;

    private @Nullable Future<?> patience;
    private long waitingSince;
    private boolean wished;
    private boolean playing;
    private boolean again;
    private boolean replying;
    private boolean guessing;
    private boolean saidAll;
    private boolean over;

    TcpReplayHandler(Channel channel, UpstreamReplay<RecordedReply> replay, Conversations all, boolean byCount) {
        this.channel = channel;
        this.replay = replay;
        this.all = all;
        this.byCount = byCount;
        this.number = all.ask();
        channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        ctx.fireChannelActive();
        replay.admit(() -> Form.of("connect", "connect"), injection -> {
            if (injection.error() != null) {
                reset();
            } else {
                begin();
            }
        });
    }

    private void begin() {
        String gone = all.gone(number);
        if (gone != null) {
            miss(gone);
            reset();
            return;
        }
        wished = true;
        all.take(number, channel.eventLoop(), found -> {
            wished = false;
            conversation = found;
            stopTimer();
            if (over) {
                found.drop();
                return;
            }
            found.follow(this::wake);
            play();
        });
        if (conversation == null && !over) {
            await();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object msg) {
        ByteBuf data = (ByteBuf) msg;
        try {
            if (!over) {
                said.writeBytes(data);
            }
        } finally {
            data.release();
        }
        if (!over && !replay.memory().hold(said.capacity())) {
            reset();
            return;
        }
        play();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            saidAll = true;
            play();
        }
        ctx.fireUserEventTriggered(event);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        play();
        ctx.fireChannelWritabilityChanged();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        end();
        ctx.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        end();
        said.release();
    }

    /** Writing makes the channel tell of its writability, in the middle of a segment. */
    private void play() {
        again = true;
        if (playing) {
            return;
        }
        playing = true;
        try {
            while (again) {
                again = false;
                playOn();
            }
        } finally {
            playing = false;
        }
    }

    private void playOn() {
        Conversation heard = conversation;
        while (heard != null && !over) {
            if (current == null) {
                current = heard.next();
                at = 0;
                if (current != null) {
                    stopTimer();
                }
            }
            if (current == null || !goesOn(current)) {
                break;
            }
            current = null;
        }
        if (over) {
            return;
        }
        said.discardSomeReadBytes();
        channel.flush();
        channel.config().setAutoRead(said.readableBytes() < MOST_AHEAD);
        if (saidAll && current != null && current.kind() == TcpSegment.Kind.REQUEST) {
            channel.close(); // it has hung up where production went on
        } else if (heard != null && current == null && (saidAll || said.isReadable())) {
            await();
        } else if (heard != null) {
            stopTimer();
            waitingSince = 0;
        }
    }

    /** Whether the conversation may go on with what follows this. */
    private boolean goesOn(TcpSegment segment) {
        return switch (segment.kind()) {
            case REQUEST -> compared(segment.bytes());
            case REPLY -> written(segment.bytes());
            case REQUEST_END -> {
                if (said.isReadable()) {
                    differs(said.readableBytes() + " bytes more than production sent");
                    said.clear();
                }
                yield saidAll && !over;
            }
            case REPLY_END -> {
                if (channel instanceof DuplexChannel duplex) {
                    afterAll(duplex::shutdownOutput);
                }
                yield true;
            }
            case CLOSED -> {
                if (said.isReadable()) {
                    differs(said.readableBytes() + " bytes more than production sent");
                }
                over = true;
                afterAll(channel::close);
                yield false;
            }
            case LOST -> {
                miss("what production was told from here on wasn't kept");
                reset();
                yield false;
            }
        };
    }

    /** Netty throws away what isn't written yet when it closes. */
    private void afterAll(Runnable then) {
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(written -> then.run());
    }

    private boolean compared(byte[] request) {
        replying = false;
        while (at < request.length && said.isReadable()) {
            byte ours = said.readByte();
            if (ours != request[at] && !guessing) {
                differs("sent 0x%02x, production 0x%02x".formatted(ours, request[at]));
                if (over) {
                    return false;
                }
            }
            at++;
            place++;
        }
        return at == request.length;
    }

    private boolean written(byte[] reply) {
        if (!channel.isWritable()) {
            channel.flush();
            if (!channel.isWritable()) {
                return false;
            }
        }
        if (!replying) {
            replying = true;
            long waited = waitingSince == 0 ? 0 : System.nanoTime() - waitingSince;
            waitingSince = 0;
            replay.shared(waited);
            if (guessing) {
                replay.guessed();
            }
        }
        channel.write(Unpooled.wrappedBuffer(reply));
        return true;
    }

    /** The debug side has said something else than production; what comes then is a guess, or the end. */
    private void differs(String how) {
        miss(how);
        if (byCount) {
            guessing = true;
        } else {
            reset();
        }
    }

    private void miss(String why) {
        long waited = waitingSince == 0 ? 0 : System.nanoTime() - waitingSince;
        replay.notLearned(Form.of("connection", "connection %d, byte %d".formatted(number, place)), why, waited);
    }

    private void await() {
        if (waitingSince == 0) {
            waitingSince = System.nanoTime();
        }
        long nanos = replay.patience().toNanos();
        if (patience == null) {
            patience = channel.eventLoop().schedule(this::waitedTooLong, nanos, TimeUnit.NANOSECONDS);
        }
    }

    private void waitedTooLong() {
        if (over || (wished && !all.withdraw(number))) {
            return;
        }
        wished = false;
        if (conversation != null && !said.isReadable()) {
            channel.close(); // it has hung up, and production says nothing more
            return;
        }
        miss(
                conversation == null
                        ? "production hasn't opened as many connections"
                        : "%d bytes that production hasn't sent".formatted(said.readableBytes()));
        reset();
    }

    private void stopTimer() {
        if (patience != null) {
            patience.cancel(false);
            patience = null;
        }
    }

    private void wake() {
        if (!awake.getAndSet(true)) {
            try {
                channel.eventLoop().execute(() -> {
                    awake.set(false);
                    play();
                });
            } catch (RejectedExecutionException stopped) {
                awake.set(false);
            }
        }
    }

    private void reset() {
        over = true;
        channel.flush(); // what was right before
        channel.config().setOption(ChannelOption.SO_LINGER, 0);
        channel.close();
    }

    private void end() {
        over = true;
        stopTimer();
        if (conversation != null) {
            conversation.drop();
        } else {
            wished = false;
            all.leave(number);
        }
    }
}
