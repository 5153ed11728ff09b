package dev.understudy.divergence.compare.http;

import dev.understudy.divergence.compare.ComparisonRules;
import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Differences;
import dev.understudy.divergence.compare.Noise;
import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.divergence.compare.ValueNoise;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.divergence.compare.value.JsonComparison;
import dev.understudy.divergence.compare.value.JsonLockstep;
import dev.understudy.divergence.compare.value.SameShapeJson;
import dev.understudy.divergence.content.JsonText;
import dev.understudy.divergence.content.JsonValue;
import dev.understudy.divergence.content.TextSpan;
import dev.understudy.divergence.identity.IdentityDraft;
import dev.understudy.divergence.identity.IdentityMap;
import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.ReplyHead;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Whatever the replies hold: a verdict, no exception, and SAME only for equal replies. */
class ComparisonFuzzTest {
    private static final List<String> TYPES = List.of(
            "application/json",
            "text/html",
            "text/plain;charset=UTF-16",
            "image/png",
            "x",
            "application/xml",
            "application/x-www-form-urlencoded");
    private static final String JSON =
            "{\"a\":[1,2.5e3,\"x\\u00e9\\n\",{\"b\":null}],\"at\":\"2026-03-04T12:00:00Z\",\"n\":1772625600}";

    @Test
    void anyTwoBodies_getAnHonestVerdict() throws IOException {
        HttpComparison comparison = new HttpComparison(ComparisonRules.defaults(), new IdentityMap(100));
        for (int seed = 0; seed < 4000; seed++) {
            Random random = new Random(seed);
            boolean gzip = random.nextInt(4) == 0;
            String type = TYPES.get(random.nextInt(TYPES.size()));
            byte[] ours = wire(type, gzip, body(random));
            byte[] theirs = random.nextInt(10) == 0 ? ours : wire(type, gzip, body(random));
            HttpReply production = Replies.reply(ours, Replies.NOON, 1 + random.nextInt(300));
            HttpReply debug = Replies.reply(theirs, Replies.LATER, 1 + random.nextInt(300));
            Verdict verdict = comparison.compare(production, debug);

            assertThat(verdict.reason()).as("seed %d", seed).isNotEqualTo(NotCompared.INTERNAL);
            boolean equal = Arrays.equals(ours, theirs);
            boolean same = verdict.kind() == VerdictKind.SAME;
            assertThat(same).as("seed %d: %s", seed, verdict).isEqualTo(equal && production.complete());
        }
    }

    @Test
    void lockstep_agreesWithTheTrees() {
        ComparisonRules rules = ComparisonRules.defaults();
        int inStep = 0;
        for (int seed = 0; seed < 4000; seed++) {
            Random random = new Random(seed);
            byte[] ours = random.nextBoolean() ? body(random) : JSON.getBytes(StandardCharsets.UTF_8);
            byte[] theirs = new String(ours, StandardCharsets.ISO_8859_1)
                    .replace("T12:00:00Z", random.nextBoolean() ? "T12:03:00Z" : "T12:00:00Z")
                    .replace(",", random.nextBoolean() ? " ," : ",")
                    .replace(":1772625600", random.nextInt(4) > 0 ? ":1772625780" : ":1772620000")
                    .getBytes(StandardCharsets.ISO_8859_1);
            IdentityDraft identities = new IdentityDraft(new IdentityMap(10));
            ValueNoise noise = new ValueNoise(
                    rules,
                    identities,
                    new TextSpan(Replies.NOON, Replies.NOON.plusMillis(20)),
                    new TextSpan(Replies.LATER, Replies.LATER.plusMillis(20)));
            Differences quick = new Differences(rules);
            Differences thorough = new Differences(rules);
            boolean done = JsonLockstep.compare("body", identities, noise, quick, ours, theirs);
            JsonValue production = JsonText.parse(ours);
            JsonValue debug = JsonText.parse(theirs);
            if (done) {
                inStep++;
                assertThat(production != null && debug != null)
                        .as("seed %d", seed)
                        .isTrue();
            }
            if (production != null && debug != null) {
                new JsonComparison(identities, noise, thorough).compare("body", production, debug);
                boolean real = thorough.list().stream().anyMatch(difference -> difference.noise() == null);
                assertThat(done).as("seed %d", seed).isEqualTo(!real);
                if (done) {
                    assertThat(quick.list()).as("seed %d", seed).isEqualTo(thorough.list());
                }
            }
        }
        assertThat(inStep).isBetween(500, 3500);
    }

