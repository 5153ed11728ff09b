package dev.understudy.divergence.wire.http;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class HttpReplyFramerTest {
    private final Events<ReplyHead> events = new Events<>();
    private final HttpReplyFramer framer = new HttpReplyFramer(events);

    private void feed(String text) {
        framer.feed(ByteBuffer.wrap(Events.bytes(text)));
    }

    @Test
    void statusLine_isReadWithAndWithoutReason() {
        feed("HTTP/1.1 200 All right\r\nContent-Length: 0\r\n\r\nHTTP/1.1 404 \r\nContent-Length: 0\r\n\r\n");
        feed("HTTP/1.0 500\r\nContent-Length: 0\r\n\r\n");

        assertThat(events.heads).extracting(ReplyHead::status).containsExactly(200, 404, 500);
        assertThat(events.heads).extracting(ReplyHead::reason).containsExactly("All right", "", "");
        assertThat(events.outline()).isEqualTo("head end head end head end");
    }

    @Test
    void repliesWithoutBody_endWithTheirHead() {
        framer.expect("HEAD");
        framer.expect("GET");
        framer.expect("GET");
        feed("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n");
        feed("HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 304 Not Modified\r\nContent-Length: 99\r\n\r\n");

        assertThat(events.outline()).isEqualTo("head end head end head end");
    }

    @Test
    void interimReplies_areNotTheReply() {
        framer.expect("HEAD");
        feed("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n");
        feed("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n");

        assertThat(events.outline()).isEqualTo("interim interim head end");
    }

    @Test
    void bodyWithoutLength_lastsUntilTheEnd() {
        feed("HTTP/1.1 200 OK\r\n\r\nab");
        feed("cd");
        assertThat(events.outline()).isEqualTo("head body");
        framer.end();
        assertThat(events.outline()).isEqualTo("head body end");
    }

    @Test
    void transferCodingOtherThanChunked_lastsUntilTheEnd() {
        feed("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nab");
        framer.end();

        assertThat(events.outline()).isEqualTo("head body end");
    }

    @Test
    void switchingProtocols_leavesHttp() {
        framer.expect("GET");
        feed("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n\u0081\u0005hello");

        assertThat(events.outline()).isEqualTo("head end unframed upgrade to websocket");
    }

    @Test
    void connect_tunnelsOnlyIfAccepted() {
        framer.expect("CONNECT");
        framer.expect("CONNECT");
        feed("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 2\r\n\r\nno");
        feed("HTTP/1.1 200 OK\r\n\r\nbytes");

        assertThat(events.outline()).isEqualTo("head body end head end unframed tunnel");
    }

    @Test
    void blankBeforeColon_isRemovedFromReplies() {
        feed("HTTP/1.1 200 OK\r\nContent-Length : 1\r\n\r\nx");

        assertThat(events.heads.get(0).headers()).containsExactly(new Header("Content-Length", "1"));
        assertThat(events.outline()).isEqualTo("head body end");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "+OK\r\n",
                "\r\n",
                "HTTP/1.1 20 OK\r\n",
                "HTTP/1.1 2000\r\n",
                "HTTP/1.1 099 x\r\n",
                "HTTP/1.1 2x0 x\r\n",
                "HTTP/1.1_200 x\r\n",
                "HTTP/2.0 200 x\r\n",
                "HTTP/1.1\r\n"
            })
    void otherStartLines_areRefusedAtOnce(String start) {
        feed(start);

        assertThat(events.outline()).startsWith("unframed ");
        assertThat(events.accounted).isEqualTo(start.length());
    }

    @Test
    void cutOffChunkedBody_isUnframed() {
        feed("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
        framer.end();

        assertThat(events.outline()).isEqualTo("head body unframed ended within a body");
    }

    @Test
    void bytesAfterTheEnd_areUnframed() {
        feed("HTTP/1.1 200 OK\r\n\r\nab");
        framer.end();
        feed("more");

        assertThat(events.outline()).isEqualTo("head body end unframed bytes after the end");
    }
}
