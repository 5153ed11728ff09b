package dev.understudy.aggregator.http.form;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.RequestHead;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class MultipartBodyTest {
    private static final Pattern REST = Pattern.compile("--[ \t]*(\r\n|\\z)|[ \t]*\r\n");
    private static final String NOTHING_ODD = "'()+_,-./:=?0Az";

    @Test
    void anotherBoundary_isTheSameForm() {
        Form form = form("multipart/form-data; boundary=one", upload("one", "text"));

        assertThat(form("multipart/form-data; boundary=another", upload("another", "text")))
                .isEqualTo(form);
        assertThat(form.text()).contains("of multipart/form-data #").doesNotContain("boundary");
    }

    @Test
    void contentPartsAndType_count() {
        Form form = form("multipart/form-data; boundary=b", upload("b", "text"));

        assertThat(form("multipart/form-data; boundary=b", upload("b", "texts")))
                .isNotEqualTo(form);
        assertThat(form("multipart/form-data; boundary=b", upload("b", "text", "")))
                .isNotEqualTo(form);
        assertThat(form("multipart/mixed; boundary=b", upload("b", "text"))).isNotEqualTo(form);
        assertThat(form("multipart/form-data; boundary=b; charset=utf-8", upload("b", "text")))
                .isNotEqualTo(form);
    }

    @Test
    void bodyThatHasItsBoundaryElsewhere_countsAsItIs() {
        assertThat(form("multipart/form-data; boundary=one", upload("one", "one")))
                .isNotEqualTo(form("multipart/form-data; boundary=two", upload("two", "two")))
                .isNotEqualTo(form("multipart/form-data; boundary=two", upload("two", "one")));
        assertThat(form("multipart/form-data; boundary=one", "nothing"))
                .isNotEqualTo(form("multipart/form-data; boundary=two", "nothing"));
    }

    @Test
    void everyUsualLetter_mayBeInABoundary() {
        String quoted = "multipart/form-data;\tcharset=\"a;b\" ; BOUNDARY=\"" + NOTHING_ODD + "\"";

        assertThat(form(quoted, upload(NOTHING_ODD, "text")))
                .isEqualTo(form("multipart/form-data;\tcharset=\"a;b\"; boundary=b", upload("b", "text")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "multipart/form-data",
                "multipart/form-data; boundary=",
                "multipart/form-data; boundary=\"\"",
                "multipart/form-data; boundary=\"a b\"",
                "multipart/form-data; boundary=\"a\\b\"",
                "multipart/form-data; boundary=\"a",
                "multipart/form-data; boundary=a; boundary=a",
                "multipart/form-data; boundary=a b",
                "multipart/form-data; boundary=\u00e9",
                "multipart/form-data, multipart/mixed; boundary=a",
                "multipart; boundary=a",
                "text/plain; boundary=a",
            })
    void anyOtherType_hasNoBoundary(String type) {
        assertThat(type(type)).isNull();
    }

    @Test
    void overlongTypes_haveNoBoundary() {
        assertThat(type("multipart/form-data; boundary=" + "a".repeat(70))).isNotNull();
        assertThat(type("multipart/form-data; boundary=" + "a".repeat(71))).isNull();
        assertThat(type("multipart/form-data" + "; a=b".repeat(50_000) + "; boundary=a"))
                .isNull();
        assertThat(type("multipart/form-data; boundary=\"" + "a".repeat(10_000)))
                .isNull();
    }

    @Test
    void twoTypes_haveNoBoundary() {
        Header type = new Header("Content-Type", "multipart/form-data; boundary=a");

        assertThat(MultipartType.of(new RequestHead("POST", "/", "HTTP/1.1", List.of(type, type))))
                .isNull();
    }

    /** Equal if and only if a simple model, which has the whole body, finds the same stretches between delimiters. */
    @ParameterizedTest
    @ValueSource(longs = {71, 72, 73})
    void hashes_areEqualWhereTheModelsAre(long seed) throws Exception {
        Random random = new Random(seed);
        List<String> boundaries = List.of("a", "b", "ab", "aab", "a-a", "-a", "--", "aba");
        Map<String, String> modelOf = new HashMap<>();
        Map<String, String> hashOf = new HashMap<>();
        int hashed = 0;
        for (int round = 0; round < 30_000; round++) {
            String boundary = boundaries.get(random.nextInt(boundaries.size()));
            String body = body(random, boundary);
            String model = model(body, boundary);
            String hash = hash(body, boundary, random);
            String where = "seed " + seed + ", round " + round + ": " + body + " by " + boundary;
            assertThat(hash == null).as(where).isEqualTo(model == null);
            if (hash != null && model != null) {
                hashed++;
                assertThat(modelOf.putIfAbsent(hash, model)).as(where).isIn(null, model);
                assertThat(hashOf.putIfAbsent(model, hash)).as(where).isIn(null, hash);
            }
        }
        assertThat(hashed).isGreaterThan(3_000);
        assertThat(hashOf.size()).as("distinct of " + hashed).isBetween(100, hashed - 500);
    }

    private static String body(Random random, String boundary) {
        String[] pieces = {"\r\n", "\r", "\n", "-", "--", " ", "a", "b", "c", boundary, "\r\n--", "x"};
        String delimiter = "\r\n--" + boundary;
        StringBuilder body = new StringBuilder(random.nextBoolean() ? delimiter.substring(2) + "\r\n" : "");
        for (int i = random.nextInt(5); i > 0; i--) {
            boolean delimits = random.nextInt(3) == 0;
            body.append(delimits ? delimiter + "\r\n" : pieces[random.nextInt(pieces.length)]);
        }
        return body.append(random.nextBoolean() ? delimiter + "--" : "").toString();
    }

    private static @Nullable String model(String body, String boundary) {
        StringBuilder stretches = new StringBuilder();
        int from = 0;
        for (int at = body.indexOf(boundary); at >= 0; at = body.indexOf(boundary, at + 1)) {
            boolean begins = ("\r\n" + body.substring(0, at)).endsWith("\r\n--");
            int end = at + boundary.length();
            if (!begins || !REST.matcher(body).region(end, body.length()).lookingAt()) {
                return null;
            }
            stretches.append(body, from, at).append('|');
            from = end;
        }
        return from == 0 ? null : stretches.append(body.substring(from)).toString();
    }

    private static @Nullable String hash(String body, String boundary, Random random) throws Exception {
        MultipartBody parts = new MultipartBody(boundary, MessageDigest.getInstance("SHA-256"));
        byte[] bytes = body.getBytes(StandardCharsets.ISO_8859_1);
        for (int from = 0; from < bytes.length; ) {
            int length = 1 + random.nextInt(bytes.length - from);
            parts.feed(ByteBuffer.wrap(bytes, from, length));
            from += length;
        }
        byte[] digest = parts.digest();
        return digest == null ? null : HexFormat.of().formatHex(digest);
    }

    private static @Nullable MultipartType type(String type) {
        return MultipartType.of(new RequestHead("POST", "/", "HTTP/1.1", List.of(new Header("content-type", type))));
    }

    private static Form form(String type, String body) {
        return HttpFormsTest.form(FormRule.DEFAULT, "POST", "/upload", body, "Content-Type", type);
    }

    private static String upload(String boundary, String... parts) {
        List<String> lines = new ArrayList<>();
        for (String part : parts) {
            lines.add("--" + boundary + "\r\nContent-Disposition: form-data; name=x\r\n\r\n" + part + "\r\n");
        }
        return String.join("", lines) + "--" + boundary + "--\r\n";
    }
}
