package dev.understudy.divergence.compare.http;

import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Noise;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.compare.VerdictKind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.understudy.divergence.compare.VerdictKind.DIFFERENT;
import static dev.understudy.divergence.compare.VerdictKind.EQUIVALENT;
import static dev.understudy.divergence.compare.VerdictKind.SAME;
import static org.assertj.core.api.Assertions.assertThat;

/** Whether each side made up a value, or shows another record, is decided by what its place has shown before. */
final class IdentityEvidenceTest {
    private static final int EXCHANGES = 100;
    private static final int FAULTY = 10;
    private static final int OTHER = 7000;

    private final Replies replies = new Replies();

    @ParameterizedTest
    @ValueSource(strings = {"iban", "productId", "customerId", "vin"})
    void anotherRecord_isDifferent_whereBothSidesMostlyShowTheSame(String name) {
        List<VerdictKind> kinds = everyTenthIsWrong("GET /" + name + "/", 0, i -> json(name, value(name, i)));
        assertThat(kinds).containsOnly(SAME, DIFFERENT);
        assertThat(kinds).filteredOn(DIFFERENT::equals).hasSize(EXCHANGES / FAULTY);
    }

    @ParameterizedTest
    @CsvSource({"iban, POST", "customerId, POST", "sessionToken, GET", "request_id, GET"})
    void anotherRecord_isDifferent_whateverTheRequestOrTheName_onceTheSameWasShown(String name, String method) {
        List<VerdictKind> kinds = everyTenthIsWrong(method + " /of/", 1, i -> json(name, value("customerId", i)));
        assertThat(kinds).containsOnly(SAME, DIFFERENT);
        assertThat(kinds).filteredOn(DIFFERENT::equals).hasSize(EXCHANGES / FAULTY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"header", "cookie", "xml", "gzip", "list", "form"})
    void anotherRecord_isDifferent_whereverItStands(String where) {
        List<VerdictKind> kinds = everyTenthIsWrong("POST /" + where + "/", 1, i -> at(where, value("customerId", i)));
        assertThat(kinds).containsOnly(SAME, DIFFERENT);
        assertThat(kinds).filteredOn(DIFFERENT::equals).hasSize(EXCHANGES / FAULTY);
    }

    @Test
    void itemsOfAList_shareTheirPlace() {
        String list = "[{\"id\":\"%s\"},{\"id\":\"%s\"}]";
        for (int i = 0; i < 5; i++) {
            String same = Replies.ok("application/json", list.formatted("none", uuid(i)));
            compare("POST /list", same, same);
        }
        Verdict verdict = compare(
                "POST /list",
                Replies.ok("application/json", list.formatted(uuid(11), "none")),
                Replies.ok("application/json", list.formatted(uuid(12), "none")));
        assertThat(verdict.kind()).isEqualTo(DIFFERENT);
    }

    @Test
    void contentThatIsCompressedInAnotherWay_isEvidenceToo() {
        for (int i = 0; i < 3; i++) {
            assertThat(compare("POST /paid", gzipped(uuid(i), 0), gzipped(uuid(i), 9))
                            .kind())
                    .isEqualTo(EQUIVALENT);
        }
        assertThat(compare("POST /paid", gzipped(uuid(8), 0), gzipped(uuid(9), 9))
                        .kind())
                .isEqualTo(DIFFERENT);
    }

    @Test
    void anotherRecord_changesNoLaterRequest() {
        String name = "customerId";
        everyTenthIsWrong("GET /customerId/", 0, i -> json(name, value(name, i)));
        for (int i = 0; i < EXCHANGES; i++) {
            assertThat(replies.identities.debugValueOf(value(name, i))).isNull();
        }
    }

    @Test
    void creatingRequest_isUnderstoodAtFirstSight_butNotWhatItOnlyRepeats() {
        String order = "{\"id\":\"%s\",\"customer\":{\"id\":\"%s\"}}";
        String customer = uuid(1);
        for (int i = 0; i < 5; i++) {
            Verdict verdict = compare(
                    "POST /orders",
                    Replies.ok("application/json", order.formatted(uuid(100 + i), customer)),
                    Replies.ok("application/json", order.formatted(uuid(200 + i), customer)));
            assertThat(verdict.kind()).isEqualTo(EQUIVALENT);
            assertThat(replies.identities.debugValueOf(uuid(100 + i))).isEqualTo(uuid(200 + i));
        }
        Verdict wrong = compare(
                "POST /orders",
                Replies.ok("application/json", order.formatted(uuid(110), customer)),
                Replies.ok("application/json", order.formatted(uuid(210), uuid(2))));
        assertThat(wrong.kind()).isEqualTo(DIFFERENT);
        assertThat(wrong.differences())
                .filteredOn(difference -> difference.noise() == null)
                .extracting(Difference::path)
                .containsExactly("body.customer.id");
    }

