package dev.understudy.aggregator.http.h2;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.PendingRequest;
import dev.understudy.aggregator.fault.Fault;
import dev.understudy.aggregator.fault.Injection;
import dev.understudy.aggregator.http.HttpAnswer;
import dev.understudy.aggregator.http.HttpLiveRead;
import dev.understudy.aggregator.http.HttpProblem;
import dev.understudy.aggregator.http.HttpStandinCall;
import dev.understudy.aggregator.http.StubAnswer;
import dev.understudy.aggregator.http.form.FormRule;
import dev.understudy.aggregator.http.form.UpstreamHttpRequest;
import dev.understudy.aggregator.http.grpc.GrpcCall;
import dev.understudy.aggregator.http.grpc.GrpcMessages;
import dev.understudy.aggregator.http.stub.Stub;
import dev.understudy.aggregator.http.stub.StubRequest;
import dev.understudy.aggregator.http.stub.Stubs;
import dev.understudy.aggregator.journal.Match;
import dev.understudy.aggregator.limit.HeldMemory;
import dev.understudy.aggregator.live.LiveRead;
import dev.understudy.aggregator.replay.Fallback;
import dev.understudy.aggregator.replay.UpstreamReplay;
import dev.understudy.divergence.wire.http.Http2Heads;
import dev.understudy.divergence.wire.http.RequestHead;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2StreamFrame;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Is an HTTP/2 server for one stream of a debug connection: answers its request from the journal. Confined to the
 * connection's event loop.
 */
final class StreamReplayHandler extends SimpleChannelInboundHandler<Http2StreamFrame> {
    private final UpstreamReplay<HttpAnswer> replay;
    private final Stubs stubs;
    private final FormRule rule;
    private final @Nullable Asked asked;
    private @Nullable UpstreamHttpRequest request;
    private @Nullable GrpcCall call;
    private @Nullable PendingRequest waiting;
    private @Nullable StreamReply replying;
    private boolean refused;

    /** @param asked the stream's request, if it came before the stream did */
    StreamReplayHandler(UpstreamReplay<HttpAnswer> replay, Stubs stubs, FormRule rule, @Nullable Asked asked) {
        this.replay = replay;
        this.stubs = stubs;
        this.rule = rule;
        this.asked = asked;
    }

