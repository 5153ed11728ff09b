package dev.understudy.aggregator.http.h2;

import dev.understudy.aggregator.TestJournal;
import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.http.HttpAnswer;
import dev.understudy.aggregator.http.HttpExchange;
import dev.understudy.aggregator.http.form.FormRule;
import dev.understudy.aggregator.http.form.UpstreamHttpRequest;
import dev.understudy.aggregator.journal.Match;
import dev.understudy.aggregator.record.ConnectionRecorder;
import dev.understudy.aggregator.record.Unrecorded;
import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.ReplyHead;
import dev.understudy.divergence.wire.http.RequestHead;
import dev.understudy.relay.http2.Talk;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersEncoder;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class Http2RecorderTest {
    private static final int HEADERS = 1;
    private static final int CONTINUATION = 9;

    private final TestJournal<HttpAnswer> test = new TestJournal<>(100_000);
    private final Talk talk = Talk.make();
    private ConnectionRecorder recorder = recorder();

    private ConnectionRecorder recorder() {
        return HttpVersions.recorder(FormRule.DEFAULT).open(test.recording());
    }

    @Test
    void streams_areRecordedUnderTheFormsOfHttp1() {
        recorder.reply(ByteBuffer.wrap(talk.replies, 0, 20), 1); // a server may speak first
        recorder.request(ByteBuffer.wrap(talk.requests), 1);
        recorder.reply(ByteBuffer.wrap(talk.replies, 20, talk.replies.length - 20), 2);

        assertThat(text(taken("GET", "/get?a=1", "", "Accept", "text/plain"))).isEqualTo("answer to /get?a=1");
        assertThat(text(taken("POST", "/post", "body", "Cookie", "a=1; b=2"))).isEqualTo("answer to /post");
        HttpAnswer grpc = taken("POST", "/test.Echo/once", Talk.GRPC, "Content-Type", "application/grpc");
        assertThat(text(grpc)).isEqualTo("answer to /test.Echo/once");
        assertThat(grpc.trailers()).containsExactly(new Header("grpc-status", "0"));
        assertThat(grpc.pace()).isNull();
        assertThat(recorder.heldBytes()).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {201, 202})
    void anyChunking_recordsTheSame(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 25; round++) {
            recorder = recorder();
            feed(talk.requests, random, recorder::request);
            feed(talk.replies, random, recorder::reply);

            assertThat(text(taken("POST", "/post", "body", "Cookie", "a=1; b=2")))
                    .as("seed %d round %d", seed, round)
                    .isEqualTo("answer to /post");
        }
        assertThat(test.recorded.exchanges()).as("seed %d", seed).isEqualTo(75);
    }

    @ParameterizedTest
    @ValueSource(longs = {211, 212, 213})
    void mutatedBytes_throwNothingAndHoldLittle(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 150; round++) {
            recorder = recorder();
            feed(mutated(talk.requests, random), random, recorder::request);
            feed(mutated(talk.replies, random), random, recorder::reply);
            assertThat(recorder.heldBytes()).as("seed %d", seed).isLessThan(2_000_000);
            recorder.requestEnd(3);
            recorder.replyEnd(3);
            recorder.closed(3);
            assertThat(recorder.heldBytes()).as("seed %d", seed).isZero();
        }
        assertThat(test.recorded.exchanges()).as("seed %d", seed).isPositive();
        assertThat(test.recorded.unrecorded(Unrecorded.NOT_THE_PROTOCOL))
                .as("seed %d", seed)
                .isPositive();
    }

    @Test
    void lengthThatIsOnlyAnnounced_takesNoMemory() {
        recorder.request(ByteBuffer.wrap(talk.requests, 0, 24), 1);
        byte[] data = {(byte) 0xff, (byte) 0xff, (byte) 0xff, 0, 0, 0, 0, 0, 1, 'x'};
        recorder.request(ByteBuffer.wrap(data), 1);

        assertThat(recorder.heldBytes()).isLessThan(1_000);
        assertThat(test.recorded.unrecorded(Unrecorded.NOT_THE_PROTOCOL)).isZero();
    }

    @Test
    void headersThatAreTooLong_endTheRecording() {
        recorder.request(ByteBuffer.wrap(talk.requests, 0, 24), 1);
        byte[] frame = new byte[9 + 100_000];
        frame[0] = 1;
        frame[1] = (byte) (100_000 >> 8);
        frame[2] = (byte) 100_000;
        frame[8] = 1;
        for (int n = 0; n < 4; n++) {
            frame[3] = (byte) (n == 0 ? HEADERS : CONTINUATION);
            recorder.request(ByteBuffer.wrap(frame.clone()), 1);
        }

        assertThat(test.recorded.unrecorded(Unrecorded.NOT_THE_PROTOCOL)).isEqualTo(1);
        assertThat(recorder.heldBytes()).isZero();
    }

    @Test
    void streamsWhoseRepliesArentComplete_areUnderWay() {
        recorder.request(ByteBuffer.wrap(talk.requests), 1);
        assertThat(why("GET", "/get?a=1", "", "Accept", "text/plain")).contains("own call is under way");
        assertThat(why("POST", "/test.Echo/once", Talk.GRPC, "Content-Type", "application/grpc"))
                .contains("own call is under way");

        recorder.closed(2);

        assertThat(why("GET", "/get?a=1", "", "Accept", "text/plain")).contains("its reply wasn't recorded");
        assertThat(why("POST", "/test.Echo/once", Talk.GRPC, "Content-Type", "application/grpc"))
                .contains("its reply wasn't recorded");
    }

    @Test
    void metadataInBytes_isRecordedAsBase64_andAHeadThatCantBeReadLosesItsExchangeOnly() throws Exception {
        recorder.request(ByteBuffer.wrap(talk.requests), 1);
        DefaultHttp2HeadersEncoder encoder = new DefaultHttp2HeadersEncoder(Http2HeadersEncoder.NEVER_SENSITIVE, true);
        reply(encoder, 3, status().add("x-odd", "\0\1"));
        reply(encoder, 5, status());
        reply(encoder, 7, status().add("x-details-bin", "\0\b\5ok").add("grpc-status", "0"));

        assertThat(test.recorded.unrecorded(Unrecorded.NOT_THE_PROTOCOL)).isEqualTo(1);
        assertThat(test.recorded.exchanges()).isEqualTo(2);
        assertThat(taken("POST", "/test.Echo/once", Talk.GRPC, "Content-Type", "application/grpc")
                        .head()
                        .first("x-details-bin"))
                .isEqualTo("CAVvaw");
    }

    private static Http2Headers status() {
        return new DefaultHttp2Headers(false).status("200");
    }

    private void reply(DefaultHttp2HeadersEncoder encoder, int stream, Http2Headers headers) throws Exception {
        ByteBuf block = Unpooled.buffer();
        encoder.encodeHeaders(stream, headers, block);
        ByteBuf frame = Unpooled.buffer();
        frame.writeMedium(block.readableBytes()).writeByte(HEADERS).writeByte(5).writeInt(stream);
        recorder.reply(frame.writeBytes(block).nioBuffer(), 2);
    }

    @Test
    void connectionThatEndsBeforeTheReply_isIncomplete() {
        recorder.request(ByteBuffer.wrap(talk.requests), 1);
        recorder.closed(2);

        assertThat(test.recorded.unrecorded(Unrecorded.INCOMPLETE)).isEqualTo(3);
        assertThat(test.recorded.exchanges()).isZero();
    }

    @Test
    void conversationOfTooManyMessages_isTooLarge_whereNothingIsKeptInFiles() {
        List<Header> headers = List.of(new Header("content-type", "application/grpc"));
        UpstreamHttpRequest request = new UpstreamHttpRequest(
                new RequestHead("POST", "/test.Echo/talk", "HTTP/2", headers), FormRule.DEFAULT);
        Http2Exchange talk = new Http2Exchange(new HttpExchange(request, 1, 1_000, null));
        talk.http().replyBegins(new ReplyHead("HTTP/2", 200, "", headers));
        for (int n = 0; n <= 10_000; n++) {
            talk.request(ByteBuffer.wrap(new byte[5]));
            talk.reply(ByteBuffer.wrap(new byte[0]));
        }
        assertThat(talk.heldBytes()).as("of what isn't recorded").isLessThan(10_000);
        talk.replyEnd();
        assertThat(talk.complete()).isTrue();
        talk.record(test.recording(), 2);
        assertThat(test.recorded.unrecorded(Unrecorded.TOO_LARGE)).isEqualTo(1);
        assertThat(test.recorded.exchanges()).isZero();
    }

    private interface Fed {
        void feed(ByteBuffer data, long nanos);
    }

    private static void feed(byte[] bytes, Random random, Fed fed) {
        for (int at = 0; at < bytes.length; ) {
            int length = Math.min(1 + random.nextInt(random.nextBoolean() ? 20 : 20_000), bytes.length - at);
            fed.feed(ByteBuffer.wrap(bytes, at, length), 1);
            at += length;
        }
    }

    private static byte[] mutated(byte[] bytes, Random random) {
        byte[] mutated = bytes.clone();
        for (int n = random.nextInt(4); n > 0; n--) {
            // most of what is there is one long header: the ends are what matters
            int at = random.nextBoolean() ? random.nextInt(mutated.length) : random.nextInt(200);
            mutated[random.nextBoolean() ? at : mutated.length - 1 - at] = (byte) random.nextInt(256);
        }
        return random.nextInt(5) > 0 ? mutated : Arrays.copyOf(mutated, random.nextInt(mutated.length));
    }

    private static String text(HttpAnswer answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }

    private HttpAnswer taken(String method, String target, String body, String name, String value) {
        return test.take(form(method, target, body, name, value));
    }

    private String why(String method, String target, String body, String name, String value) {
        List<Match<HttpAnswer>> found = new ArrayList<>();
        Form form = form(method, target, body, name, value);
        test.journal.take(form, 0, ImmediateEventExecutor.INSTANCE, found::add);
        return ((Match.Miss<HttpAnswer>) found.get(0)).why();
    }

    private static Form form(String method, String target, String body, String name, String value) {
        UpstreamHttpRequest request = new UpstreamHttpRequest(
                new RequestHead(method, target, "HTTP/1.1", List.of(new Header(name, value))), FormRule.DEFAULT);
        request.body(ByteBuffer.wrap(body.getBytes(StandardCharsets.ISO_8859_1)));
        return request.form();
    }
}
