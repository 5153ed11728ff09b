package dev.understudy.aggregator.http;

import dev.understudy.aggregator.fault.Fault;
import dev.understudy.aggregator.fault.Injection;
import dev.understudy.aggregator.journal.Form;
import dev.understudy.aggregator.journal.Match;
import dev.understudy.aggregator.journal.Taking;
import dev.understudy.aggregator.replay.Replay;
import dev.understudy.aggregator.replay.Turns;
import dev.understudy.divergence.wire.http.HttpRequestFramer;
import dev.understudy.divergence.wire.http.HttpSink;
import dev.understudy.divergence.wire.http.RequestHead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.SimpleChannelInboundHandler;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Is an HTTP/1.1 server for one debug connection: answers each request from the journal, in the order they come.
 *
 * <p>Confined to the connection's event loop.
 */
public final class HttpReplayHandler extends SimpleChannelInboundHandler<ByteBuf> {
    private static final byte[] CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final Replay<HttpAnswer> replay;
    private final Channel channel;
    private final HttpRequestFramer framer = new HttpRequestFramer(new Requests());
    private final Turns<Runnable> turns;
    private @Nullable Taking waiting;

    private HttpReplayHandler(Channel channel, Replay<HttpAnswer> replay) {
        this.channel = channel;
        this.replay = replay;
        this.turns = new Turns<>(channel, Runnable::run);
    }

    /** Makes a debug connection an HTTP connection. */
    public static void replay(ChannelPipeline pipeline, Replay<HttpAnswer> replay) {
        pipeline.addLast(new HttpReplayHandler(pipeline.channel(), replay));
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

    private void answer(RequestHead head, Form form) {
        waiting = null;
        Taking held = replay.admit(() -> form, injection -> {
            Fault.ErrorReply error = injection.error();
            if (error == null) {
                take(head, form, injection);
            } else {
                boolean withBody = !head.method().equals("HEAD");
                write(HttpProblem.fault(error, injection, withBody), wantsClose(head));
            }
        });
        if (waiting == null) {
            waiting = held;
        }
    }

    private void take(RequestHead head, Form form, Injection injection) {
        waiting = replay.take(form, channel.eventLoop(), match -> {
            waiting = null;
            if (match instanceof Match.Hit<HttpAnswer> hit) {
                HttpAnswer answer = hit.recorded().reply();
                write(answer.wire(injection.names()), answer.closes() || wantsClose(head));
            } else {
                Match.Miss<HttpAnswer> miss = (Match.Miss<HttpAnswer>) match;
                boolean withBody = !head.method().equals("HEAD");
                write(HttpProblem.miss(form.text(), miss.why(), miss.nearest(), withBody), wantsClose(head));
            }
        });
    }

    private void write(ByteBuf reply, boolean last) {
        if (last) {
            turns.end();
            channel.writeAndFlush(reply).addListener(ChannelFutureListener.CLOSE);
        } else {
            channel.write(reply);
            turns.done();
        }
    }

    private static boolean wantsClose(RequestHead head) {
        String connection = String.join(",", head.all("connection")).toLowerCase(Locale.ROOT);
        return connection.contains("close")
                || (head.version().equals("HTTP/1.0") && !connection.contains("keep-alive"));
    }

    private final class Requests implements HttpSink<RequestHead> {
        private @Nullable HttpRequest request;
        private boolean garbled;

        @Override
        public void head(RequestHead head, int rawLength) {
            request = new HttpRequest(head);
            if ("100-continue".equalsIgnoreCase(head.first("expect"))) {
                turns.add(() -> write(Unpooled.wrappedBuffer(CONTINUE), false));
            }
        }

        @Override
        public void body(ByteBuffer content, int rawLength) {
            if (request != null) {
                request.body(content);
            }
        }

        @Override
        public void end() {
            HttpRequest complete = request;
            request = null;
            if (complete != null) {
                Form form = complete.form();
                turns.add(() -> answer(complete.head(), form));
            }
        }

        @Override
        public void unframed(String reason, int rawLength) {
            if (!garbled) {
                garbled = true;
                turns.add(() -> write(HttpProblem.notHttp(reason), true));
            }
        }
    }
}
