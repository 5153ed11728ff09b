package dev.understudy.sidecar.frame.http;

import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.divergence.compare.http.HttpReply;
import dev.understudy.divergence.content.TextSpan;
import dev.understudy.divergence.mask.Masking;
import dev.understudy.divergence.wire.http.Header;
import dev.understudy.relay.http2.Talk;
import dev.understudy.relay.lane.MemoryBudget;
import dev.understudy.sidecar.frame.ReplyMemory;
import dev.understudy.sidecar.frame.ReplyStream;
import dev.understudy.sidecar.frame.Request;
import dev.understudy.sidecar.frame.RequestStream;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Both directions of an HTTP/2 connection, cut into exchanges by its streams. */
final class Http2StreamsTest {
    private static final int PREFACE = 24;
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int CONTINUATION = 9;
    private static final TextSpan TIMES = new TextSpan(Instant.EPOCH, Instant.EPOCH);

    private final Talk talk = Talk.make();

    @ParameterizedTest
    @ValueSource(longs = {401, 402, 403})
    void anyChunking_givesTheSameExchangesAndEveryByte(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 50; round++) {
            Side side = new Side();
            side.requests(talk.requests, random);
            side.replies(talk.replies, random);

            String which = "seed " + seed + " round " + round;
            assertThat(side.asked.values())
                    .as(which)
                    .extracting(one -> one.request.method() + " " + one.request.target(new Masking(Set.of())))
                    .containsExactly("GET /get?a=1", "POST /post", "POST /test.Echo/once");
            assertThat(side.asked.values()).as(which).allMatch(one -> one.over && one.answered);
            assertThat(side.bytes.toByteArray()).as(which).isEqualTo(talk.requests);
            HttpReply reply = side.one(5).reply(TIMES);
            assertThat(new String(reply.body(), StandardCharsets.UTF_8))
                    .as(which)
                    .isEqualTo("answer to /post");
            assertThat(reply.trailers()).as(which).containsExactly(new Header("grpc-status", "0"));
            assertThat(reply.head().status()).as(which).isEqualTo(200);
            assertThat(side.one(7).reply.said()).as(which).isEqualTo("grpc 0");
            assertThat(side.unframed).as(which).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {411, 412, 413})
    void mutatedBytes_throwNothingAndLoseNone(long seed) {
        Random random = new Random(seed);
        int unframed = 0;
        for (int round = 0; round < 200; round++) {
            byte[] requests = mutated(talk.requests, random);
            Side side = new Side();
            side.requests(requests, random);
            side.replies(mutated(talk.replies, random), random);
            side.requests.end(3);
            side.replies.end(3);
            side.requests.release();

            assertThat(side.bytes.toByteArray())
                    .as("seed %d round %d", seed, round)
                    .isEqualTo(requests);
            unframed += side.unframed.size();
        }
        assertThat(unframed).as("seed %d", seed).isPositive();
    }

    @Test
    void headersWithoutAnEnd_endTheCuttingWithAReason() {
        Side side = new Side();
        side.request(Arrays.copyOf(talk.requests, PREFACE));
        side.request(frame(HEADERS, 0, 1, 16_000));
        for (int n = 0; n < 100; n++) {
            side.request(frame(CONTINUATION, 0, 1, 16_000));
        }

        assertThat(side.unframed).hasSize(1).first().asString().contains("headers of over");
        assertThat(side.bytes.size()).isEqualTo(PREFACE + 101 * 16_009);
    }

    @Test
    void promisedReply_endsTheCutting() {
        Side side = new Side();
        side.request(talk.requests);
        byte[] promise = frame(5, 4, 3, 5);
        promise[12] = 2;
        promise[13] = (byte) 0x88;
        side.reply(promise);

        assertThat(side.unframed).containsExactly("replies: HTTP/2: a reply that nobody asked for");
    }

