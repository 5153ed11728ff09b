package dev.understudy.divergence.compare.http;

import com.github.luben.zstd.Zstd;
import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Noise;
import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.divergence.compare.Verdict;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.understudy.divergence.compare.VerdictKind.DIFFERENT;
import static dev.understudy.divergence.compare.VerdictKind.EQUIVALENT;
import static dev.understudy.divergence.compare.VerdictKind.NOT_COMPARED;
import static dev.understudy.divergence.compare.VerdictKind.SAME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/** Bodies of the same content, compressed by each side with a level of its own, and how a wrong total shows. */
class BodyEncodingTest {
    private static final String JSON = "application/json";

    private final Replies replies = new Replies();

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "x-gzip", "GZIP", "members", "deflate", "raw", "br", "zstd", "frames", "gzip, br"})
    void content_isComparedWhateverCompressesIt(String how) throws IOException {
        byte[] production = coded(how, content(Replies.NOON + "", "123.45"), true);
        byte[] debug = coded(how, content(Replies.LATER + "", "123.45"), false);
        byte[] wrong = coded(how, content(Replies.LATER + "", "124.45"), false);

        Verdict equivalent = compare(header(how), production, header(how), debug);
        Verdict different = compare(header(how), production, header(how), wrong);

        assertThat(equivalent.kind()).isEqualTo(EQUIVALENT);
        assertThat(different.kind()).isEqualTo(DIFFERENT);
        assertThat(different.differences())
                .filteredOn(difference -> difference.noise() == null)
                .extracting(Difference::path, Difference::production, Difference::debug)
                .containsExactly(tuple("body.total", "123.45", "124.45"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "members", "deflate", "raw", "zstd", "frames"})
    void equalContent_compressedInAnotherWay_isNoise(String how) throws IOException {
        byte[] content = content(Replies.NOON + "", "1");

        Verdict verdict = compare(header(how), coded(how, content, true), header(how), coded(how, content, false));

        assertThat(verdict.kind()).isEqualTo(EQUIVALENT);
        assertThat(verdict.differences()).extracting(Difference::noise).contains(Noise.COMPRESSION);
    }

    @ParameterizedTest
    @ValueSource(strings = {"compress", "aws-chunked", "br-dict", "utf-8", "gzip, compress", "dcz"})
    void anyOtherEncoding_isNotCompared_andNamed(String name) {
        byte[] production = "one content of a kind".getBytes(StandardCharsets.UTF_8);
        byte[] debug = "one other of its kind".getBytes(StandardCharsets.UTF_8);

        Verdict verdict = compare(name, production, name, debug);

        assertThat(verdict.kind()).isEqualTo(NOT_COMPARED);
        assertThat(verdict.reason()).isEqualTo(NotCompared.ENCODING);
        assertThat(verdict.differences())
                .allSatisfy(found -> assertThat(found.noise()).isNotNull());
        assertThat(verdict.differences())
                .filteredOn(difference -> difference.path().equals("body"))
                .singleElement()
                .satisfies(found -> assertThat(found.debug()).startsWith(name + ", which isn't read"));
        assertThat(compare(name, production, name, production)).isEqualTo(Verdict.SAME);
    }

    @Test
    void statusOfUnreadBodies_stillMatters_andEntityTagsAreNoIdentities() {
        String head = "HTTP/1.1 %s\r\nContent-Encoding: compress\r\nETag: \"%s\"\r\nContent-Length: 1\r\n\r\n%s";

        Verdict status =
                replies.compare(String.format(head, "200 OK", "a", "a"), String.format(head, "201 Created", "a", "b"));
        Verdict tag = replies.compare(
                String.format(head, "200 OK", "0f1e2d3c4b5a69788796a5b4c3d2e1f0", "a"),
                String.format(head, "200 OK", "f9e8d7c6b5a493827160514233445566", "b"));

        assertThat(status.kind()).isEqualTo(DIFFERENT);
        assertThat(status.reason()).isEqualTo(NotCompared.ENCODING);
        assertThat(tag.kind()).isEqualTo(DIFFERENT);
        assertThat(tag.differences().get(0).path()).isEqualTo("header.ETag");
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "members", "deflate", "raw", "br", "zstd"})
    void damagedOrCutOffContent_isADifferenceToWholeOne_andNotComparedToAnother(String how) throws IOException {
        byte[] production = coded(how, content(Replies.NOON + "", "123.45"), true);
        byte[] whole = coded(how, content(Replies.LATER + "", "123.45"), false);

        for (byte[] debug : new byte[][] {
            Arrays.copyOf(whole, whole.length - 1),
            Arrays.copyOf(whole, whole.length / 2),
            Arrays.copyOf(whole, whole.length + 1)
        }) {
            Verdict verdict = compare(header(how), production, header(how), debug);

            assertThat(verdict.kind()).isEqualTo(DIFFERENT);
            assertThat(verdict.differences())
                    .filteredOn(difference -> difference.noise() == null)
                    .singleElement()
                    .satisfies(difference -> {
                        assertThat(difference.path()).isEqualTo("body");
                        assertThat(difference.debug()).contains(header(how) + ", damaged or cut off");
                    });

            byte[] alike = Arrays.copyOf(production, production.length - 1);
            Verdict both = compare(header(how), alike, header(how), debug);
            assertThat(both.kind()).isEqualTo(NOT_COMPARED);
            assertThat(both.reason()).isEqualTo(NotCompared.ENCODING);
            assertThat(both.differences().toString()).contains(header(how) + ", damaged or cut off");
        }
    }

    @Test
    void bodyOfOneSideOnly_isADifference_whateverItsEncoding() throws IOException {
        assertThat(compare("br", coded("br", content(Replies.NOON + "", "123.45"), true), "br", new byte[0])
                        .kind())
                .isEqualTo(DIFFERENT);
        assertThat(compare("compress", new byte[] {1}, "compress", new byte[0]).kind())
                .isEqualTo(DIFFERENT);
    }

    @Test
    void encodingOfOneSideOnly_isADifference_andTheContentIsComparedToo() throws IOException {
        byte[] production = coded("gzip", content(Replies.NOON + "", "123.45"), true);
        byte[] debug = coded("br", content(Replies.LATER + "", "124.45"), false);

        assertThat(compare("gzip", production, "br", debug).differences())
                .filteredOn(difference -> difference.noise() == null)
                .extracting(Difference::path)
                .containsExactly("header.Content-Encoding", "body.total");
        assertThat(compare("gzip", production, "identity", content(Replies.LATER + "", "123.45"))
                        .differences())
                .filteredOn(difference -> difference.noise() == null)
                .extracting(Difference::path)
                .containsExactly("header.Content-Encoding");
    }

    @Test
    void contentOfNoKnownType_differsAtAByteOfTheContent() throws IOException {
        byte[] content = new byte[5000];
        byte[] other = content.clone();
        other[4711] = 1;

        Verdict verdict = replies.comparison.compare(
                reply("image/png", "zstd", coded("zstd", content, true), 1 << 20),
                reply("image/png", "zstd", coded("zstd", other, false), 1 << 20));

        assertThat(verdict.kind()).isEqualTo(DIFFERENT);
        assertThat(verdict.differences().get(0).production())
                .startsWith("5000 bytes")
                .endsWith("differs at byte 4711");
    }

    @Test
    void bombsOfAnyEncoding_areTooLarge_neverDifferent() throws IOException {
        byte[] zeros = new byte[64 << 20];
        byte[] brotli = Base64.getDecoder()
                .decode(
                        "y///PwAkAOKxQHLv//j//weABEAcFoDu/R////8AkACIwwLQvf/j//8fABIAcVgAuvd//P//A0ACIA4LQPf+j///fwBIAMRhAeje//H//w8ACYA4LADd+z/+//8BIAEQhwWge/83");
        byte[] zstandard = Zstd.compress(zeros, 1);
        byte[] gzip = gzip(zeros, 9);

        assertTooLarge("br", brotli, "identity", content("", "1"));
        assertTooLarge("zstd", zstandard, "zstd", Zstd.compress(zeros, 3));
        assertTooLarge("gzip", gzip, "gzip", gzip(zeros, 1));
        assertTooLarge("gzip, gzip", gzip(gzip, 9), "gzip, gzip", gzip(gzip, 1));
    }

    @Test
    void compressedBodies_thatArentHeld_areTooLarge_unlessTheyAreEqual() throws IOException {
        byte[] production = coded("gzip", content(Replies.NOON + "", "123.45"), true);
        byte[] debug = coded("gzip", content(Replies.NOON + "", "123.45"), false);

        Verdict verdict =
                replies.comparison.compare(reply(JSON, "gzip", production, 20), reply(JSON, "gzip", debug, 20));
        Verdict equal =
                replies.comparison.compare(reply(JSON, "gzip", production, 20), reply(JSON, "gzip", production, 20));

        assertThat(verdict.reason()).isEqualTo(NotCompared.TOO_LARGE);
        assertThat(equal.kind()).isEqualTo(SAME);
    }

    private void assertTooLarge(String coding, byte[] production, String other, byte[] debug) {
        Verdict verdict = compare(coding, production, other, debug);
        assertThat(verdict.reason()).isEqualTo(NotCompared.TOO_LARGE);
        assertThat(verdict.differences())
                .filteredOn(difference -> difference.path().equals("body"))
                .singleElement()
                .satisfies(found -> assertThat(found.production()).startsWith(coding + ", too large"));
    }

    private Verdict compare(String coding, byte[] production, String other, byte[] debug) {
        return replies.comparison.compare(
                reply(JSON, coding, production, 1 << 20),
                Replies.reply(wire(JSON, other, debug), Replies.LATER, 1 << 20));
    }

    private static HttpReply reply(String type, String coding, byte[] body, int maxBody) {
        return Replies.reply(wire(type, coding, body), Replies.NOON, maxBody);
    }

    private static byte[] wire(String type, String coding, byte[] body) {
        ByteArrayOutputStream wire = new ByteArrayOutputStream();
        wire.writeBytes(("HTTP/1.1 200 OK\r\nContent-Type: " + type
                        + (coding.equals("identity") ? "" : "\r\nContent-Encoding: " + coding) + "\r\nContent-Length: "
                        + body.length + "\r\n\r\n")
                .getBytes(StandardCharsets.UTF_8));
        wire.writeBytes(body);
        return wire.toByteArray();
    }

    /** The name that a header has for it. */
    private static String header(String how) {
        return switch (how) {
            case "members" -> "gzip";
            case "raw" -> "deflate";
            case "frames" -> "zstd";
            default -> how;
        };
    }

    /** Compressed as production does, or as debug does. */
    private static byte[] coded(String how, byte[] content, boolean production) throws IOException {
        int part = content.length / (production ? 3 : 2);
        byte[] first = Arrays.copyOf(content, part);
        byte[] rest = Arrays.copyOfRange(content, part, content.length);
        return switch (how) {
            case "members" -> joined(gzip(first, 6), gzip(rest, 6));
            case "deflate", "raw" -> deflate(content, how.equals("raw"), production ? 9 : 1);
            case "zstd" -> Zstd.compress(content, production ? 19 : 1);
            case "frames" -> joined(Zstd.compress(first, 3), Zstd.compress(rest, 3));
            case "br" -> BrotliBodies.of(content, production);
            case "gzip, br" -> BrotliBodies.stored(gzip(content, production ? 9 : 1));
            default -> gzip(content, production ? 9 : 1);
        };
    }

    private static byte[] content(String at, String total) {
        StringBuilder items = new StringBuilder();
        for (int i = 0; i < 40; i++) {
            items.append(i == 0 ? "" : ", ").append("{\"sku\": \"A-" + i + "\", \"qty\": " + i * 3 % 7 + "}");
        }
        return ("{\"items\": [" + items + "], \"at\": \"" + at + "\", \"total\": " + total + "}")
                .getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] joined(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    private static byte[] deflate(byte[] content, boolean raw, int level) throws IOException {
        Deflater deflater = new Deflater(level, raw);
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        try (DeflaterOutputStream out = new DeflaterOutputStream(body, deflater)) {
            out.write(content);
        } finally {
            deflater.end();
        }
        return body.toByteArray();
    }

    private static byte[] gzip(byte[] content, int level) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(body) {
            {
                def.setLevel(level);
            }
        }) {
            out.write(content);
        }
        return body.toByteArray();
    }
}
