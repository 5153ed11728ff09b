package dev.understudy.divergence.compare.http;

import dev.understudy.divergence.compare.ComparisonRules;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.divergence.identity.IdentityMap;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

/** Bodies that a parser chokes on: a verdict that is true, soon, and nothing on standard error. */
final class HostileBodiesTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String JSON = "application/json";
    private static final String XML = "application/xml";

    @Test
    void deepNesting_isCompared_byItsBytesIfNeedBe() {
        for (int depth : new int[] {100, 999, 1001, 100_000, 400_000}) {
            String arrays = "[".repeat(depth) + "1" + "]".repeat(depth);
            String objects = "{\"a\":".repeat(depth) + "1" + "}".repeat(depth);
            String elements = "<a>".repeat(depth) + "1" + "</a>".repeat(depth);
            differs(JSON, arrays, arrays.replace('1', '2'));
            differs(JSON, objects, objects.replace('1', '2'));
            differs(JSON, arrays, arrays + "]");
            differs(XML, elements, elements.replace('1', '2'));
        }
    }

    @Test
    void duplicateKeys_areNeverEquivalent_toAnotherReading() {
        differs(JSON, "{\"a\":1,\"a\":2}", "{\"a\":2,\"a\":1}");
        differs(JSON, "{\"a\":1,\"a\":2}", "{\"a\":2}");
        differs(JSON, "{\"a\":2}", "{\"a\":1,\"a\":2}");
        differs(JSON, "{\"o\":{\"a\":1, \"a\":2}}", "{\"o\":{\"a\":1,\"a\":2}}");
    }

    @Test
    void hugeNumbers_areComparedAsTheyAreWritten() {
        String digits = "9".repeat(100_000);
        differs(JSON, "{\"n\":" + digits + "}", "{\"n\":" + digits + "9}");
        differs(JSON, "{\"n\":1e999999999}", "{\"n\":1e999999998}");
        differs(JSON, "{\"n\":1e-999999999}", "{\"n\":0}");
        differs(JSON, "{\"n\":-0}", "{\"n\":0}");
        differs(JSON, "{\"n\":9007199254740993}", "{\"n\":9007199254740992}");
    }

    @Test
    void malformedTexts_areNeverEquivalentToWellFormedOnes() {
        String token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0NzExIn0.k3bq0q2l0G9kq3y7yXnq3p0mJx3v0N8aD2f1b9c7d6e";
        differs(JSON, "{\"token\": \"" + token + "\"}", "{\"token\": \"" + token.replace("mJx3v", "mJ\u0001v") + "\"}");
        differs(JSON, "{\"a\":\"\\ud83d\\ude00\"}", "{\"a\":\"\\ud83d\"}");
        differs(JSON, "{\"a\":1}", "{\"a\":1,}");
        differs(JSON, "{\"a\":1}", "{\"a\":1} x");
        differs(XML, "<a>1</a>", "<a>1</b>");
        differs(XML, "<a/>", "<!DOCTYPE a [<!ENTITY x \"" + "y".repeat(1000) + "\">]><a>&x;</a>");
    }

    @Test
    void expandingEntities_areNotExpanded() {
        StringBuilder laughs = new StringBuilder("<!DOCTYPE l [<!ENTITY l0 \"ha\">");
        for (int i = 1; i < 30; i++) {
            laughs.append("<!ENTITY l")
                    .append(i)
                    .append(" \"")
                    .append(("&l" + (i - 1) + ";").repeat(10))
                    .append("\">");
        }
        differs(XML, laughs + "]><l>&l29;</l>", laughs + "]><l>&l28;</l>");
    }

    @Test
    void bombs_ofEitherContentCoding_areNotUnpackedBeyondTheLimit() throws IOException {
        byte[] bomb = gzip(new byte[200 << 20]);
        byte[] other = bomb.clone();
        other[9] ^= 1; // the header's operating system
        assertThat(bomb.length).isLessThan(1 << 20);

        assertTimeoutPreemptively(
                PATIENCE,
                () -> assertThat(verdict(wire(JSON, "gzip", bomb), wire(JSON, "gzip", other))
                                .kind())
                        .isEqualTo(VerdictKind.NOT_COMPARED));
        assertTimeoutPreemptively(
                PATIENCE,
                () -> assertThat(verdict(wire(JSON, "gzip, gzip", bomb), wire(JSON, "gzip, gzip", other))
                                .kind())
                        .isEqualTo(VerdictKind.NOT_COMPARED));
    }

    @Test
    void listsAndLines_thatAllDiffer_takeBoundedTime() {
        Random random = new Random(1);
        StringBuilder items = new StringBuilder("[0");
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 60_000; i++) {
            items.append(',').append(random.nextInt());
            lines.append(random.nextInt()).append('\n');
        }
        differs(JSON, items + "]", items.reverse().toString().replace(']', ' ') + "");
        differs("text/plain", lines.toString(), lines.reverse().toString());
        differs("text/html", "<".repeat(500_000) + "a", "<".repeat(500_000) + "b");
        differs(
                "multipart/mixed; boundary=b",
                "--b\r\n\r\n".repeat(50_000) + "--b--",
                "--b\r\n\r\n".repeat(49_999) + "--b--");
        differs("application/x-www-form-urlencoded", "a=1&".repeat(100_000), "a=1&".repeat(99_999) + "a=2");
    }

    @Test
    void randomDamage_toAnyBody_isNeverSilent_andPrintsNothing() {
        List<String> bodies = List.of(
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<r a=\"1\"><i>é – ü</i><i>2</i></r>",
                "<r xmlns:x=\"urn:x\"><x:i b='2'>&amp;&#233;</x:i></r>",
                "{\"a\":[1,2.5e3,\"x\\u00e9\\n–\",{\"b\":null}],\"n\":123456789012345678901234567890}",
                "a=1&b=%C3%A9&c=");
        List<String> types = List.of(XML, XML + "; charset=utf-8", JSON, "application/x-www-form-urlencoded");
        PrintStream before = System.err;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            for (int seed = 0; seed < 4000; seed++) {
                Random random = new Random(seed);
                byte[] ours = bodies.get(seed % 4).getBytes(StandardCharsets.UTF_8);
                byte[] theirs = ours.clone();
                for (int i = 1 + random.nextInt(3); i > 0; i--) {
                    theirs[random.nextInt(theirs.length)] = (byte) random.nextInt(256);
                }
                Verdict verdict =
                        verdict(wire(types.get(seed % 4), null, ours), wire(types.get(seed % 4), null, theirs));
                boolean equal = java.util.Arrays.equals(ours, theirs);
                assertThat(verdict.kind() == VerdictKind.SAME)
                        .as("seed %d: %s", seed, verdict)
                        .isEqualTo(equal);
                assertThat(verdict.reason()).as("seed %d: %s", seed, verdict).isNull();
            }
        } finally {
            System.setErr(before);
        }
        assertThat(printed.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    private static void differs(String type, String ours, String theirs) {
        byte[] production = wire(type, null, ours.getBytes(StandardCharsets.UTF_8));
        byte[] debug = wire(type, null, theirs.getBytes(StandardCharsets.UTF_8));
        Verdict verdict = assertTimeoutPreemptively(PATIENCE, () -> verdict(production, debug));
        assertThat(verdict.kind())
                .as(() -> type + ": " + ours.substring(0, Math.min(80, ours.length())) + " " + verdict)
                .isEqualTo(VerdictKind.DIFFERENT);
        assertThat(verdict.differences()).anyMatch(difference -> difference.noise() == null);
    }

    private static Verdict verdict(byte[] production, byte[] debug) {
        return new HttpComparison(ComparisonRules.defaults(), new IdentityMap(100))
                .compare(
                        Replies.reply(production, Replies.NOON, 8 << 20), Replies.reply(debug, Replies.LATER, 8 << 20));
    }

    private static byte[] wire(String type, @org.jspecify.annotations.Nullable String coding, byte[] body) {
        ByteArrayOutputStream wire = new ByteArrayOutputStream();
        wire.writeBytes(("HTTP/1.1 200 OK\r\nContent-Type: " + type + "\r\n"
                        + (coding == null ? "" : "Content-Encoding: " + coding + "\r\n") + "Content-Length: "
                        + body.length
                        + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
        wire.writeBytes(body);
        return wire.toByteArray();
    }

    private static byte[] gzip(byte[] content) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(content);
        }
        return out.toByteArray();
    }
}
