package dev.understudy.sidecar.frame.http;

import dev.understudy.sidecar.tee.RequestStart;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

import static dev.understudy.sidecar.tee.RequestStart.Look.MORE;
import static dev.understudy.sidecar.tee.RequestStart.Look.NO;
import static dev.understudy.sidecar.tee.RequestStart.Look.YES;
import static org.assertj.core.api.Assertions.assertThat;

final class HttpRequestStartTest {
    private static final Pattern REQUEST_LINE = Pattern.compile(
            "[A-Za-z0-9!#$%&'*+\\-.^_`|~]{1,32} [^\\x00-\\x20\\x7f-\\xff]+ HTTP/1\\.[01]\\r?\\n.*", Pattern.DOTALL);

    @Test
    void requestLines_areRecognised() {
        assertThat(look("GET / HTTP/1.1\r\nHost: a\r\n\r\n")).isEqualTo(YES);
        assertThat(look("M-SEARCH * HTTP/1.0\n")).isEqualTo(YES);
        assertThat(look("CONNECT a:443 HTTP/1.1\r\n")).isEqualTo(YES);
    }

    @Test
    void otherBytes_areNot() {
        for (String text : new String[] {
            "HTTP/1.1 200 OK\r\n",
            "\r\nGET / HTTP/1.1\r\n",
            " GET / HTTP/1.1\r\n",
            "GET  / HTTP/1.1\r\n",
            "GET / HTTP/2.0\r\n",
            "GET / HTTP/1.1 \r\n",
            "GET / HTTP/1.12\r\n",
            "{\"a\": 1}",
            "\u0081\u0085",
            "5\r\nhello\r\n",
            "A".repeat(40) + " / HTTP/1.1\r\n",
            "GET /" + "a".repeat(9000) + " HTTP/1.1\r\n"
        }) {
            assertThat(look(text)).as(text).isEqualTo(NO);
        }
    }

    @Test
    void everyPrefix_wantsMore() {
        String line = "GET /orders?x=1 HTTP/1.1\r\n";
        for (int length = 0; length < line.length(); length++) {
            assertThat(look(line.substring(0, length))).as("%d bytes", length).isEqualTo(MORE);
        }
    }

    @Test
    void randomBytes_areTakenOnlyIfTheyAreARequestLine() {
        String[] parts = {"GET", " ", "/a", " ", "HTTP/1.", "1", "\r\n"};
        String[] others = {"", " ", "POST", "\r", "\n", "0", "2", "\t", "\u00e9", "\u0000", "/", "HTTP/1.1", "(x)"};
        int taken = 0;
        for (long seed = 1; seed <= 50_000; seed++) {
            Random random = new Random(seed);
            StringBuilder text = new StringBuilder();
            for (String part : parts) {
                text.append(random.nextInt(5) == 0 ? others[random.nextInt(others.length)] : part);
            }
            boolean yes = look(text.toString()) == YES;
            taken += yes ? 1 : 0;
            assertThat(yes)
                    .as("seed " + seed + ": " + text)
                    .isEqualTo(REQUEST_LINE.matcher(text).matches());
        }
        assertThat(taken).as("the parts make request lines now and then").isGreaterThan(1000);
    }

    private static RequestStart.Look look(String text) {
        return HttpRequestStart.look(ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1)));
    }
}
