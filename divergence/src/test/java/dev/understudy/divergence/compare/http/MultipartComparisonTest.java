package dev.understudy.divergence.compare.http;

import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.divergence.content.MultipartText;
import dev.understudy.divergence.mask.Masking;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class MultipartComparisonTest {
    private static final String JSON = "Content-Type: application/json\r\n\r\n";
    private final Replies replies = new Replies();

    @Test
    void boundary_isMadeUp_andMeansNothing() {
        Verdict verdict = replies.compare(mixed("aaa", JSON + "{\"n\":1}"), mixed("bbbb", JSON + "{\"n\":1}"));

        assertThat(verdict.kind()).as(verdict.toString()).isEqualTo(VerdictKind.EQUIVALENT);
        assertThat(verdict.differences()).extracting(Difference::path).contains("header.Content-Type");
        assertThat(replies.compare(mixed("aaa", JSON + "1"), mixed("aaa", JSON + "1"))
                        .kind())
                .isEqualTo(VerdictKind.SAME);
    }

    @Test
    void parts_areComparedByTheirOwnType() {
        assertThat(real(mixed("a", JSON + "{\"n\":1,\"m\":2}"), mixed("b", JSON + "{\"m\": 2, \"n\": 1}")))
                .isEmpty();
        assertThat(real(mixed("a", JSON + "{\"n\":1}", "\r\ntext"), mixed("b", JSON + "{\"n\":2}", "\r\ntext")))
                .containsExactly("VALUE body.parts[0].n");
        assertThat(real(mixed("a", "\r\nx"), mixed("b", "\r\ny"))).containsExactly("VALUE body.parts[0]");
        assertThat(real(mixed("a", "\r\nx"), mixed("b", "\r\nx", "\r\nx"))).containsExactly("LENGTH body.parts");
        assertThat(real(mixed("a", "X-A: 1\r\n\r\nx"), mixed("b", "X-A: 2\r\nX-B: 3\r\n\r\nx")))
                .containsExactly("VALUE body.parts[0].header.x-a", "EXTRA body.parts[0].header.x-b");
        assertThat(real(mixed("a", JSON + "{}", "\r\nx"), mixed("b", "\r\nx", JSON + "{}")))
                .as("order of parts")
                .isNotEmpty();
    }

    @Test
    void identity_inAPart_isLearned() {
        String ours = "kT3vQ9xZ2mB7nL5pR8wY4c";
        String theirs = "Zp7Hd2Kq9Wm4Xv6Ts1Ra8b";
        Verdict verdict = replies.compare(
                mixed("a", JSON + "{\"csrf\":\"" + ours + "\"}", "\r\nx"),
                mixed("b", JSON + "{\"csrf\":\"" + theirs + "\"}", "\r\nx"));

        assertThat(verdict.kind()).as(verdict.toString()).isEqualTo(VerdictKind.EQUIVALENT);
        assertThat(replies.identities.debugValueOf(ours)).isEqualTo(theirs);
    }

    @Test
    void boundaryThatDoesNotFitTheBody_isADifference() {
        String broken = mixed("bbb", "\r\nx").replace("boundary=bbb", "boundary=ccc");
        assertThat(real(mixed("aaa", "\r\nx"), broken)).isNotEmpty();
        String otherType = mixed("bbb", "\r\nx").replace("multipart/mixed", "multipart/related");
        assertThat(real(mixed("aaa", "\r\nx"), otherType)).isNotEmpty();
    }

    @Test
    void secretField_isMasked() {
        String field = "Content-Disposition: form-data; name=\"password\"\r\nContent-Type: text/plain\r\n\r\n";
        Verdict verdict = replies.compare(mixed("a", field + "hunter1"), mixed("b", field + "hunter2"));

        assertThat(verdict.kind()).isEqualTo(VerdictKind.DIFFERENT);
        assertThat(new Masking(Set.of()).mask(verdict).toString()).doesNotContain("hunter");
    }

    /** Whatever is between the delimiters: changing one byte of it is told, and changing the boundary isn't. */
    @Test
    void anyContent_isComparedInFull() {
        for (int seed = 1; seed <= 400; seed++) {
            Random random = new Random(seed);
            String[] parts = new String[1 + random.nextInt(4)];
            for (int i = 0; i < parts.length; i++) {
                parts[i] = (random.nextBoolean() ? JSON : "\r\n") + noise(random);
            }
            String production = mixed("one", parts);
            assertThat(real(production, mixed("two--", parts)))
                    .as("seed " + seed)
                    .isEmpty();
            int changed = random.nextInt(parts.length);
            parts[changed] += (char) ('a' + random.nextInt(26));
            assertThat(real(production, mixed("two--", parts)))
                    .as("seed " + seed)
                    .isNotEmpty();
        }
    }

    @Test
    void damagedBodies_areReadStrictly_orNotAtAll() {
        byte[] whole = body("x1", JSON + "{\"a\":1}", "\r\n--x2").getBytes(StandardCharsets.ISO_8859_1);
        for (int seed = 1; seed <= 5000; seed++) {
            Random random = new Random(seed);
            byte[] damaged = whole.clone();
            for (int i = random.nextInt(4); i >= 0; i--) {
                damaged[random.nextInt(damaged.length)] = (byte) "\r\n-x1:\0a".charAt(random.nextInt(8));
            }
            byte[] again = MultipartText.rebounded(damaged, "x1", "other");
            if (again != null) {
                assertThat(MultipartText.rebounded(again, "other", "x1"))
                        .as("seed " + seed)
                        .isEqualTo(damaged);
            }
        }
        assertThat(MultipartText.rebounded(whole, "x1", "x2"))
                .as("would be read otherwise")
                .isNull();
        assertThat(MultipartText.parse(whole, "x".repeat(71))).isNull();
        assertThat(MultipartText.parse(whole, "")).isNull();
        assertThat(MultipartText.parse(whole, null)).isNull();
    }

    private List<String> real(String production, String debug) {
        Verdict verdict = replies.compare(production, debug);
        assertThat(verdict.kind()).isNotEqualTo(VerdictKind.NOT_COMPARED);
        return verdict.differences().stream()
                .filter(difference -> difference.noise() == null)
                .map(difference -> difference.type() + " " + difference.path())
                .toList();
    }

    private static String noise(Random random) {
        StringBuilder noise = new StringBuilder();
        for (int i = random.nextInt(40); i > 0; i--) {
            noise.append("\r\n-ontwe{}:\"ab01".charAt(random.nextInt(16)));
        }
        return noise.toString();
    }

    private static String mixed(String boundary, String... parts) {
        return Replies.ok("multipart/mixed; boundary=" + boundary, body(boundary, parts));
    }

    private static String body(String boundary, String... parts) {
        StringBuilder body = new StringBuilder();
        for (String part : parts) {
            body.append("--").append(boundary).append("\r\n").append(part).append("\r\n");
        }
        return body.append("--").append(boundary).append("--\r\n").toString();
    }
}