    @Test
    void streamThatTheClientGivesUp_isToldByItsNumber() {
        Side side = new Side();
        side.request(talk.requests);
        side.request(frame(RST_STREAM, 0, 7, 4));

        assertThat(side.cancelled).containsExactly(7);
    }

    @Test
    void streamThatTheServerGivesUp_isCut() {
        Side side = new Side();
        side.request(talk.requests);
        side.reply(frame(RST_STREAM, 0, 5, 4));
        side.replies(talk.replies, new Random(1));

        assertThat(side.one(5)).matches(one -> one.cut && !one.answered);
        assertThat(side.one(7).answered).isTrue();
    }

    @Test
    void bodyBeforeItsHead_losesThatReplyOnly() {
        Side side = new Side();
        side.request(talk.requests);
        side.reply(frame(DATA, 0, 3, 4));
        side.replies(talk.replies, new Random(1));

        assertThat(side.one(3)).matches(one -> one.unread && !one.answered);
        assertThat(side.one(5).answered).isTrue();
        assertThat(side.one(7).answered).isTrue();
        assertThat(side.unframed).isEmpty();
    }

    @Test
    void headThatCantBeRead_losesThatExchangeOnly() {
        SpokenHttp2 client = new SpokenHttp2()
                .head(1, true, SpokenHttp2.fields("GET", "/1", "x-own", "kept"))
                .head(3, false, SpokenHttp2.fields("GET", "/3", "x-odd", "\0\1"))
                .data(3, true, "body", 0)
                .head(5, true, SpokenHttp2.fields("GET", "/5", "x-own", "kept"))
                .head(7, true, SpokenHttp2.fields("GET", "/7"))
                .head(9, true, SpokenHttp2.fields("GET", "/9"));
        Side side = new Side();
        side.requests(client.bytes.toByteArray(), new Random(1));
        assertThat(side.asked.keySet()).containsExactly(1, 5, 7, 9);
        assertThat(side.unreadRequests).containsExactly("HTTP/2: a request without a head that can be read");
        assertThat(side.bytes.toByteArray()).isEqualTo(client.bytes.toByteArray());

        SpokenHttp2 server = new SpokenHttp2()
                .head(1, true, status("x-odd", "\0\1"))
                .head(3, true, status())
                .head(5, false, status())
                .head(5, true, new DefaultHttp2Headers(false).add("x-odd", "\0\1"))
                .head(7, false, status())
                .data(7, false, "answer", 0)
                .head(7, true, new DefaultHttp2Headers(false).add("x-details-bin", "\0\b\5ok"))
                .head(9, true, status());
        byte[] said = server.bytes.toByteArray();
        side.replies(Arrays.copyOfRange(said, PREFACE, said.length), new Random(2));

        assertThat(side.one(1)).matches(one -> one.unread && !one.answered);
        assertThat(side.one(5)).as("by its trailers").matches(one -> one.unread && !one.answered);
        assertThat(side.one(7).reply(TIMES).trailers()).containsExactly(new Header("x-details-bin", "CAVvaw"));
        assertThat(side.one(9).answered).isTrue();
        assertThat(side.unframed).isEmpty();
    }

    private static Http2Headers status(String... more) {
        Http2Headers fields = new DefaultHttp2Headers(false).status("200");
        for (int i = 0; i < more.length; i += 2) {
            fields.add(more[i], more[i + 1]);
        }
        return fields;
    }

