package dev.understudy.aggregator.http;

import dev.understudy.aggregator.fault.Fault;
import dev.understudy.aggregator.fault.Injection;
import dev.understudy.aggregator.http.stub.Stub;
import dev.understudy.aggregator.http.stub.StubRequest;
import dev.understudy.aggregator.http.stub.Stubs;
import dev.understudy.aggregator.journal.Form;
import dev.understudy.aggregator.journal.Match;
import dev.understudy.aggregator.journal.Taking;
import dev.understudy.aggregator.replay.Replay;
import dev.understudy.aggregator.replay.Replayer;
import dev.understudy.aggregator.replay.Turns;
import dev.understudy.divergence.wire.http.HttpRequestFramer;
import dev.understudy.divergence.wire.http.HttpSink;
import dev.understudy.divergence.wire.http.RequestHead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
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
    private final Stubs stubs;
    private @Nullable Taking waiting;

    private HttpReplayHandler(Channel channel, Replay<HttpAnswer> replay, Stubs stubs) {
        this.stubs = stubs;
        this.channel = channel;
        this.replay = replay;
        this.turns = new Turns<>(channel, Runnable::run);
    }

    /** How the debug connections of an upstream become HTTP connections; {@code stubs} answer what nothing recorded fits. */
    public static Replayer<HttpAnswer> replayer(Stubs stubs) {
        return (pipeline, replay) -> pipeline.addLast(new HttpReplayHandler(pipeline.channel(), replay, stubs));
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

    private void answer(StubRequest request, Form form) {
        RequestHead head = request.head();
        waiting = null;
        Taking held = replay.admit(() -> form, injection -> {
            Fault.ErrorReply error = injection.error();
            if (error == null) {
                take(request, form, injection);
            } else {
                boolean withBody = !head.method().equals("HEAD");
                write(HttpProblem.fault(error, injection, withBody), wantsClose(head));
            }
        });
        if (waiting == null) {
            waiting = held;
        }
    }

    private void take(StubRequest request, Form form, Injection injection) {
        RequestHead head = request.head();
        waiting = replay.take(form, channel.eventLoop(), () -> stubbed(request, injection), match -> {
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

    /** Answers by a stub, and returns its name; null if there is none for this. */
    private @Nullable String stubbed(StubRequest request, Injection injection) {
        Stub stub = stubs.find(request);
        if (stub == null) {
            return null;
        }
        RequestHead head = request.head();
        Runnable write = () -> write(StubAnswer.wire(stub, head.method(), injection.names()), wantsClose(head));
        long delay = stub.reply().delayMillis();
        if (delay == 0) {
            write.run();
        } else {
            channel.eventLoop().schedule(write, delay, TimeUnit.MILLISECONDS);
        }
        return stub.name();
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
            request = new HttpRequest(head, stubs.isEmpty() ? 0 : Stubs.LONGEST_BODY);
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
                StubRequest asked = new StubRequest(complete.head(), complete.body());
                byte[] body = asked.body();
                turns.add(() -> answer(asked, form), body == null ? 0 : body.length);
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
