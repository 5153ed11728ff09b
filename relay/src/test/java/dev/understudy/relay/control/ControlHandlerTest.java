package dev.understudy.relay.control;

import dev.understudy.relay.control.access.Access;
import dev.understudy.relay.control.access.AccessTokens;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** One request at a time, whatever the transport reads. */
final class ControlHandlerTest {
    private static final String REQUEST = "GET /v1/echo?n=%d HTTP/1.1\r\nHost: localhost\r\n\r\n";
    private static final String LATER = "GET /v1/later HTTP/1.1\r\nHost: localhost\r\n\r\n";
    private static final ControlLimits LIMITS = ControlLimits.of(64, 1L << 30);

    private CompletableFuture<Reply> later = new CompletableFuture<>();

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 30, 1000})
    void bytesThatComeWhileAReplyIsOnItsWay_areAnsweredAfterIt(int piece) {
        SlowCaller slow = new SlowCaller();
        EmbeddedChannel channel = open(slow);
        channel.writeInbound(ascii(REQUEST.formatted(0)));
        assertThat(slow.waiting).as("what the caller hasn't taken").isNotEmpty();
        String more = REQUEST.formatted(1) + REQUEST.formatted(2);
        for (int at = 0; at < more.length(); at += piece) {
            channel.writeInbound(ascii(more.substring(at, Math.min(more.length(), at + piece))));
        }

        while (slow.take()) {
            channel.runPendingTasks();
        }

        assertThat(bodies(channel)).isEqualTo("0,1,2,");
        channel.finishAndReleaseAll();
    }

    @Test
    void nothingIsReadOn_whileAReplyIsOnItsWay() {
        SlowCaller slow = new SlowCaller();
        EmbeddedChannel channel = open(slow);
        channel.writeInbound(ascii(REQUEST.formatted(0)));
        int before = slow.reads;
        for (int n = 1; n <= 100; n++) {
            channel.writeInbound(ascii(REQUEST.formatted(n)));
        }
        assertThat(slow.reads - before).isLessThanOrEqualTo(1);
        channel.finishAndReleaseAll();
    }

    @Test
    void whatIsAnsweredLater_keepsItsPlaceAmongTheReplies() {
        EmbeddedChannel channel = open(new ChannelOutboundHandlerAdapter());
        channel.writeInbound(ascii(LATER + REQUEST.formatted(1)));
        assertThat(bodies(channel)).isEmpty();

        later.complete(Reply.text(200, "later,"));
        channel.runPendingTasks();

        assertThat(bodies(channel)).isEqualTo("later,1,");
        channel.finishAndReleaseAll();
    }

    @Test
    void whatIsNeverAnswered_endsTheConnection_andMayBeAnsweredAfterThat() {
        EmbeddedChannel channel = open(new ChannelOutboundHandlerAdapter());
        channel.freezeTime();
        channel.writeInbound(ascii(LATER));
        channel.advanceTimeBy(LIMITS.reply().toNanos() - 1, TimeUnit.NANOSECONDS);
        channel.runScheduledPendingTasks();
        assertThat(channel.isOpen())
                .as("the time for a reply, not for its request")
                .isTrue();
        channel.advanceTimeBy(1, TimeUnit.NANOSECONDS);
        channel.runScheduledPendingTasks();
        assertThat(channel.isOpen()).isFalse();

        later.complete(Reply.text(200, "late,"));
        channel.runPendingTasks();

        channel.checkException();
        assertThat(bodies(channel)).isEmpty();
        channel.finishAndReleaseAll();
    }

    @Test
    void whatFailsLater_isAnsweredLikeWhatFailsAtOnce() {
        EmbeddedChannel channel = open(new ChannelOutboundHandlerAdapter());
        channel.writeInbound(ascii(LATER));
        later.completeExceptionally(new IllegalArgumentException("n: 0 (expected: > 0)"));
        channel.runPendingTasks();
        assertThat(bodies(channel)).startsWith("HTTP/1.1 400").contains("n: 0 (expected: > 0)");

        later = new CompletableFuture<>();
        channel.writeInbound(ascii(LATER));
        later.completeExceptionally(new CompletionException(new IllegalStateException("a secret")));
        channel.runPendingTasks();
        assertThat(bodies(channel))
                .startsWith("HTTP/1.1 500")
                .contains("IllegalStateException")
                .doesNotContain("a secret");
        channel.finishAndReleaseAll();
    }

    private EmbeddedChannel open(ChannelOutboundHandlerAdapter caller) {
        ControlResources resources =
                ControlResources.of(LIMITS, new ControlCounts(System::nanoTime), new AuditLog(order -> {}));
        Routes routes = new Routes()
                .get(Access.PUBLIC, "/v1/echo", call -> Reply.text(200, call.parameter("n", "") + ","))
                .later(Access.PUBLIC, "GET", "/v1/later", Body.json(), call -> later);
        Gatekeeper gatekeeper = new Gatekeeper(new AccessTokens(List.of()), null, null);
        EmbeddedChannel channel = new EmbeddedChannel(caller);
        channel.config().setAutoRead(false);
        channel.pipeline().addLast(new ControlInitializer(gatekeeper, routes, resources, null));
        return channel;
    }

    private static ByteBuf ascii(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII);
    }

    private static String bodies(EmbeddedChannel channel) {
        StringBuilder replies = new StringBuilder();
        for (ByteBuf sent = channel.readOutbound(); sent != null; sent = channel.readOutbound()) {
            replies.append(sent.toString(StandardCharsets.US_ASCII));
            sent.release();
        }
        return replies.toString().replaceAll("(?s)HTTP/1.1 200 OK\r\n.*?\r\n\r\n", "");
    }

    /** Takes what is written only when it is told to. */
    private static final class SlowCaller extends ChannelOutboundHandlerAdapter {
        private record Written(ChannelHandlerContext ctx, Object bytes, ChannelPromise promise) {}

        private final Queue<Written> waiting = new ArrayDeque<>();
        private int reads;

        @Override
        public void read(ChannelHandlerContext ctx) {
            reads++;
            ctx.read();
        }

        @Override
        public void write(ChannelHandlerContext ctx, Object bytes, ChannelPromise promise) {
            waiting.add(new Written(ctx, bytes, promise));
        }

        @Override
        public void handlerRemoved(ChannelHandlerContext ctx) {
            waiting.forEach(never -> ReferenceCountUtil.release(never.bytes));
        }

        boolean take() {
            Written next = waiting.poll();
            if (next == null) {
                return false;
            }
            next.ctx.writeAndFlush(next.bytes, next.promise);
            return true;
        }
    }
}
