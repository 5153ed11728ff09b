package dev.understudy.divergence.compare.body;

import dev.understudy.divergence.compare.ComparisonRules;
import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Noise;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.divergence.compare.http.HttpComparison;
import dev.understudy.divergence.compare.http.Replies;
import dev.understudy.divergence.identity.IdentityMap;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** JSON bodies of which far less is kept than they have. */
final class StreamedJsonTest {
    private static final int KEPT = 1000;

    @Test
    void noiseInABodyThatIsNotKept_isEquivalent() {
        Verdict verdict = compare(body(Replies.NOON, ",", 7), body(Replies.LATER, " ,\n", 7));

        assertThat(verdict.kind()).as("%s", verdict).isEqualTo(VerdictKind.EQUIVALENT);
        assertThat(verdict.differences())
                .extracting(Difference::noise)
                .contains(Noise.EXCHANGE_TIME)
                .doesNotContainNull();
    }

    @Test
    void blanksAndEscapes_meanNothing() {
        assertThat(compare(body(Replies.NOON, ",", 7), body(Replies.NOON, " , ", 7))
                        .kind())
                .isEqualTo(VerdictKind.EQUIVALENT);
    }

    @Test
    void numbersThatAreNone_areRead_andDiffer() {
        String ours = body(Replies.NOON, ",", 7).replaceFirst("\"n\":1,", "\"n\":NaN,\"m\":-Infinity,");
        String theirs = body(Replies.LATER, " , ", 7).replaceFirst("\"n\":1 , ", "\"n\":NaN,\"m\":-Infinity,");
        byte[] bytes = "[NaN,-Infinity,Infinity]".getBytes(StandardCharsets.UTF_8);

        assertThat(compare(ours, theirs).kind()).isEqualTo(VerdictKind.EQUIVALENT);
        assertThat(compare(ours, theirs.replace("NaN", "1")).kind()).isEqualTo(VerdictKind.DIFFERENT);
        assertThat(compare(ours, theirs.replace("NaN", "\"NaN\"")).kind()).isEqualTo(VerdictKind.DIFFERENT);
        assertThat(compare(ours, theirs.replace("-Inf", "Inf")).kind()).isEqualTo(VerdictKind.DIFFERENT);
        for (int seed = 0; seed < 50; seed++) {
            assertThat(Objects.requireNonNull(said(bytes, new Random(seed))).hash())
                    .as("seed %d", seed)
                    .isEqualTo(Objects.requireNonNull(said(bytes, null)).hash());
        }
    }

    @Test
    void anyOtherDifference_isReported_whereverItIs() {
        String ours = body(Replies.NOON, ",", 7);
        assertThat(compare(ours, body(Replies.LATER, ",", 8)).kind()).isEqualTo(VerdictKind.DIFFERENT);
        assertThat(compare(ours, body(Replies.NOON.minusSeconds(3600), ",", 7)).kind())
                .isEqualTo(VerdictKind.DIFFERENT);
        assertThat(compare(ours, body(Replies.LATER, ",", 7) + "x").kind()).isEqualTo(VerdictKind.DIFFERENT);
        assertThat(compare(ours, body(Replies.LATER, ",", 7) + "{}").kind()).isEqualTo(VerdictKind.DIFFERENT);
        assertThat(compare(ours + "x", body(Replies.LATER, ",", 7) + "x").kind())
                .isEqualTo(VerdictKind.DIFFERENT);
        assertThat(compare(ours, ours.replace("name 3999", "name 4999")).kind()).isEqualTo(VerdictKind.DIFFERENT);
        assertThat(compare(ours, ours.replaceFirst("\"n\":1,", "\"n\":1.0,")).kind())
                .isEqualTo(VerdictKind.DIFFERENT);
        assertThat(compare(ours, ours.replaceFirst("\"n\":1,", "\"n\":\"1\",")).kind())
                .isEqualTo(VerdictKind.DIFFERENT);
        assertThat(compare(ours, ours.replaceFirst("\\}$", ",\"extra\":null}")).kind())
                .isEqualTo(VerdictKind.DIFFERENT);
    }

    @Test
    void everyByteThatIsChanged_isReported_orMeansNothing() {
        byte[] ours = body(Replies.NOON, ",", 7).getBytes(StandardCharsets.UTF_8);
        for (int seed = 0; seed < 600; seed++) {
            Random random = new Random(seed);
            byte[] theirs = ours.clone();
            int at = random.nextInt(theirs.length);
            theirs[at] ^= (byte) (1 << random.nextInt(8));
            assertThat(verdict("application/json", ours, theirs).kind())
                    .as("seed %d, byte %d", seed, at)
                    .isEqualTo(VerdictKind.DIFFERENT);
        }
    }

