package dev.understudy.aggregator.http;

import dev.understudy.aggregator.http.stub.StubRequest;
import dev.understudy.aggregator.live.LiveRead.Progress;
import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.RequestHead;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class HttpStandinCallTest {
    @Test
    void request_isAsItWasSent_butForWhatConcernsItsConnection() {
        HttpStandinCall call = call(
                "PATCH",
                "{}",
                "Host: orders",
                "Connection: keep-alive, X-Hop",
                "X-Hop: 1",
                "Keep-Alive: timeout=5",
                "Transfer-Encoding: chunked",
                "Expect: 100-continue",
                "Cookie: a=b",
                "X-HTTP-Method-Override: DELETE");

        assertThat(new String(call.request(), StandardCharsets.US_ASCII)).isEqualTo("""
                PATCH /orders/7?full=1 HTTP/1.1\r
                Host: orders\r
                Cookie: a=b\r
                X-HTTP-Method-Override: DELETE\r
                Content-Length: 2\r
                Connection: close\r
                \r
                {}""");
    }

    @Test
    void requestWithoutABody_saysNoLength_unlessItDid() {
        assertThat(new String(call("GET", "").request(), StandardCharsets.US_ASCII))
                .doesNotContainIgnoringCase("content-length");
        assertThat(new String(call("POST", "", "Content-Length: 0").request(), StandardCharsets.US_ASCII))
                .contains("Content-Length: 0\r\n");
    }

    @Test
    void reply_isMarked_inPlaceOfAMarkThatItHas() {
        HttpStandinCall call = call("GET", "");

        assertThat(feed(call, "HTTP/1.1 200 OK\r\nUnderstudy-Standin: maybe\r\nContent-Length: 2\r\n\r\no"))
                .isEqualTo(Progress.INCOMPLETE);
        assertThat(feed(call, "k")).isEqualTo(Progress.COMPLETE);

        assertThat(call.reply().head().all("understudy-standin")).containsExactly("true");
        assertThat(call.reply().body()).asString().isEqualTo("ok");
    }

    @Test
    void chunksAndTheirTrailers_areGivenAsSuch() {
        HttpStandinCall call = call("GET", "");

        assertThat(feed(call, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nT: 1\r\n\r\n"))
                .isEqualTo(Progress.COMPLETE);

        assertThat(call.reply().framing()).isEqualTo(HttpAnswer.Framing.CHUNKED);
        assertThat(call.reply().trailers()).containsExactly(new Header("T", "1"));
    }

    @Test
    void bodyThatWasNotKept_isNotSent() {
        RequestHead head = new RequestHead("POST", "/", "HTTP/1.1", List.of());

        assertThat(HttpStandinCall.of(new StubRequest(head, null))).isNull();
    }

    @Test
    void upgradeAndBrokenHeads_areNoReplies() {
        assertThat(feed(call("GET", ""), "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"))
                .isEqualTo(Progress.BROKEN);
        assertThat(feed(call("GET", ""), "HTTP/1.1 200 OK\r\nX: " + "y".repeat(70_000)))
                .as("a head without an end")
                .isEqualTo(Progress.BROKEN);
        HttpStandinCall cutOff = call("GET", "");
        feed(cutOff, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort");
        assertThat(cutOff.end()).isEqualTo(Progress.BROKEN);
    }

    private static Progress feed(HttpStandinCall call, String bytes) {
        return call.feed(ByteBuffer.wrap(bytes.getBytes(StandardCharsets.US_ASCII)));
    }

    private static HttpStandinCall call(String method, String body, String... headers) {
        List<Header> read = Arrays.stream(headers)
                .map(line -> line.split(": ", 2))
                .map(parts -> new Header(parts[0], parts[1]))
                .toList();
        RequestHead head = new RequestHead(method, "/orders/7?full=1", "HTTP/1.1", read);
        return Objects.requireNonNull(
                HttpStandinCall.of(new StubRequest(head, body.getBytes(StandardCharsets.US_ASCII))));
    }
}
