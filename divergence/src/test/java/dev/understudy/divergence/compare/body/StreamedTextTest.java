package dev.understudy.divergence.compare.body;

import dev.understudy.divergence.compare.ComparisonRules;
import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Noise;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.divergence.compare.http.HttpComparison;
import dev.understudy.divergence.compare.http.HttpReply;
import dev.understudy.divergence.compare.http.Replies;
import dev.understudy.divergence.identity.IdentityMap;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/** XML, HTML, forms and lines of which far less is kept than they have. */
final class StreamedTextTest {
    private static final int KEPT = 1000;
    private static final Pattern PLACE =
            Pattern.compile("differs first between bytes (\\d+) and (\\d+), lines (\\d+) to (\\d+)");

    @Test
    void noiseInATextThatIsNotKept_isEquivalent() {
        for (String type : new String[] {
            "text/html; charset=utf-8",
            "application/xml",
            "text/csv",
            "text/plain; charset=iso-8859-1",
            "application/x-www-form-urlencoded"
        }) {
            Verdict verdict = compare(type, page(Replies.NOON, 7), page(Replies.LATER, 7));

            assertThat(verdict.kind()).as("%s: %s", type, verdict).isEqualTo(VerdictKind.EQUIVALENT);
            assertThat(verdict.differences())
                    .extracting(Difference::path, Difference::noise)
                    .contains(tuple("body:2002", Noise.EXCHANGE_TIME));
        }
    }

    @Test
    void anyOtherDifference_isReported() {
        String ours = page(Replies.NOON, 7);
        for (String other : new String[] {
            page(Replies.LATER, 8),
            page(Replies.NOON.minusSeconds(3600), 7),
            page(Replies.LATER, 7) + " ",
            page(Replies.LATER, 7).replace("row 1999", "row 2999"),
            page(Replies.LATER, 7).replace(Replies.LATER + "\"", "yesterday\""),
            ours.replace("row 2 ", "row  2"),
            ours.replace("at=\"" + Replies.NOON + "\" id=\"1\"", "id=\"1\" at=\"" + Replies.NOON + "\""),
            ours.substring(0, ours.length() - 1)
        }) {
            assertThat(compare("text/html", ours, other).kind()).isEqualTo(VerdictKind.DIFFERENT);
        }
        assertThat(compare("text/html; charset=utf-16", ours, page(Replies.LATER, 7))
                        .kind())
                .as("of blanks of two bytes nothing is known")
                .isEqualTo(VerdictKind.DIFFERENT);
        assertThat(compare("image/png", ours, page(Replies.LATER, 7)).kind()).isEqualTo(VerdictKind.DIFFERENT);
    }

    /** Known from an earlier reply: one begins with a digit, the other with a letter. */
    @Test
    void uuidThatEachSideMadeForItself_isAnIdentity() {
        for (String first : new String[] {"3", "f"}) {
            String ours = first + "23e4567-e89b-42d3-a456-426614174000";
            String theirs = first + "9c1f0b2-77aa-4c3d-9e21-0c5d8be4f6a1";
            IdentityMap identities = new IdentityMap(100);
            HttpComparison comparison = new HttpComparison(ComparisonRules.defaults(), identities);
            assertThat(identities.learn(ours, theirs)).isTrue();
            Verdict verdict = comparison.compare(
                    reply("text/html", page(Replies.NOON, 7) + "<a href=\"" + ours + "\">", Replies.NOON),
                    reply("text/html", page(Replies.LATER, 7) + "<a href=\"" + theirs + "\">", Replies.LATER));

            assertThat(verdict.kind()).as("%s: %s", first, verdict).isEqualTo(VerdictKind.EQUIVALENT);
            assertThat(verdict.differences()).extracting(Difference::noise).contains(Noise.IDENTITY);
        }
    }

    /** What is kept of a text isn't hashed, so where it stood has to be the same. */
    @Test
    void valuesThatChangePlaces_areReported() {
        String filler = "<p>text of some length</p>\n".repeat(100);
        String noon = Replies.NOON.toString();
        assertThat(compare("text/html", filler + "<a " + noon + "=></a>", filler + "<a =" + noon + "></a>")
                        .kind())
                .isEqualTo(VerdictKind.DIFFERENT);
    }

