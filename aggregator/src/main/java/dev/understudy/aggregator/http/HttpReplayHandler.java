package dev.understudy.aggregator.http;

import dev.understudy.aggregator.body.LargeBody;
import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.PendingRequest;
import dev.understudy.aggregator.fault.Fault;
import dev.understudy.aggregator.fault.Injection;
import dev.understudy.aggregator.http.form.FormRule;
import dev.understudy.aggregator.http.form.UpstreamHttpRequest;
import dev.understudy.aggregator.http.stub.Stub;
import dev.understudy.aggregator.http.stub.StubRequest;
import dev.understudy.aggregator.http.stub.Stubs;
import dev.understudy.aggregator.journal.Match;
import dev.understudy.aggregator.limit.HeldMemory;
import dev.understudy.aggregator.live.LiveRead;
import dev.understudy.aggregator.replay.BodyPump;
import dev.understudy.aggregator.replay.Fallback;
import dev.understudy.aggregator.replay.Pump;
import dev.understudy.aggregator.replay.ReplayTurns;
import dev.understudy.aggregator.replay.UpstreamReplay;
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
import java.time.Duration;
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

    private final UpstreamReplay<HttpAnswer> replay;
    private final Channel channel;
    private final Requests requests = new Requests();
    private final HttpRequestFramer framer = new HttpRequestFramer(requests);
    private final ReplayTurns<Runnable> turns;
    private final Stubs stubs;
    private final FormRule rule;
    private final Upgrade upgrade;

    /** The reply that comes from a running server. */
    private final HeldMemory coming;

    private @Nullable ChannelHandlerContext context;
    private @Nullable PendingRequest waiting;
    private @Nullable Pump pump;
    private boolean refused;

    private HttpReplayHandler(
            Channel channel, UpstreamReplay<HttpAnswer> replay, Stubs stubs, FormRule rule, Upgrade upgrade) {
        this.upgrade = upgrade;
        this.stubs = stubs;
        this.rule = rule;
        this.channel = channel;
        this.replay = replay;
        this.coming = replay.memory().of(channel, 0);
        this.turns = new ReplayTurns<>(channel, Runnable::run);
    }

    /**
     * Makes the handler of one connection, to be added to its pipeline.
     *
     * @param stubs answer what nothing recorded fits
     * @param rule what counts for the requests' forms
     * @param upgrade is offered each request that may be the last one of HTTP/1.1
     */
    public static HttpReplayHandler on(
            Channel channel, UpstreamReplay<HttpAnswer> replay, Stubs stubs, FormRule rule, Upgrade upgrade) {
        return new HttpReplayHandler(channel, replay, stubs, rule, upgrade);
    }

    /** What a connection may become. */
    @FunctionalInterface
    public interface Upgrade {
        /**
         * Takes the connection over with a complete request that is still to be answered, and says so; or leaves it.
         */
        boolean takes(ChannelHandlerContext ctx, StubRequest request, Form form);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, ByteBuf data) {
        if (!refused) {
            framer.feed(data.nioBuffer());
            charge();
        }
    }

    /** Charges what this connection makes us hold, or ends it. */
    private void charge() {
        Pump begun = pump;
        long flowing = begun == null ? 0 : begun.heldBytes();
        long asked = framer.heldBytes() + requests.heldBytes() + turns.heldBytes();
        if (refused || replay.memory().hold(asked + flowing)) {
            return;
        }
        refused = true;
        turns.end();
        if (begun == null) {
            channel.writeAndFlush(HttpProblem.outOfMemory(true).wire());
        } else {
            begun.cancel();
        }
        channel.close();
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
        ctx.fireChannelWritabilityChanged();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        turns.end();
        if (pump != null) {
            pump.cancel();
        }
        if (waiting != null) {
            waiting.cancel();
        }
        ctx.fireChannelInactive();
    }

    private void answer(StubRequest request, Form form) {
        RequestHead head = request.head();
        ChannelHandlerContext ctx = context;
        if (head.first("upgrade") != null && ctx != null && upgrade.takes(ctx, request, form)) {
            turns.end();
            return;
        }
        waiting = null;
        PendingRequest held = replay.admit(() -> form, injection -> {
            Fault.ErrorReply error = injection.error();
            if (error == null) {
                take(request, form, injection);
            } else {
                boolean withBody = !head.method().equals("HEAD");
                reply(head, HttpProblem.fault(error, injection, withBody));
            }
        });
        if (waiting == null) {
            waiting = held;
        }
    }

    private void take(StubRequest request, Form form, Injection injection) {
        RequestHead head = request.head();
        waiting = replay.take(form, Duration.ZERO, channel.eventLoop(), instead(request, injection), match -> {
            waiting = null;
            if (match instanceof Match.Hit<HttpAnswer> hit) {
                reply(head, hit.recorded().reply().to(head.first("host")).marked(injection.names()));
            } else {
                Match.Miss<HttpAnswer> miss = (Match.Miss<HttpAnswer>) match;
                boolean withBody = !head.method().equals("HEAD");
                reply(head, HttpProblem.miss(miss.form().text(), miss.why(), miss.nearest(), withBody));
            }
        });
    }

    private Fallback<HttpAnswer> instead(StubRequest request, Injection injection) {
        return new Fallback<>() {
            @Override
            public @Nullable String stub() {
                return stubbed(request, injection);
            }

            @Override
            public @Nullable LiveRead<HttpAnswer> read() {
                return HttpLiveRead.of(request);
            }

            @Override
            public @Nullable LiveRead<HttpAnswer> call() {
                return HttpStandinCall.of(request);
            }

            @Override
            public HeldMemory memory() {
                return coming;
            }
        };
    }

    /** Answers by a stub, and returns its name; null if there is none for this. */
    private @Nullable String stubbed(StubRequest request, Injection injection) {
        Stub stub = stubs.find(request);
        if (stub == null) {
            return null;
        }
        RequestHead head = request.head();
        Runnable write = () -> reply(head, StubAnswer.of(stub, head.method()).marked(injection.names()));
        long delay = stub.reply().delayMillis();
        if (delay == 0) {
            write.run();
        } else {
            channel.eventLoop().schedule(write, delay, TimeUnit.MILLISECONDS);
        }
        return stub.name();
    }

    private void reply(RequestHead head, HttpAnswer recorded) {
        HttpAnswer answer = head.version().equals("HTTP/1.0") ? recorded.withoutChunks() : recorded;
        boolean last = answer.closes() || wantsClose(head);
        LargeBody large = answer.large();
        LiveBody stream = answer.stream();
        if (large != null) {
            channel.write(answer.wire());
            BodyPump flowing = new BodyPump(
                    channel, large, piece -> channel.write(answer.piece(piece)), whole -> pumped(answer, whole, last));
            pump = flowing;
            flowing.flow();
        } else if (stream != null) {
            channel.write(answer.wire());
            StreamPump flowing = new StreamPump(
                    channel,
                    stream,
                    piece -> channel.write(answer.piece(piece)),
                    ending -> pumped(answer, ending == LiveBody.Ending.WHOLE, last),
                    this::charge);
            pump = flowing;
            flowing.begin();
        } else {
            write(answer.wire(), last);
        }
    }

    private void pumped(HttpAnswer answer, boolean whole, boolean last) {
        pump = null;
        if (whole) {
            write(answer.end(), last);
        } else {
            turns.end();
            channel.close(); // the client sees that it is cut off
        }
    }

    private void write(ByteBuf reply, boolean last) {
        if (last) {
            turns.end();
            channel.writeAndFlush(reply).addListener(ChannelFutureListener.CLOSE);
        } else {
            channel.write(reply);
            turns.done();
            charge();
        }
    }

    private static boolean wantsClose(RequestHead head) {
        String connection = String.join(",", head.all("connection")).toLowerCase(Locale.ROOT);
        return connection.contains("close")
                || (head.version().equals("HTTP/1.0") && !connection.contains("keep-alive"));
    }

    private final class Requests implements HttpSink<RequestHead> {
        private @Nullable UpstreamHttpRequest request;
        private boolean garbled;

        /** Memory that the request takes that isn't complete. */
        long heldBytes() {
            return request == null ? 0 : request.heldMemory();
        }

        @Override
        public void head(RequestHead head, int rawLength) {
            request = new UpstreamHttpRequest(head, rule, HttpStandinCall.keptBody(stubs, replay));
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
            UpstreamHttpRequest complete = request;
            request = null;
            if (complete != null) {
                Form form = complete.form();
                StubRequest asked = new StubRequest(complete.head(), complete.body());
                turns.add(() -> answer(asked, form), complete.heldMemory());
            }
        }

        @Override
        public void unframed(String reason, int rawLength) {
            if (!garbled) {
                garbled = true;
                turns.add(() -> {
                    replay.refused(Form.of("not HTTP", "a request that isn't HTTP"), reason);
                    write(HttpProblem.notHttp(reason).wire(), true);
                });
            }
        }
    }
}