    @Test
    void twins_areToldAsTheTreesWouldTell() {
        ComparisonRules rules = ComparisonRules.defaults();
        int decided = 0;
        int really = 0;
        for (int seed = 0; seed < 20_000; seed++) {
            Random random = new Random(seed);
            byte[] ours = random.nextInt(4) == 0 ? body(random) : JSON.getBytes(StandardCharsets.UTF_8);
            String changed = new String(ours, StandardCharsets.ISO_8859_1)
                    .replace("T12:00:00Z", random.nextBoolean() ? "T12:03:00Z" : "T12:00:00Z")
                    .replace(":1772625600", random.nextInt(4) > 0 ? ":1772625780" : ":17726200");
            byte[] theirs = changed.getBytes(StandardCharsets.ISO_8859_1);
            for (int i = random.nextInt(3); i > 0 && theirs.length > 0; i--) {
                int at = random.nextInt(theirs.length);
                theirs[at] = random.nextBoolean()
                        ? (byte) random.nextInt(256)
                        : (byte) "0123456789abc\"\\ ,".charAt(random.nextInt(17));
            }
            Differences quick = new Differences(rules);
            boolean done = SameShapeJson.compare(
                    "body", new IdentityDraft(new IdentityMap(10)), noise(rules), quick, ours, theirs);
            JsonValue production = JsonText.parse(ours);
            JsonValue debug = JsonText.parse(theirs);
            if (done && !Arrays.equals(ours, theirs)) {
                decided++;
                Differences thorough = new Differences(rules);
                new JsonComparison(new IdentityDraft(new IdentityMap(10)), noise(rules), thorough)
                        .compare("body", Objects.requireNonNull(production), Objects.requireNonNull(debug));
                assertThat(quick.list()).as("seed %d", seed).isEqualTo(thorough.list());
                really += quick.onlyNoise() ? 0 : 1;
            }
        }
        assertThat(decided).isGreaterThan(3000);
        assertThat(really).isGreaterThan(500);
    }

    @Test
    void twins_thatOneOfTheTwoTextsMakesDoubtful_areNotDecided() {
        String many = "{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1,\"i\":1,\"j\":1,"
                + "\"k\":1,\"l\":1,\"m\":1";
        assertThat(decided("{\"a\":1}", "{\"a\":10}"))
                .as("a number that goes on")
                .isTrue();
        assertThat(decided(many + ",\"n\":2}", many + ",\"n\":3}")).isTrue();
        assertThat(decided(many + ",\"m\":2}", many + ",\"m\":3}"))
                .as("a name twice, among many")
                .isFalse();
        assertThat(decided("{\"a\":1,\"a\":2}", "{\"a\":1,\"a\":3}"))
                .as("a name twice")
                .isFalse();
        assertThat(decided("{\"a\":1} ", "{\"a\":1} x")).as("what isn't JSON").isFalse();
        assertThat(decided("{\"a\":1} ", "{\"a\":1} 2"))
                .as("something behind it")
                .isFalse();
    }

    private static boolean decided(String ours, String theirs) {
        ComparisonRules rules = ComparisonRules.defaults();
        return SameShapeJson.compare(
                "body",
                new IdentityDraft(new IdentityMap(10)),
                noise(rules),
                new Differences(rules),
                ours.getBytes(StandardCharsets.UTF_8),
                theirs.getBytes(StandardCharsets.UTF_8));
    }

    private static ValueNoise noise(ComparisonRules rules) {
        return new ValueNoise(
                rules,
                new IdentityDraft(new IdentityMap(10)),
                new TextSpan(Replies.NOON, Replies.NOON.plusMillis(20)),
                new TextSpan(Replies.LATER, Replies.LATER.plusMillis(20)));
    }