    @Test
    void everyByteThatIsChanged_isReported_andItsPlaceIsTold() {
        byte[] ours = page(Replies.NOON, 7).getBytes(StandardCharsets.UTF_8);
        for (int seed = 0; seed < 600; seed++) {
            Random random = new Random(seed);
            byte[] theirs = ours.clone();
            int at = KEPT + random.nextInt(theirs.length - KEPT);
            theirs[at] ^= (byte) (1 << random.nextInt(7));
            if (random.nextInt(4) == 0) {
                theirs = Arrays.copyOf(theirs, at + random.nextInt(ours.length - at));
            }
            Verdict verdict = verdict("text/html", ours, theirs);

            assertThat(verdict.kind()).as("seed %d, byte %d", seed, at).isEqualTo(VerdictKind.DIFFERENT);
            Matcher told = PLACE.matcher(verdict.toString());
            assertThat(told.find()).as("seed %d: %s", seed, verdict).isTrue();
            long line = 1
                    + new String(ours, 0, at, StandardCharsets.UTF_8)
                            .chars()
                            .filter(c -> c == '\n')
                            .count();
            assertThat((long) Arrays.mismatch(ours, theirs))
                    .as("seed %d", seed)
                    .isBetween(Long.valueOf(told.group(1)), Long.parseLong(told.group(2)) - 1);
            assertThat(line).as("seed %d", seed).isBetween(Long.valueOf(told.group(3)), Long.valueOf(told.group(4)));
        }
    }

    @Test
    void anyChunking_saysTheSame() {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            StringBuilder text = new StringBuilder();
            for (int word = 0; word < 40; word++) {
                text.append(
                                switch (random.nextInt(5)) {
                                    case 0 -> Replies.NOON.toString();
                                    case 1 -> "123e4567-e89b-12d3-a456-426614174000";
                                    case 2 -> "1".repeat(random.nextInt(200));
                                    case 3 -> "é".repeat(random.nextInt(70));
                                    default -> "word";
                                })
                        .append("\n <>\"';".charAt(random.nextInt(7)));
            }
            byte[] bytes = text.substring(0, text.length() - random.nextInt(20)).getBytes(StandardCharsets.UTF_8);
            Said whole = said(bytes, null);
            Said cut = said(bytes, random);

            assertThat(cut.hash()).as("seed %d", seed).isEqualTo(whole.hash());
            assertThat(cut.values()).as("seed %d", seed).isEqualTo(whole.values());
        }
    }

    @Test
    void memory_isBounded_whateverComes() {
        StreamedText text = new StreamedText();
        PrefixChecksums rungs = new PrefixChecksums();
        byte[] piece = ("2026-03-04T12:00:00Z " + "9".repeat(100_000) + "\n").getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < 2_000; i++) {
            text.feed(piece, 0, piece.length);
            rungs.add(ByteBuffer.wrap(piece));
            assertThat(text.heldBytes()).isLessThan(128 << 10);
            assertThat(rungs.heldBytes()).isLessThan(64 << 10);
        }
        assertThat(text.end().values()).hasSize(256);
    }

    private static Said said(byte[] bytes, @Nullable Random cuts) {
        StreamedText text = new StreamedText();
        for (int at = 0; at < bytes.length; ) {
            int length = cuts == null ? bytes.length : Math.min(bytes.length - at, 1 + cuts.nextInt(30));
            text.feed(bytes, at, length);
            at += length;
        }
        return text.end();
    }

    private static String page(Instant at, int last) {
        StringBuilder page = new StringBuilder("<html>\n");
        for (int i = 0; i < 2000; i++) {
            page.append("<tr><td>row ").append(i).append(" of many &amp; more</td></tr>\n");
        }
        return page.append("<time at=\"" + at + "\" id=\"1\">")
                .append(last)
                .append("</time></html>")
                .toString();
    }

    private static Verdict compare(String type, String ours, String theirs) {
        Charset charset = type.endsWith("utf-16") ? StandardCharsets.UTF_16BE : StandardCharsets.UTF_8;
        return verdict(type, ours.getBytes(charset), theirs.getBytes(charset));
    }

    private static Verdict verdict(String type, byte[] ours, byte[] theirs) {
        return new HttpComparison(ComparisonRules.defaults(), new IdentityMap(100))
                .compare(
                        Replies.reply(wire(type, ours), Replies.NOON, KEPT),
                        Replies.reply(wire(type, theirs), Replies.LATER, KEPT));
    }

    private static HttpReply reply(String type, String text, Instant at) {
        return Replies.reply(wire(type, text.getBytes(StandardCharsets.UTF_8)), at, KEPT);
    }

    private static byte[] wire(String type, byte[] body) {
        byte[] head = ("HTTP/1.1 200 OK\r\nContent-Type: " + type + "\r\nContent-Length: " + body.length + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        byte[] wire = Arrays.copyOf(head, head.length + body.length);
        System.arraycopy(body, 0, wire, head.length, body.length);
        return wire;
    }
}