    @Test
    void anyChunking_saysTheSame() {
        byte[] bytes = "{\"a\":[1,-2.5e3,\"é–\ud83d\ude00\\n\",{\"at\":\"2026-03-04T12:00:00Z\"}],\"b\":null}"
                .getBytes(StandardCharsets.UTF_8);
        Said whole = Objects.requireNonNull(said(bytes, null));
        for (int seed = 0; seed < 300; seed++) {
            Said cut = Objects.requireNonNull(said(bytes, new Random(seed)), "seed " + seed);
            assertThat(cut.hash()).as("seed %d", seed).isEqualTo(whole.hash());
            assertThat(cut.values())
                    .as("seed %d", seed)
                    .isEqualTo(whole.values())
                    .hasSize(1);
        }
    }

    @Test
    void whatIsNoJson_saysNothing() {
        byte[] bytes = "{\"a\":[1,-2.5e3,\"é–\"]}".getBytes(StandardCharsets.UTF_8);
        for (int length = 0; length < bytes.length; length++) {
            assertThat(said(Arrays.copyOf(bytes, length), new Random(length)))
                    .as("%d", length)
                    .isNull();
        }
        for (String wrong : new String[] {"", " ", "{} {}", "1 2", "{\"a\"}", "[".repeat(300) + "]".repeat(300)}) {
            assertThat(said(wrong.getBytes(StandardCharsets.UTF_8), null))
                    .as(wrong)
                    .isNull();
        }
        byte[] latin = "\"é\"".getBytes(StandardCharsets.ISO_8859_1);
        byte[] overlong = {'"', (byte) 0xC0, (byte) 0xAF, '"'};
        byte[] surrogate = {'"', (byte) 0xED, (byte) 0xA0, (byte) 0x80, '"'};
        for (byte[] malformed : new byte[][] {latin, overlong, surrogate}) {
            assertThat(said(malformed, null)).isNull();
        }
    }

    @Test
    void memory_isBounded_whateverComes() {
        StreamedJson json = new StreamedJson();
        byte[] piece = ("[\"" + "x".repeat(50) + "\",\"2026-03-04T12:00:00Z\"],").getBytes(StandardCharsets.UTF_8);
        json.feed(new byte[] {'['}, 0, 1);
        for (int i = 0; i < 100_000; i++) {
            json.feed(piece, 0, piece.length);
            assertThat(json.heldBytes()).isLessThan(256 << 10);
        }
        json.feed("1]".getBytes(StandardCharsets.UTF_8), 0, 2);
        assertThat(Objects.requireNonNull(json.end()).values()).hasSize(256);
    }

    private static @Nullable Said said(byte[] bytes, @Nullable Random cuts) {
        StreamedJson json = new StreamedJson();
        for (int at = 0; at < bytes.length; ) {
            int length = cuts == null ? bytes.length : Math.min(bytes.length - at, 1 + cuts.nextInt(4));
            json.feed(bytes, at, length);
            at += length;
        }
        return json.end();
    }

    private static String body(Instant at, String comma, int last) {
        StringBuilder body =
                new StringBuilder("{\"at\":\"" + at + "\"").append(comma).append("\"items\":[");
        for (int i = 0; i < 4000; i++) {
            body.append(i == 0 ? "" : ",")
                    .append("{\"n\":")
                    .append(i)
                    .append(comma)
                    .append("\"name\":\"name ")
                    .append(i)
                    .append("\"}");
        }
        return body.append("],\"last\":").append(last).append("}").toString();
    }

    private static Verdict compare(String ours, String theirs) {
        return verdict(
                "application/json", ours.getBytes(StandardCharsets.UTF_8), theirs.getBytes(StandardCharsets.UTF_8));
    }

    private static Verdict verdict(String type, byte[] ours, byte[] theirs) {
        return new HttpComparison(ComparisonRules.defaults(), new IdentityMap(100))
                .compare(
                        Replies.reply(wire(type, ours), Replies.NOON, KEPT),
                        Replies.reply(wire(type, theirs), Replies.LATER, KEPT));
    }

    private static byte[] wire(String type, byte[] body) {
        byte[] head = ("HTTP/1.1 200 OK\r\nContent-Type: " + type + "\r\nContent-Length: " + body.length + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        byte[] wire = Arrays.copyOf(head, head.length + body.length);
        System.arraycopy(body, 0, wire, head.length, body.length);
        return wire;
    }
}