    private static byte[] body(Random random) {
        byte[] bytes = JSON.getBytes(StandardCharsets.UTF_8);
        for (int i = random.nextInt(4); i > 0; i--) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(4)) {
                case 0 -> bytes[at] = (byte) random.nextInt(256);
                case 1 -> bytes[at] = (byte) "{}[]\",:0-e\\ut ".charAt(random.nextInt(14));
                case 2 -> bytes = Arrays.copyOf(bytes, Math.max(1, at));
                default -> bytes = Arrays.copyOf(bytes, bytes.length + random.nextInt(20));
            }
        }
        return bytes;
    }

    private static byte[] wire(String type, boolean gzip, byte[] content) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        if (gzip) {
            try (GZIPOutputStream out = new GZIPOutputStream(body)) {
                out.write(content);
            }
        } else {
            body.writeBytes(content);
        }
        ByteArrayOutputStream wire = new ByteArrayOutputStream();
        wire.writeBytes(("HTTP/1.1 200 OK\r\nContent-Type: " + type + "\r\n"
                        + (gzip ? "Content-Encoding: gzip\r\n" : "") + "Content-Length: " + body.size() + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
        wire.writeBytes(body.toByteArray());
        return wire.toByteArray();
    }

    @Test
    void anyTwoHeads_areTheSameOnlyIfEqual() {
        List<String> lines = List.of(
                "Date: Wed, 04 Mar 2026 12:00:00 GMT",
                "Set-Cookie: a=1; Path=/; Expires=Wed, 04 Mar 2026 12:01:00 GMT; Max-Age=60",
                "Set-Cookie: JSESSIONID=5F1C9A07B3E24D6688A1C0FFEE012345; HttpOnly",
                "Vary: Origin, Accept",
                "Connection: keep-alive, X-Hop",
                "X-Hop: 1",
                "Content-Type: application/json; charset=\"utf-8\"",
                "Content-Encoding: gzip",
                "Content-Length: 2",
                "Cache-Control: no-store, private=\"a, b\"",
                "Location: /orders/3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                "Last-Modified: Wed, 04 Mar 2026 12:00:00 GMT");
        HttpComparison comparison = new HttpComparison(ComparisonRules.defaults(), new IdentityMap(100));
        int same = 0;
        for (int seed = 0; seed < 4000; seed++) {
            Random random = new Random(seed);
            HttpReply production = reply(lines, random, Replies.NOON);
            HttpReply debug = random.nextInt(10) == 0 ? production : reply(lines, random, Replies.LATER);
            Verdict verdict = comparison.compare(production, debug);

            assertThat(verdict.reason()).as("seed %d", seed).isNotEqualTo(NotCompared.INTERNAL);
            boolean equal = production.head().equals(debug.head());
            assertThat(verdict.kind() == VerdictKind.SAME)
                    .as("seed %d: %s", seed, verdict)
                    .isEqualTo(equal);
            same += equal ? 1 : 0;
        }
        assertThat(same).isGreaterThan(300);
    }

    private static HttpReply reply(List<String> lines, Random random, Instant begun) {
        List<Header> headers = new ArrayList<>();
        for (int i = random.nextInt(6); i > 0; i--) {
            StringBuilder line = new StringBuilder(lines.get(random.nextInt(lines.size())));
            for (int j = random.nextInt(3); j > 0; j--) {
                line.setCharAt(random.nextInt(line.length()), "=;,\" aZ9-%\\:".charAt(random.nextInt(11)));
            }
            int colon = line.indexOf(":");
            if (colon > 0) {
                headers.add(new Header(
                        line.substring(0, colon), line.substring(colon + 1).strip()));
            }
        }
        ReplyHead head = new ReplyHead("HTTP/1.1", 200, "OK", headers);
        byte[] body = {'{', '}'};
        return new HttpReply(List.of(), head, body, 2, new byte[32], List.of(), true, begun, begun.plusMillis(20));
    }

    @Test
    void compressedBodies_areComparedByTheirContent() throws IOException {
        HttpComparison comparison = new HttpComparison(ComparisonRules.defaults(), new IdentityMap(100));
        byte[] ours = wire("application/json", true, "{\"a\":1}".getBytes(StandardCharsets.UTF_8));
        byte[] otherLevel = ours.clone();
        otherLevel[indexOfGzip(ours) + 8] = 2; // the header's "extra flags"
        byte[] theirs = wire("application/json", true, "{\"a\":2}".getBytes(StandardCharsets.UTF_8));
        HttpReply production = Replies.reply(ours, Replies.NOON, 1000);
        Verdict form = comparison.compare(production, Replies.reply(otherLevel, Replies.LATER, 1000));
        assertThat(form.kind()).isEqualTo(VerdictKind.EQUIVALENT);
        assertThat(form.differences()).extracting(Difference::noise).containsExactly(Noise.COMPRESSION);
        assertThat(comparison
                        .compare(production, Replies.reply(theirs, Replies.LATER, 1000))
                        .differences())
                .contains(new Difference("body.a", Difference.Type.VALUE, "1", "2", null));
    }

    private static int indexOfGzip(byte[] wire) {
        int at = 0;
        while (wire[at] != 0x1f || wire[at + 1] != (byte) 0x8b) {
            at++;
        }
        return at;
    }

    @Test
    void bombs_areNotCompared() throws IOException {
        ComparisonRules rules = new ComparisonRules(
                java.time.Duration.ofSeconds(2), java.util.Set.of(), 1000, 10, 50, java.util.Set.of());
        HttpComparison comparison = new HttpComparison(rules, new IdentityMap(100));
        HttpReply ours = Replies.reply(wire("text/plain", true, new byte[1_000_000]), Replies.NOON, 100_000);
        HttpReply theirs = Replies.reply(wire("text/plain", true, new byte[1_000_001]), Replies.LATER, 100_000);
        assertThat(comparison.compare(ours, theirs).kind()).isEqualTo(VerdictKind.NOT_COMPARED);
        assertThat(comparison.compare(ours, ours).kind()).isEqualTo(VerdictKind.SAME);
    }
}
