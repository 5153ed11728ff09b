package dev.understudy.sidecar.record;

import dev.understudy.relay.http2.Talk;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class RequestLinesTest {
    private static List<String> lines(byte[] bytes, int piece) {
        RequestLines lines = new RequestLines();
        for (int at = 0; at < bytes.length; at += piece) {
            lines.feed(ByteBuffer.wrap(bytes, at, Math.min(piece, bytes.length - at)), 1);
        }
        return lines.lines().stream()
                .map(line -> line.method() + " " + line.target())
                .toList();
    }

    @Test
    void requestsOfBothVersions_areListed_howeverTheyCame() {
        byte[] http1 = "PROPFIND /a HTTP/1.1\r\n\r\nGET /b HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        byte[] http2 = Talk.make().requests;
        for (int piece : new int[] {1, 7, 100_000}) {
            assertThat(lines(http1, piece)).containsExactly("PROPFIND /a", "GET /b");
            assertThat(lines(http2, piece)).containsExactly("GET /get?a=1", "POST /post", "POST /test.Echo/once");
        }
    }
}
