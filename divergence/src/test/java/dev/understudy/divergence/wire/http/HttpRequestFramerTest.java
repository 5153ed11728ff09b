package dev.understudy.divergence.wire.http;

import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class HttpRequestFramerTest {
    private final Events<RequestHead> events = new Events<>();
    private final HttpRequestFramer framer = new HttpRequestFramer(events);

    private void feed(String text) {
        framer.feed(ByteBuffer.wrap(Events.bytes(text)));
    }

    @Test
    void head_keepsNamesValuesAndOrder() {
        feed("GET /a?b=%20 HTTP/1.1\r\nHost: x\r\nX-Two:\t2 \r\nx-two:3\r\n\r\n");

        RequestHead head = events.heads.get(0);
        assertThat(head.method()).isEqualTo("GET");
        assertThat(head.target()).isEqualTo("/a?b=%20");
        assertThat(head.version()).isEqualTo("HTTP/1.1");
        assertThat(head.headers())
                .containsExactly(new Header("Host", "x"), new Header("X-Two", "2"), new Header("x-two", "3"));
        assertThat(head.all("X-TWO")).containsExactly("2", "3");
        assertThat(events.outline()).isEqualTo("head end");
    }

    @Test
    void betweenMessages_nothingIsHeld() {
        feed("GET / HTTP/1.1\r\nCookie: " + "x".repeat(8_000));
        assertThat(framer.heldBytes()).isGreaterThan(8_000);
        feed("\r\nA: b\r\n");
        assertThat(framer.heldBytes()).isGreaterThan(8_000);
        feed("\r\n");
        assertThat(framer.heldBytes()).isZero();
    }

    @Test
    void pipelinedRequests_areCutApart() {
        feed("POST /1 HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcGET /2 HTTP/1.1\r\n\r\nGET /3 HTTP/1.0\r\n\r\n");

        assertThat(events.outline()).isEqualTo("head body end head end head end");
        assertThat(events.log()).contains("body abc");
    }

    @Test
    void chunkedBody_isUnpackedWithExtensionsAndTrailers() {
        feed("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n");
        feed("5;name=\"va;lue\"\r\nhello\r\n00A \r\n, chunked!\r\n0\r\nX-Sum: 7\r\n\r\nGET / HTTP/1.1\r\n\r\n");

        assertThat(events.outline()).isEqualTo("head body trailers end head end");
        assertThat(events.log()).contains("body hello, chunked!", "trailers [Header[name=X-Sum, value=7]]");
    }

    @Test
    void chunkedBody_accountsForEveryByteAfterEachFeed() {
        feed("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n");
        String body = "5;x=y\r\nhello\r\n0\r\nA: b\r\n\r\n";
        for (int i = 0; i < body.length(); i++) {
            long before = events.accounted;
            feed(body.substring(i, i + 1));
            assertThat(events.accounted).as("after byte %d", i).isEqualTo(before + 1);
        }
        assertThat(events.outline()).isEqualTo("head body trailers end");
    }

    @Test
    void emptyLinesBeforeARequest_areTaken() {
        feed("\r\n\nGET / HTTP/1.1\r\n\r\n");
        framer.end();

        assertThat(events.outline()).isEqualTo("head end");
        assertThat(events.accounted).isEqualTo(21);
    }

    @Test
    void bareLineFeeds_endLines() {
        feed("POST / HTTP/1.1\nTransfer-Encoding: chunked\n\n3\nabc\n0\n\n");

        assertThat(events.outline()).isEqualTo("head body end");
    }

    @Test
    void foldedHeader_becomesOneLine() {
        feed("GET / HTTP/1.1\r\nX-Long: one\r\n  two\r\n\tthree \r\nY: z\r\n\r\n");

        assertThat(events.heads.get(0).first("x-long")).isEqualTo("one two three");
    }

    @Test
    void repeatedEqualContentLength_isOne() {
        feed("POST / HTTP/1.1\r\nContent-Length: 2, 2\r\nContent-Length: 2\r\n\r\nabGET / HTTP/1.1\r\n\r\n");

        assertThat(events.outline()).isEqualTo("head body end head end");
    }

    @Test
    void expectContinue_waitsForItsBody() {
        feed("PUT / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
        assertThat(events.outline()).isEqualTo("head");
        feed("ok");
        assertThat(events.outline()).isEqualTo("head body end");
    }

    @Test
    void upgradeRequest_staysHttpUntilLeft() {
        feed("GET / HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nGET /2 HTTP/1.1\r\n\r\n");
        framer.leave("upgrade to websocket");
        feed("GET /3 HTTP/1.1\r\n\r\n");

        assertThat(events.outline()).isEqualTo("head end head end unframed upgrade to websocket");
    }

    @Test
    void connect_isFollowedByATunnel() {
        feed("CONNECT db:5432 HTTP/1.1\r\nHost: db:5432\r\n\r\nGET / HTTP/1.1\r\n\r\n");

        assertThat(events.outline()).isEqualTo("head end unframed tunnel");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 3\r\nContent-Length: 4",
                "Content-Length: 3\r\nTransfer-Encoding: chunked",
                "Content-Length: -3",
                "Content-Length: +3",
                "Content-Length:",
                "Content-Length: 3,",
                "Content-Length: 9999999999999999999",
                "Transfer-Encoding: chunked, gzip",
                "Transfer-Encoding: chunked, chunked",
                "Transfer-Encoding: xchunked",
                "Transfer-Encoding: gzip",
                "Transfer-Encoding:",
                "Host : x",
                ": x",
                "nocolon",
                "Na me: x",
                "X: a\rb",
                "X: a\0b",
                "X: \u0007",
            })
    void ambiguousOrMalformedHeader_leavesTheConnectionUnframed(String header) {
        feed("POST / HTTP/1.1\r\n" + header + "\r\n\r\nabcd");
        framer.end();

        assertThat(events.heads).isEmpty();
        assertThat(events.outline()).startsWith("unframed ");
        assertThat(events.accounted).isEqualTo(17 + header.length() + 8);
    }

    @ParameterizedTest
    @CsvSource({
        "'GET / HTTP/1.1 \r\n', malformed request line",
        "'GET /a b HTTP/1.1\r\n', malformed request line",
        "'GET  HTTP/1.1\r\n', malformed request line",
        "'GET /\r\n', malformed request line",
        "'PING\r\n', malformed request line",
        "'GET / HTTP/2.1\r\n', not HTTP/1.x",
        "'PRI * HTTP/2.0\r\n', HTTP/2",
        "'G(T / HTTP/1.1\r\n', malformed request line",
        "' GET / HTTP/1.1\r\n', not HTTP",
        "'\u0016\u0003\u0001', not HTTP",
        "'GET / HTTP/1.1\r\n X: y\r\n', blank before the first header",
    })
    void otherStartLines_areRefusedAtOnce(String start, String reason) {
        feed(start);

        // CSV strips the blanks of an unquoted cell only
        assertThat(events.outline()).isEqualTo("unframed " + reason);
        assertThat(events.accounted).isEqualTo(start.length());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"g\r\n", "\r\n", ";x\r\n", "5 5\r\n", "-1\r\n", "1000000000000000\r\n", "1\r\nabc", "1\r\na\rb"})
    void malformedChunk_leavesTheConnectionUnframed(String chunk) {
        feed("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n");
        feed(chunk);

        assertThat(events.outline()).contains("unframed").doesNotContain("end");
        assertThat(events.accounted).isEqualTo(47 + chunk.length());
    }

    @Test
    void headAtTheLimit_isFramedAndOneByteMoreIsNot() {
        String head = "GET / HTTP/1.1\r\nX: 12345678\r\n\r\n";
        for (int limit : new int[] {head.length(), head.length() - 3}) {
            Events<RequestHead> seen = new Events<>();
            new HttpRequestFramer(seen, limit).feed(ByteBuffer.wrap(Events.bytes(head)));
            assertThat(seen.outline())
                    .isEqualTo(limit == head.length() ? "head end" : "unframed line or head too long");
        }
    }

    @Test
    void endWithinAMessage_isUnframed() {
        feed("POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nab");
        framer.end();
        assertThat(events.outline()).isEqualTo("head body unframed ended within a body");

        Events<RequestHead> second = new Events<>();
        HttpRequestFramer other = new HttpRequestFramer(second);
        other.feed(ByteBuffer.wrap(Events.bytes("POST / HT")));
        other.end();
        assertThat(second.outline()).isEqualTo("unframed ended within a head");
        assertThat(second.accounted).isEqualTo(9);
    }

    @Test
    void headers_areReplacedAndDroppedByName_inAnyCase() {
        RequestHead head = new RequestHead("GET", "/x", "HTTP/1.1", List.of(new Header("A", "b")));

        assertThat(head.with("C", "d").with("a", "e").without("c").headers()).containsExactly(new Header("A", "e"));
    }

    @Test
    void header_refusesLineEnds() {
        assertThatThrownBy(() -> new Header("X", "a\r\nY: b")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Header("X\n", "a")).isInstanceOf(IllegalArgumentException.class);
    }
}
