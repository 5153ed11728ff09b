package dev.understudy.aggregator.http.h2;

import dev.understudy.aggregator.body.LargeBody;
import dev.understudy.aggregator.http.HttpAnswer;
import dev.understudy.aggregator.http.HttpPace;
import dev.understudy.aggregator.http.LiveBody;
import dev.understudy.aggregator.http.StreamPump;
import dev.understudy.aggregator.http.grpc.GrpcCall;
import dev.understudy.aggregator.replay.BodyPump;
import dev.understudy.aggregator.replay.Pump;
import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.ReplyHead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2Error;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes one reply on its stream; its end waits for its body, which may be held back. Confined to the connection's
 * loop.
 */
final class StreamReply implements GrpcCall.Out {
    private final ChannelHandlerContext ctx;
    private final Runnable charge;
    private @Nullable ChannelFuture lastBytes;
    private @Nullable Pump pump;
    private boolean begun;

    /** @param charge is called whenever {@link #heldBytes} may have changed */
    StreamReply(ChannelHandlerContext ctx, Runnable charge) {
        this.ctx = ctx;
        this.charge = charge;
    }

    @Override
    public void whole(HttpAnswer answer) {
        LargeBody large = answer.large();
        if (large != null) {
            pump(answer, large);
            return;
        }
        LiveBody stream = answer.stream();
        if (stream != null) {
            pump(answer, stream);
            return;
        }
        boolean only = answer.body().length == 0 && answer.trailers().isEmpty() && ends(answer);
        head(answer, only);
        if (answer.body().length > 0) {
            body(Unpooled.wrappedBuffer(answer.body()));
        }
        if (!only && ends(answer)) {
            end(answer.trailers());
        }
        ctx.flush();
    }

    /** Whether production had got it to its end. */
    private static boolean ends(HttpAnswer answer) {
        HttpPace pace = answer.pace();
        return pace == null || pace.ends();
    }

    private void pump(HttpAnswer answer, LargeBody large) {
        head(answer, false);
        BodyPump flowing = new BodyPump(ctx.channel(), large, piece -> lastBytes = ctx.write(piece), whole -> {
            if (!whole) {
                abort();
            } else if (ends(answer)) {
                end(answer.trailers());
            }
        });
        pump = flowing;
        flowing.flow();
    }

    private void pump(HttpAnswer answer, LiveBody stream) {
        head(answer, false);
        Consumer<LiveBody.Ending> done = ending -> {
            if (ending == LiveBody.Ending.WHOLE) {
                end(stream.trailers());
            } else {
                abort();
            }
        };
        StreamPump flowing = new StreamPump(ctx.channel(), stream, piece -> lastBytes = ctx.write(piece), done, charge);
        pump = flowing;
        flowing.begin();
    }

    /** The stream became writable, or ceased to be. */
    void writabilityChanged() {
        if (pump != null) {
            pump.flow();
        }
    }

    /** Bytes of the reply that wait to be written. */
    long heldBytes() {
        return pump == null ? 0 : pump.heldBytes();
    }

    /** The stream is over. */
    void closed() {
        if (pump != null) {
            pump.cancel();
        }
    }

    /** Whether its head was written. */
    boolean begun() {
        return begun;
    }

    @Override
    public void begin(HttpAnswer answer) {
        head(answer, false);
    }

    private void head(HttpAnswer answer, boolean last) {
        begun = true;
        for (ReplyHead early : answer.interim()) {
            ctx.write(new DefaultHttp2HeadersFrame(Http2Fields.of(early)));
        }
        ctx.write(new DefaultHttp2HeadersFrame(Http2Fields.of(answer.head()), last));
    }

    @Override
    public void body(ByteBuf bytes) {
        lastBytes = ctx.write(bytes);
    }

    @Override
    public void flush() {
        ctx.flush();
    }

    @Override
    public boolean writable() {
        return ctx.channel().isWritable();
    }

    @Override
    public void listen(boolean on) {
        ctx.channel().config().setAutoRead(on);
    }

    @Override
    public void abort() {
        ctx.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.INTERNAL_ERROR));
    }

    @Override
    public void end(List<Header> trailers) {
        ChannelFuture before = lastBytes;
        if (before == null) {
            writeEnd(trailers);
        } else {
            before.addListener(written -> {
                if (written.isSuccess()) {
                    writeEnd(trailers);
                }
            });
        }
    }

    private void writeEnd(List<Header> trailers) {
        ctx.writeAndFlush(
                trailers.isEmpty()
                        ? new DefaultHttp2DataFrame(true)
                        : new DefaultHttp2HeadersFrame(Http2Fields.of(trailers), true));
    }
}