    /** A complete request. */
    record Asked(StubRequest request, Form form) {}

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        ctx.fireChannelActive();
        if (asked != null) {
            answer(ctx, asked.request(), asked.form());
        }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, Http2StreamFrame frame) {
        if (refused) {
            return;
        }
        if (frame instanceof Http2HeadersFrame headers) {
            if (request == null) {
                begin(ctx, headers);
            }
            if (headers.isEndStream() && !refused) {
                end(ctx);
            }
        } else if (frame instanceof Http2DataFrame data) {
            for (ByteBuffer content : data.content().nioBuffers()) {
                body(content, data.isEndStream());
            }
            charge(ctx);
            if (refused) {
                return;
            }
            if (data.isEndStream()) {
                end(ctx);
            }
        }
    }

    private void begin(ChannelHandlerContext ctx, Http2HeadersFrame headers) {
        RequestHead head = Http2Heads.request(headers.headers());
        if (head == null) {
            replay.refused(Form.of("not HTTP", "a request that isn't HTTP"), "a head that can't be read");
            ctx.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.PROTOCOL_ERROR));
            return;
        }
        UpstreamHttpRequest begun = new UpstreamHttpRequest(head, rule, HttpStandinCall.keptBody(stubs, replay));
        request = begun;
        charge(ctx);
        if (refused) {
            return;
        }
        if ("100-continue".equalsIgnoreCase(head.first("expect"))) {
            ctx.writeAndFlush(new DefaultHttp2HeadersFrame(new DefaultHttp2Headers().status("100")));
        }
        if (GrpcMessages.isGrpc(head.headers())) {
            StreamReply reply = new StreamReply(ctx, () -> charge(ctx));
            replying = reply;
            call = new GrpcCall(begun, replay, ctx.executor(), reply);
            if (!headers.isEndStream()) {
                call.begin();
            }
        }
    }

    /** Charges what this stream makes us hold, or refuses its request. */
    private void charge(ChannelHandlerContext ctx) {
        long held = (request == null ? 0 : request.heldMemory())
                + (call == null ? 0 : call.heldBytes())
                + (replying == null ? 0 : replying.heldBytes());
        if (refused || replay.memory().hold(held)) {
            return;
        }
        refused = true;
        request = null;
        if (call != null) {
            call.cancel();
            call = null;
        }
        StreamReply reply = replying == null ? new StreamReply(ctx, () -> charge(ctx)) : replying;
        replying = reply;
        reply.closed();
        if (reply.begun()) {
            ctx.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.ENHANCE_YOUR_CALM));
        } else {
            reply.whole(HttpProblem.outOfMemory(true));
        }
    }

    private void body(ByteBuffer content, boolean last) {
        if (request != null) {
            ByteBuffer message = content.duplicate();
            request.body(content);
            if (call != null) {
                call.body(message, last);
            }
        }
    }

    private void end(ChannelHandlerContext ctx) {
        UpstreamHttpRequest complete = request;
        if (call != null) {
            call.end();
        } else if (complete != null) {
            Form form = complete.form();
            charge(ctx); // less than before
            answer(ctx, new StubRequest(complete.head(), complete.body()), form);
        }
    }

    private void answer(ChannelHandlerContext ctx, StubRequest asking, Form form) {
        StreamReply reply = new StreamReply(ctx, () -> charge(ctx));
        replying = reply;
        boolean withBody = !asking.head().method().equals("HEAD");
        PendingRequest held = replay.admit(() -> form, injection -> {
            Fault.ErrorReply error = injection.error();
            if (error == null) {
                take(ctx, asking, form, injection, reply);
            } else {
                reply.whole(HttpProblem.fault(error, injection, withBody));
            }
        });
        if (waiting == null) {
            waiting = held;
        }
    }

    private void take(
            ChannelHandlerContext ctx, StubRequest asking, Form form, Injection injection, StreamReply reply) {
        boolean withBody = !asking.head().method().equals("HEAD");
        Fallback<HttpAnswer> instead = instead(ctx, asking, injection);
        waiting = replay.take(form, Duration.ZERO, ctx.executor(), instead, match -> {
            if (match instanceof Match.Hit<HttpAnswer> hit) {
                HttpAnswer answer = hit.recorded().reply().to(asking.head().first("host"));
                reply.whole(answer.marked(injection.names()));
            } else {
                Match.Miss<HttpAnswer> miss = (Match.Miss<HttpAnswer>) match;
                reply.whole(HttpProblem.miss(miss.form().text(), miss.why(), miss.nearest(), withBody));
            }
        });
    }

    private Fallback<HttpAnswer> instead(ChannelHandlerContext ctx, StubRequest asking, Injection injection) {
        return new Fallback<>() {
            @Override
            public @Nullable String stub() {
                return stubbed(ctx, asking, injection);
            }

            @Override
            public @Nullable LiveRead<HttpAnswer> read() {
                return HttpLiveRead.of(asking);
            }

            @Override
            public @Nullable LiveRead<HttpAnswer> call() {
                return HttpStandinCall.of(asking);
            }

            @Override
            public HeldMemory memory() {
                return replay.memory().of(ctx.channel(), 0);
            }
        };
    }

    /** Answers by a stub, and returns its name; null if there is none for this. */
    private @Nullable String stubbed(ChannelHandlerContext ctx, StubRequest asking, Injection injection) {
        Stub stub = stubs.find(asking);
        if (stub == null) {
            return null;
        }
        HttpAnswer answer = StubAnswer.of(stub, asking.head().method()).marked(injection.names());
        StreamReply reply = new StreamReply(ctx, () -> charge(ctx));
        ctx.executor().schedule(() -> reply.whole(answer), stub.reply().delayMillis(), TimeUnit.MILLISECONDS);
        return stub.name();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (replying != null) {
            replying.writabilityChanged();
        }
        if (call != null) {
            call.flow();
        }
        ctx.fireChannelWritabilityChanged();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (replying != null) {
            replying.closed();
        }
        if (waiting != null) {
            waiting.cancel();
        }
        if (call != null) {
            call.cancel();
        }
        ctx.fireChannelInactive();
    }
}