    @Test
    void readPlaceThatAlwaysDiffers_isNoiseOnceItHasDoneSoThreeTimes_andRewritesRequestsFromTheFirst() {
        List<VerdictKind> kinds = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            kinds.add(compare("GET /start", json("flow", uuid(i)), json("flow", uuid(OTHER + i)))
                    .kind());
            assertThat(replies.identities.debugValueOf(uuid(i))).isEqualTo(uuid(OTHER + i));
        }
        assertThat(kinds).containsExactly(DIFFERENT, DIFFERENT, DIFFERENT, EQUIVALENT, EQUIVALENT, EQUIVALENT);
        assertThat(compare("GET /start", json("flow", uuid(0)), json("flow", uuid(OTHER)))
                        .kind())
                .as("what was a difference before, now that the place is known")
                .isEqualTo(EQUIVALENT);
    }

    @Test
    void samePairAgainAndAgain_isNoEvidence() {
        for (int i = 0; i < 10; i++) {
            assertThat(compare("GET /start", json("flow", uuid(1)), json("flow", uuid(2)))
                            .kind())
                    .isEqualTo(DIFFERENT);
        }
    }

    @Test
    void pair_isWithdrawn_whenItsPlaceTurnsOutToShowTheSame() {
        assertThat(compare("POST /orders", json("id", uuid(1)), json("id", uuid(2)))
                        .kind())
                .isEqualTo(EQUIVALENT);
        assertThat(replies.identities.debugValueOf(uuid(1))).isEqualTo(uuid(2));
        assertThat(compare("POST /orders", json("id", uuid(3)), json("id", uuid(3)))
                        .kind())
                .isEqualTo(SAME);
        assertThat(replies.identities.debugValueOf(uuid(1))).isNull();
        assertThat(compare("POST /orders", json("id", uuid(1)), json("id", uuid(2)))
                        .kind())
                .isEqualTo(DIFFERENT);
    }

    @Test
    void oneEqualReplyAmongMany_takesNothingBack() {
        for (int i = 0; i < 50; i++) {
            compare("POST /orders", json("id", uuid(i)), json("id", uuid(OTHER + i)));
        }
        compare("POST /orders", json("id", uuid(99)), json("id", uuid(99)));
        assertThat(compare("POST /orders", json("id", uuid(60)), json("id", uuid(OTHER + 60)))
                        .kind())
                .isEqualTo(EQUIVALENT);
        assertThat(replies.identities.debugValueOf(uuid(7))).isEqualTo(uuid(OTHER + 7));
    }

    @Test
    void placeOfOneRoute_saysNothingOfAnother() {
        for (int i = 0; i < 20; i++) {
            compare("GET /products/" + i, json("id", uuid(i)), json("id", uuid(i)));
        }
        assertThat(compare("POST /orders", json("id", uuid(50)), json("id", uuid(51)))
                        .kind())
                .isEqualTo(EQUIVALENT);
    }

    @Test
    void signedTokenThatBothSidesShow_leavesOthersWithItsHeaderAlone() {
        String shown = token("{\"role\":\"anon\",\"iat\":1700000000}", 1);
        login(2);
        assertThat(compare("GET /config", json("publicToken", shown), json("publicToken", shown))
                        .kind())
                .isEqualTo(SAME);
        login(3);
        login(4);
    }

    @Test
    void signedTokenThatBothSidesShow_isNoPairItself() {
        String shown = token("{\"sub\":\"1\",\"jti\":\"a\"}", 1);
        compare("GET /config", json("publicToken", shown), json("publicToken", shown));
        Verdict verdict =
                compare("GET /signin", json("token", shown), json("token", token("{\"sub\":\"1\",\"jti\":\"b\"}", 2)));
        assertThat(verdict.kind()).isEqualTo(DIFFERENT);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '~',
            value = {
                "{\"sub\":\"1\",\"role\":\"user\",\"jti\":\"a\"}|{\"sub\":\"1\",\"role\":\"admin\",\"jti\":\"b\"}"
                        + "|body.token.claims.role",
                "{\"sub\":\"1\",\"iat\":1000,\"exp\":4600}|{\"sub\":\"1\",\"iat\":1001,\"exp\":8201}"
                        + "|body.token.claims.exp",
                "{\"sub\":\"f81d4fae-7dec-41d0-a765-00a0c91e6bf6\"}"
                        + "|{\"sub\":\"9b2e8a77-30c1-4f6e-8d52-6b1f0c4ae913\"}|body.token.claims.sub"
            },
            delimiter = '|')
    void wrongClaim_isReportedByItsName(String ours, String theirs, String path) {
        for (String method : List.of("GET", "POST")) {
            Verdict verdict =
                    compare(method + " /signin", json("token", token(ours, 1)), json("token", token(theirs, 2)));
            assertThat(verdict.differences())
                    .filteredOn(difference -> difference.noise() == null)
                    .extracting(Difference::path)
                    .contains(path)
                    .allMatch(real -> real.startsWith("body.token.claims."));
        }
    }

    @Test
    void signature_isReportedWithoutShowingIt_whereTheClaimsAreAlike() {
        String shown = token("{\"sub\":\"1\"}", 1);
        String other = token("{\"sub\":\"1\"}", 2);
        for (int i = 0; i < 3; i++) {
            compare("POST /key", json("token", shown), json("token", shown));
        }
        Verdict verdict = compare("POST /key", json("token", shown), json("token", other));
        assertThat(verdict.differences())
                .filteredOn(difference -> difference.noise() == null)
                .singleElement()
                .satisfies(difference -> {
                    assertThat(difference.path()).isEqualTo("body.token.signature");
                    assertThat(difference.debug()).isEqualTo("[masked 43 chars, other token]");
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"k8Zq2Lw9Xv4Tn7RbJ5+", "9f86d081884c7d659a2feaa0c55ad015/", "A1b2C3d4E5f6G7h8I9="})
    void sharedPrefix_leavesWhatStandsBehindItAlone(String prefix) {
        compare("GET /config", json("keyId", prefix + "x"), json("keyId", prefix + "x"));
        String ours = prefix + "kT3vQ9xZ2mB7nL5pR8wY4c";
        String theirs = prefix + "Zp7Hd2Kq9Wm4Xv6Ts1Ra8b";
        Verdict verdict = compare("POST /login", json("apiToken", ours), json("apiToken", theirs));
        assertThat(verdict.differences()).extracting(Difference::noise).containsOnly(Noise.IDENTITY);
    }

    private void login(int n) {
        String ours = token("{\"sub\":\"42\",\"jti\":\"" + uuid(n) + "\"}", n);
        String theirs = token("{\"sub\":\"42\",\"jti\":\"" + uuid(OTHER + n) + "\"}", OTHER + n);
        Verdict verdict = compare("GET /signin", json("token", ours), json("token", theirs));
        assertThat(verdict.differences()).extracting(Difference::noise).containsOnly(Noise.IDENTITY);
        assertThat(replies.identities.debugValueOf(ours)).isEqualTo(theirs);
    }

    private List<VerdictKind> everyTenthIsWrong(String request, int first, IntFunction<byte[]> reply) {
        List<VerdictKind> kinds = new ArrayList<>();
        for (int i = first; i < first + EXCHANGES; i++) {
            boolean wrong = i % FAULTY == 0;
            kinds.add(compare(request + i, reply.apply(i), reply.apply(wrong ? i + OTHER : i))
                    .kind());
        }
        return kinds;
    }

    private Verdict compare(String request, String production, String debug) {
        return compare(request, production.getBytes(StandardCharsets.UTF_8), debug.getBytes(StandardCharsets.UTF_8));
    }

    private Verdict compare(String request, byte[] production, byte[] debug) {
        return replies.comparison.compare(
                request,
                Replies.reply(production, Replies.NOON, 1 << 20),
                Replies.reply(debug, Replies.LATER, 1 << 20));
    }

    private static byte[] json(String name, String value) {
        String body = "{\"status\":\"paid\",\"" + name + "\":\"" + value + "\"}";
        return Replies.ok("application/json", body).getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] at(String where, String value) {
        String wire = switch (where) {
            case "header" -> Replies.withHeader("X-Customer: " + value);
            case "cookie" -> Replies.withHeader("Set-Cookie: customer=" + value + "; Path=/");
            case "xml" -> Replies.ok("application/xml", "<order><customer>" + value + "</customer></order>");
            case "form" -> Replies.ok("application/x-www-form-urlencoded", "status=paid&customer=" + value);
            case "list" -> Replies.ok("application/json", "[{\"n\":1},{\"customers\":[\"x\",\"" + value + "\"]}]");
            default -> "";
        };
        return wire.isEmpty() ? gzipped(value, 9) : wire.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] gzipped(String value, int level) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(body) {
            {
                def.setLevel(level);
            }
        }) {
            gzip.write(("{\"customer\":\"" + value + "\"}").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ByteArrayOutputStream reply = new ByteArrayOutputStream();
        reply.writeBytes(
                ("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: "
                                + body.size()
                                + "\r\n\r\n")
                        .getBytes(StandardCharsets.UTF_8));
        reply.writeBytes(body.toByteArray());
        return reply.toByteArray();
    }

    private static String value(String kind, int n) {
        Random random = new Random(n);
        return switch (kind) {
            case "iban" -> "DE" + pick(random, "0123456789", 20);
            case "productId" -> "507f" + pick(random, "0123456789abcdef", 20);
            case "customerId" -> uuid(n);
            default -> pick(random, "ABCDEFGHJKLMNPRSTUVWXYZ0123456789", 17);
        };
    }

    private static String pick(Random random, String from, int length) {
        StringBuilder picked = new StringBuilder();
        for (int i = 0; i < length; i++) {
            picked.append(from.charAt(random.nextInt(from.length())));
        }
        return picked.toString();
    }

    private static String uuid(int n) {
        return UUID.nameUUIDFromBytes(Integer.toString(n).getBytes(StandardCharsets.UTF_8))
                .toString();
    }

    private static String token(String claims, int seed) {
        byte[] signature = new byte[32];
        new Random(seed).nextBytes(signature);
        return base64("{\"alg\":\"HS256\",\"typ\":\"JWT\"}".getBytes(StandardCharsets.UTF_8))
                + '.'
                + base64(claims.getBytes(StandardCharsets.UTF_8))
                + '.'
                + base64(signature);
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