    @Test
    void answerInHttp1_toTheSamePreface_isNotTakenForOne() {
        Side side = new Side();
        side.reply("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        side.request(talk.requests);

        assertThat(side.asked.values()).hasSize(3).noneMatch(one -> one.answered);
    }

    @Test
    void requestThatOnlyBeginsAsThePreface_isOfHttp1() {
        Side side = new Side();
        side.request("PR".getBytes(StandardCharsets.US_ASCII));
        assertThat(side.bytes.size()).isZero();
        side.request("OPFIND / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));

        assertThat(side.one(0).request.method()).isEqualTo("PROPFIND");
    }

    private static byte[] frame(int type, int flags, int stream, int length) {
        return ByteBuffer.allocate(9 + length)
                .putInt(length << 8 | type)
                .put((byte) flags)
                .putInt(stream)
                .array();
    }

    private static byte[] mutated(byte[] bytes, Random random) {
        byte[] mutated = bytes.clone();
        for (int n = random.nextInt(4); n > 0; n--) {
            int at = PREFACE + (random.nextBoolean() ? random.nextInt(mutated.length - PREFACE) : random.nextInt(200));
            mutated[random.nextBoolean() ? at : mutated.length + PREFACE - 1 - at] = (byte) random.nextInt(256);
        }
        return random.nextInt(5) > 0 ? mutated : Arrays.copyOf(mutated, random.nextInt(mutated.length));
    }

    /** One request, and what came of it. */
    private static final class One {
        final Request request;
        final HttpReplyCopy reply = new HttpReplyCopy(new ReplyMemory(new MemoryBudget(1 << 20, null)), 1 << 16);
        boolean over;
        boolean answered;
        boolean cut;
        boolean unread;

        One(Request request) {
            this.request = request;
        }

        HttpReply reply(TextSpan times) {
            return Objects.requireNonNull(reply.finish(times));
        }
    }

    /** A client and one server. */
    private static final class Side implements RequestStream.Cut<One>, ReplyStream.End<One> {
        final Map<Integer, One> asked = new LinkedHashMap<>();
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        final List<String> unframed = new ArrayList<>();
        final List<Integer> cancelled = new ArrayList<>();
        final List<String> unreadRequests = new ArrayList<>();
        final RequestStream requests = new VersionRequestStream<>(this);
        final ReplyStream<One> replies = new VersionReplyStream<>(one -> one.reply, this);

        One one(int stream) {
            return Objects.requireNonNull(asked.get(stream));
        }

        void request(byte[] sent) {
            requests.data(Unpooled.copiedBuffer(sent), 1);
        }

        void reply(byte[] sent) {
            replies.data(Unpooled.copiedBuffer(sent), 2);
        }

        void requests(byte[] all, Random random) {
            chunks(all, random, this::request);
        }

        void replies(byte[] all, Random random) {
            chunks(all, random, this::reply);
        }

        private static void chunks(byte[] all, Random random, Consumer<byte[]> each) {
            for (int at = 0; at < all.length; ) {
                int next = Math.min(all.length, at + 1 + random.nextInt(random.nextBoolean() ? 20 : 20_000));
                each.accept(Arrays.copyOfRange(all, at, next));
                at = next;
            }
        }

        private void keep(ByteBuf data) {
            bytes.writeBytes(ByteBufUtil.getBytes(data));
            data.release();
        }

        @Override
        public One request(Request request, ByteBuf data, long arrivedNanos, long nanos) {
            keep(data);
            One one = new One(request);
            asked.put(request.stream(), one);
            replies.expect(one, request);
            return one;
        }

        @Override
        public void body(One one, ByteBuf data, long nanos) {
            keep(data);
        }

        @Override
        public void requestEnd(One one, long nanos) {
            one.over = true;
        }

        @Override
        public void cancelled(int stream, long nanos) {
            cancelled.add(stream);
        }

        @Override
        public void unframed(@Nullable One unfinished, NotCompared why, String reason, long nanos) {
            unframed.add("requests: " + reason);
        }

        @Override
        public void raw(ByteBuf data, long nanos) {
            keep(data);
        }

        @Override
        public void ended(One one) {
            one.answered = true;
        }

        @Override
        public void cut(One one, long nanos) {
            one.cut = true;
        }

        @Override
        public void unread(String reason, long nanos) {
            unreadRequests.add(reason);
        }

        @Override
        public void unread(One one, long nanos) {
            one.unread = true;
        }

        @Override
        public void unframed(String reason) {
            unframed.add("replies: " + reason);
        }
    }
}
