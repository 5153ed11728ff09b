package dev.understudy.aggregator.http;

import dev.understudy.aggregator.TestJournal;
import dev.understudy.aggregator.http.form.FormRule;
import dev.understudy.aggregator.http.form.UpstreamHttpRequest;
import dev.understudy.aggregator.journal.Match;
import dev.understudy.aggregator.record.Unrecorded;
import dev.understudy.divergence.wire.http.RequestHead;
import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class HttpRecorderTest {
    private final TestJournal<HttpAnswer> test = new TestJournal<>(10_000);
    private HttpRecorder recorder = recorder(test);

    @Test
    void pipelinedRequests_getTheirRepliesInOrder() {
        request("GET /a HTTP/1.1\r\n\r\nHEAD /b HTTP/1.1\r\n\r\nGET /c HTTP/1.1\r\n\r\n");
        reply("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nA");
        reply("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n");

        assertThat(taken("GET", "/a")).endsWith("\r\n\r\nA");
        assertThat(taken("HEAD", "/b")).isEqualTo("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n");
        assertThat(taken("GET", "/c")).isEqualTo("HTTP/1.1 204 No Content\r\n\r\n");
    }

    /** What counts of it is known by then; replies may take long. */
    @Test
    void bodyOfACompleteRequest_isNotKeptUntilItsReply() {
        String body = "[\"" + "x".repeat(500_000) + "\"]";
        request("PUT /a HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                .formatted(body.length(), body));
        assertThat(recorder.heldBytes()).isLessThan(10_000);
        reply("HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n");

        assertThat(recorder.heldBytes()).isZero();
        assertThat(test.recorded.exchanges()).isEqualTo(1);
    }

    @Test
    void chunkedReply_isReplayedChunkedWithItsTrailers() {
        request("GET /a HTTP/1.1\r\n\r\n");
        reply("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\nX-Sum: 3\r\n\r\n");

        assertThat(taken("GET", "/a"))
                .isEqualTo("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 3\r\n\r\n");
    }

    @Test
    void replyThatLastsUntilTheEnd_isCompleteThenAndClosesOnReplay() {
        request("GET /a HTTP/1.0\r\n\r\n");
        reply("HTTP/1.0 200 OK\r\n\r\nab");
        assertThat(test.recorded.exchanges()).isZero();
        recorder.replyEnd(3);
        recorder.closed(4);

        HttpAnswer answer = answer("GET", "/a");
        assertThat(answer).isNotNull();
        assertThat(answer.closes()).isTrue();
        assertThat(answer.body()).asString(StandardCharsets.UTF_8).isEqualTo("ab");
    }

    @Test
    void interimReply_isNotTheReply() {
        request("PUT /a HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
        reply("HTTP/1.1 100 Continue\r\n\r\n");
        request("hi");
        reply("HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n");

        assertThat(test.recorded.exchanges()).isEqualTo(1);
        assertThat(test.recorded.unrecorded(Unrecorded.INCOMPLETE)).isZero();
    }

    @Test
    void replyBeforeTheRequestsEnd_isRecordedAtThatEnd() {
        request("PUT /a HTTP/1.1\r\nContent-Length: 2\r\n\r\nh");
        reply("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
        assertThat(test.recorded.exchanges()).isZero();
        request("i");

        assertThat(test.recorded.exchanges()).isEqualTo(1);
    }

    @Test
    void callWhoseReplyIsntComplete_isUnderWay() {
        request("GET /a HTTP/1.1\r\n\r\n");
        assertThat(missed("GET", "/a").why()).contains("own call is under way");
        reply("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na");
        assertThat(missed("GET", "/a").why()).contains("own call is under way");
        reply("b");

        assertThat(taken("GET", "/a")).endsWith("ab");
        assertThat(missed("GET", "/a").why()).contains("used already");
    }

    @Test
    void callThatEndsWithoutAReply_isNoLongerUnderWay() {
        request("GET /a HTTP/1.1\r\n\r\nGET /b HTTP/1.1\r\n\r\n");
        recorder.closed(4);

        assertThat(missed("GET", "/a").why()).contains("its reply wasn't recorded");
        assertThat(missed("GET", "/b").why()).contains("its reply wasn't recorded");
        assertThat(missed("GET", "/c").why()).contains("has not sent this request lately");
    }

    @Test
    void requestThatIsCutOffOnceAnswered_isCountedAndNamedToWhoMissesIt() {
        request("POST /a HTTP/1.1\r\nContent-Length: 80000\r\n\r\nhi");
        reply("HTTP/1.1 413 Request Entity Too Large\r\nContent-Length: 0\r\n\r\n");
        recorder.closed(4);

        assertThat(test.recorded.exchanges()).isZero();
        assertThat(test.recorded.unrecorded(Unrecorded.ANSWERED_EARLY)).isEqualTo(1);
        assertThat(test.recorded.unrecorded(Unrecorded.INCOMPLETE)).isZero();
        assertThat(missed("POST", "/a").nearest())
                .containsExactly("POST /a with a body that was answered (413) and then cut off after 2 of 80000 bytes");
    }

    @Test
    void interruptedReply_isCountedAndNotRecorded() {
        request("GET /a HTTP/1.1\r\n\r\n");
        reply("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nab");
        recorder.replyEnd(3);
        recorder.closed(4);

        assertThat(test.recorded.exchanges()).isZero();
        assertThat(test.recorded.unrecorded(Unrecorded.INCOMPLETE)).isEqualTo(1);
        assertThat(test.recorded.unrecorded(Unrecorded.NOT_THE_PROTOCOL)).isZero();
    }

    @Test
    void largeReply_isCountedAndTheNextOneRecorded() {
        request("GET /a HTTP/1.1\r\n\r\nGET /b HTTP/1.1\r\n\r\n");
        reply("HTTP/1.1 200 OK\r\nContent-Length: 20000\r\n\r\n");
        reply("x".repeat(20_000));
        reply("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");

        assertThat(test.recorded.unrecorded(Unrecorded.TOO_LARGE)).isEqualTo(1);
        assertThat(test.recorded.exchanges()).isEqualTo(1);
        assertThat(answer("GET", "/b")).isNotNull();
    }

    @Test
    void declinedUpgrade_isAnOrdinaryExchange() {
        request("GET /a HTTP/1.1\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: x\r\n\r\n");
        reply("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");

        assertThat(answer("GET", "/a")).isNotNull();
    }

    @Test
    void earlyHints_areReplayedBeforeTheReply() {
        request("GET /a HTTP/1.1\r\n\r\n");
        reply("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n"
                + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi");

        assertThat(taken("GET", "/a"))
                .isEqualTo("HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n"
                        + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi");
    }

    @Test
    void acceptedUpgrade_endsTheRecording() {
        request("GET /a HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
        reply("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n");
        reply("\0\0\0");

        assertThat(test.recorded.unrecorded(Unrecorded.UPGRADED)).isEqualTo(1);
        assertThat(test.recorded.unrecorded(Unrecorded.INCOMPLETE)).isZero();
        assertThat(test.recorded.exchanges()).isZero();
        assertThat(test.recorded.unrecorded(Unrecorded.NOT_THE_PROTOCOL)).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u0016\u0003\u0001", "GET /a\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"})
    void requestThatIsNotHttp1_endsTheRecording(String garbage) {
        request(garbage);
        reply("HTTP/1.1 400 Bad Request\r\n\r\n");

        assertThat(test.recorded.unrecorded(Unrecorded.NOT_THE_PROTOCOL)).isEqualTo(1);
        assertThat(test.recorded.exchanges()).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {51, 52, 53})
    void anyChunking_recordsTheSame(long seed) {
        Random random = new Random(seed);
        String requests = "POST /a HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcGET /b HTTP/1.1\r\n\r\n";
        String replies = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"
                + "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nwiki\r\n0\r\n\r\n";
        for (int round = 0; round < 300; round++) {
            recorder = recorder(test);
            chunks(requests, random, recorder::request);
            chunks(replies, random, recorder::reply);

            HttpAnswer answer = answer("GET", "/b");
            assertThat(answer).as("seed %d round %d", seed, round).isNotNull();
            assertThat(answer.body()).asString(StandardCharsets.UTF_8).isEqualTo("wiki");
        }
        assertThat(test.recorded.exchanges()).as("seed %d", seed).isEqualTo(600);
    }

    @ParameterizedTest
    @ValueSource(longs = {61, 62, 63})
    void mutatedBytes_throwNothingAndLeaveNothingUncounted(long seed) {
        Random random = new Random(seed);
        String requests = "POST /a HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcGET /b HTTP/1.1\r\n\r\n";
        String replies = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"
                + "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nwiki\r\n0\r\n\r\n";
        for (int round = 0; round < 3_000; round++) {
            recorder = recorder(test);
            chunks(mutated(requests, random), random, recorder::request);
            chunks(mutated(replies, random), random, recorder::reply);
            recorder.requestEnd(5);
            recorder.replyEnd(5);
            recorder.closed(5);
        }
        assertThat(test.recorded.unrecorded(Unrecorded.INTERNAL))
                .as("seed %d", seed)
                .isZero();
        assertThat(test.recorded.exchanges()).as("seed %d", seed).isPositive();
    }

    static HttpRecorder recorder(TestJournal<HttpAnswer> test) {
        return new HttpRecorder(test.recording(), FormRule.DEFAULT, asked -> {
            throw new AssertionError("no change to HTTP/2 was agreed on");
        });
    }

    private interface Fed {
        void feed(ByteBuffer data, long nanos);
    }

    private static void chunks(String text, Random random, Fed fed) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        for (int at = 0; at < bytes.length; ) {
            int length = Math.min(1 + random.nextInt(20), bytes.length - at);
            fed.feed(ByteBuffer.wrap(bytes, at, length), 1);
            at += length;
        }
    }

    private static String mutated(String text, Random random) {
        StringBuilder mutated = new StringBuilder(text);
        for (int i = random.nextInt(3); i > 0; i--) {
            int at = random.nextInt(mutated.length());
            switch (random.nextInt(3)) {
                case 0 -> mutated.setCharAt(at, (char) random.nextInt(256));
                case 1 -> mutated.deleteCharAt(at);
                default -> mutated.insert(at, mutated.substring(at / 2, at));
            }
        }
        return mutated.toString();
    }

    private void request(String bytes) {
        recorder.request(ByteBuffer.wrap(bytes.getBytes(StandardCharsets.ISO_8859_1)), 1);
    }

    private void reply(String bytes) {
        recorder.reply(ByteBuffer.wrap(bytes.getBytes(StandardCharsets.ISO_8859_1)), 2);
    }

    private HttpAnswer answer(String method, String target) {
        return test.take(
                new UpstreamHttpRequest(new RequestHead(method, target, "HTTP/1.1", List.of()), FormRule.DEFAULT)
                        .form());
    }

    private Match.Miss<HttpAnswer> missed(String method, String target) {
        RequestHead head = new RequestHead(method, target, "HTTP/1.1", List.of());
        List<Match<HttpAnswer>> found = new ArrayList<>();
        test.journal.take(
                new UpstreamHttpRequest(head, FormRule.DEFAULT).form(), 0, ImmediateEventExecutor.INSTANCE, found::add);
        return (Match.Miss<HttpAnswer>) found.get(0);
    }

    private String taken(String method, String target) {
        HttpAnswer answer = answer(method, target);
        ByteBuf wire = answer.wire();
        try {
            return wire.toString(StandardCharsets.ISO_8859_1);
        } finally {
            wire.release();
        }
    }

    @Test
    void headsOfReplies_countUntilTheirEnd() {
        request("GET /a HTTP/1.1\r\n\r\n");
        long asked = recorder.heldBytes();
        String links = ("Link: " + "x".repeat(1_000) + "\r\n").repeat(8);
        reply("HTTP/1.1 103 Early Hints\r\n" + links + "\r\n");
        assertThat(recorder.heldBytes()).isGreaterThan(asked + 8_000);
        reply("HTTP/1.1 200 OK\r\n" + links + "Content-Length: 1\r\n\r\n");
        assertThat(recorder.heldBytes()).isGreaterThan(asked + 16_000);

        reply("1");
        assertThat(recorder.heldBytes()).isZero();
    }
}
