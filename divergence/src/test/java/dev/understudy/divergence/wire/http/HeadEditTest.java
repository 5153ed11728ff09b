package dev.understudy.divergence.wire.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What a head doesn't say stays as the client sent it. */
final class HeadEditTest {
    private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "GET / HTTP/1.1|Host: a|X-Folded: one|  two|",
                "||GET / HTTP/1.1|Host:a|",
                "GET / HTTP/1.1|hOST:\\t a  |x-empty:|",
                "get /a?b=c HTTP/1.0|",
                "GET / HTTP/1.1|Host: a|Host: b|"
            })
    void anyHead_keepsItsBytes_besideWhatIsAdded(String lines) {
        for (String end : List.of("\r\n", "\n")) {
            String raw = lines.replace("\\t", "\t").replace("|", end) + end;
            RequestHead head = read(raw);
            String edited = edit(raw, head, head.with("traceparent", TRACE));
            assertThat(edited)
                    .isEqualTo(raw.substring(0, raw.length() - end.length()) + "traceparent: " + TRACE + end + end);
        }
    }

    @Test
    void headOfMixedLineEnds_keepsThem() {
        String raw = "GET / HTTP/1.1\r\nA: 1\nB: 2\r\n\n";
        RequestHead head = read(raw);
        assertThat(edit(raw, head, head.with("T", "x"))).isEqualTo("GET / HTTP/1.1\r\nA: 1\nB: 2\r\nT: x\r\n\n");
    }

    @Test
    void values_areReplacedInTheirPlace() {
        String raw =
                "\r\nGET /orders/1?x=1 HTTP/1.1\nCookie:\t a=1 \r\nTraceparent: old\r\ntraceparent: older\r\nB:2\r\n\r\n";
        RequestHead head = read(raw);
        RequestHead is = new RequestHead("GET", "/orders/2?x=1", "HTTP/1.1", head.headers())
                .with("Cookie", "a=22")
                .with("traceparent", TRACE);
        assertThat(edit(raw, head, is))
                .isEqualTo(
                        "\r\nGET /orders/2?x=1 HTTP/1.1\nCookie:\t a=22 \r\nTraceparent: " + TRACE + "\r\nB:2\r\n\r\n");
    }

    @Test
    void foldedValue_isLeftAlone() {
        String raw = "GET / HTTP/1.1\r\nCookie: a=1;\r\n b=2\r\n\r\n";
        RequestHead head = read(raw);
        assertThat(edit(raw, head, head.with("Cookie", "a=3; b=2"))).isNull();
    }

    @Test
    void otherMethod_isNoEdit() {
        String raw = "GET / HTTP/1.1\r\n\r\n";
        assertThat(edit(raw, read(raw), new RequestHead("PUT", "/", "HTTP/1.1", List.of())))
                .isNull();
    }

    @Test
    void anyHeadThatIsRead_isReadAsItShallBe() {
        for (int seed = 0; seed < 20_000; seed++) {
            Random random = new Random(seed);
            String raw = random(random);
            RequestHead head = readOrNull(raw);
            if (head != null) {
                RequestHead is = head.with("traceparent", TRACE);
                String edited = edit(raw, head, is);
                assertThat(readOrNull(String.valueOf(edited)))
                        .as("seed %d: %s", seed, raw)
                        .isEqualTo(is);
            }
        }
    }

    private static String random(Random random) {
        StringBuilder head = new StringBuilder(random.nextInt(4) == 0 ? "\r\n" : "");
        head.append("GET /").append(random.nextInt(9)).append(" HTTP/1.1").append(end(random));
        for (int i = random.nextInt(5); i > 0; i--) {
            String[] names = {"A", "b", "Traceparent", "traceparent", "Host"};
            head.append(names[random.nextInt(names.length)])
                    .append(':')
                    .append(" ".repeat(random.nextInt(3)))
                    .append(random.nextInt(3) == 0 ? "" : "v" + random.nextInt(9))
                    .append("\t".repeat(random.nextInt(2)))
                    .append(end(random));
            if (random.nextInt(5) == 0
                    && !head.toString().toLowerCase(Locale.ROOT).contains("trace")) {
                head.append(" more").append(end(random));
            }
        }
        return head.append(end(random)).toString();
    }

    private static String end(Random random) {
        return random.nextInt(3) == 0 ? "\n" : "\r\n";
    }

    private static @Nullable String edit(String raw, RequestHead was, RequestHead is) {
        byte[] edited = HeadEdit.apply(raw.getBytes(StandardCharsets.ISO_8859_1), was, is);
        return edited == null ? null : new String(edited, StandardCharsets.ISO_8859_1);
    }

    private static RequestHead read(String raw) {
        return Objects.requireNonNull(readOrNull(raw), raw);
    }

    private static @Nullable RequestHead readOrNull(String raw) {
        List<RequestHead> heads = new ArrayList<>();
        HttpRequestFramer framer = new HttpRequestFramer(new HttpSink<>() {
            @Override
            public void head(RequestHead head, int rawLength) {
                heads.add(head);
            }

            @Override
            public void body(ByteBuffer content, int rawLength) {}

            @Override
            public void trailers(List<Header> trailers) {}

            @Override
            public void end() {}

            @Override
            public void unframed(String reason, int rawLength) {}
        });
        framer.feed(ByteBuffer.wrap(raw.getBytes(StandardCharsets.ISO_8859_1)));
        return heads.isEmpty() ? null : heads.get(0);
    }
}
