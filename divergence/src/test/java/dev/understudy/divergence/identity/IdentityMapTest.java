package dev.understudy.divergence.identity;

import dev.understudy.divergence.content.MediaType;
import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.RequestHead;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class IdentityMapTest {
    private static final String FORM = "application/x-www-form-urlencoded";
    private static final String OURS = "5F1C9A07B3E24D6688A1C0FFEE012345";
    private static final String THEIRS = "A93B0D5E7C1F48229D64B7E8F0A1C2D3";

    private final IdentityMap identities = new IdentityMap(100);

    private static RequestHead get(String target, Header... headers) {
        return new RequestHead("GET", target, "HTTP/1.1", List.of(headers));
    }

    private String rewritten(String name, String value) {
        return identities
                .rewrite(get("/", new Header(name, value)))
                .headers()
                .get(0)
                .value();
    }

    @Test
    void learnedValue_isReplacedWhereRequestsCarryIt() {
        assertThat(identities.learn(OURS, THEIRS)).isTrue();

        assertThat(rewritten("Cookie", "a=1; JSESSIONID=" + OURS + "; b=2"))
                .isEqualTo("a=1; JSESSIONID=" + THEIRS + "; b=2");
        assertThat(rewritten("Cookie", "JSESSIONID=\"" + OURS + "\"")).isEqualTo("JSESSIONID=\"" + THEIRS + "\"");
        assertThat(rewritten("Authorization", "Bearer " + OURS)).isEqualTo("Bearer " + THEIRS);
        assertThat(rewritten("X-Csrf-Token", OURS)).isEqualTo(THEIRS);
        assertThat(rewritten("Referer", "http://a/b?s=" + OURS + "#x")).isEqualTo("http://a/b?s=" + THEIRS + "#x");
        assertThat(identities
                        .rewrite(get("/s/" + OURS + "/x;jsessionid=" + OURS + "?t=" + OURS + "&u=1"))
                        .target())
                .isEqualTo("/s/" + THEIRS + "/x;jsessionid=" + THEIRS + "?t=" + THEIRS + "&u=1");
    }

    @Test
    void otherHeads_areReturnedAsTheyAre() {
        RequestHead head = get("/orders/7", new Header("Cookie", "JSESSIONID=" + THEIRS));
        assertThat(identities.rewrite(head)).isSameAs(head);
        identities.learn(OURS, THEIRS);
        assertThat(identities.rewrite(head)).isSameAs(head);
        RequestHead host = get("/", new Header("Host", OURS));
        assertThat(identities.rewrite(host)).isSameAs(host);
    }

    @Test
    void base64Value_isFoundPlainAndPercentEncoded() {
        String ours = Base64.getEncoder()
                        .encodeToString(
                                UUID.nameUUIDFromBytes(new byte[1]).toString().getBytes(StandardCharsets.US_ASCII))
                + "";
        String theirs = Base64.getEncoder()
                .encodeToString(UUID.nameUUIDFromBytes(new byte[2]).toString().getBytes(StandardCharsets.US_ASCII));
        assertThat(identities.learn(ours, theirs)).isTrue();
        assertThat(rewritten("Cookie", "SESSION=" + ours)).isEqualTo("SESSION=" + theirs);

        assertThat(identities.learn("q8Z/3xY+7bN2mK5vR1tW9c==", "H4s+9Lp/2Vd6Gj8Xa3Qe7f=="))
                .isTrue();
        assertThat(identities
                        .rewrite(get("/x?t=q8Z%2F3xY%2B7bN2mK5vR1tW9c%3D%3D"))
                        .target())
                .isEqualTo("/x?t=H4s%2B9Lp%2F2Vd6Gj8Xa3Qe7f%3D%3D");
        assertThat(rewritten("X-Token", "q8Z/3xY+7bN2mK5vR1tW9c==")).isEqualTo("H4s+9Lp/2Vd6Gj8Xa3Qe7f==");
    }

    @ParameterizedTest
    @CsvSource({
        "abc, xyz",
        "17, 18",
        "1234567890123456, 9876543210987654",
        "order-2026-000017, order-2026-000018",
        "OrderConfirmationPage, OrderCancellationPage",
        "2026-03-04T12:00:00Z, 2026-03-04T12:03:00Z",
        "alice@example.com.invalid, bob@example.com.invalid",
        "aaaaaaaaaaaaaaaaaaaaaaa1, bbbbbbbbbbbbbbbbbbbbbbb2",
        "5F1C9A07B3E24D66, 5F1C9A07B3E24D67",
        "5F1C9A07B3E24D6688A1C0FFEE012345, kT3vQ9xZ2mB7nL5pR8wY4c",
        "3f2504e0-4f89-41d3-9a0c-0305e82c3301, 3f2504e0-4f89-41d3-9a0c-0305e82c3302",
        "eyJ1c2VyIjoiYWxpY2UiLCJyb2xlIjoidXNlciJ9, eyJ1c2VyIjoiYm9ieXkiLCJyb2xlIjoiYWRtaW4ifQ",
    })
    void shortOrGuessableValues_areNotLearned(String production, String debug) {
        assertThat(identities.learn(production, debug)).isFalse();
        assertThat(identities.size()).isZero();
    }

    @Test
    void randomIds_areLearnedPracticallyAlways() {
        int missed = 0;
        for (int seed = 0; seed < 3000; seed++) {
            Random random = new Random(seed);
            IdentityMap map = new IdentityMap(10);
            missed += map.learn(id(random, seed % 4), id(random, seed % 4)) ? 0 : 1;
        }
        assertThat(missed).isLessThanOrEqualTo(15); // one in 200
    }

    private static String id(Random random, int kind) {
        byte[] bytes = new byte[16];
        random.nextBytes(bytes);
        return switch (kind) {
            case 0 -> UUID.nameUUIDFromBytes(bytes).toString();
            case 1 -> java.util.HexFormat.of().withUpperCase().formatHex(bytes);
            case 2 -> java.util.HexFormat.of().formatHex(bytes, 0, 8);
            default -> Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        };
    }

    @Test
    void signedTokens_standForEachOtherOnlyIfTheyClaimTheSame() {
        String alice = token("{\"sub\":\"alice\",\"iat\":1000,\"exp\":4600,\"jti\":\"x1\"}", 'k');
        String later = token("{\"sub\":\"alice\",\"iat\":1180,\"exp\":4780,\"jti\":\"y2\"}", 'm');
        assertThat(identities.learn(alice, later)).isTrue();
        assertThat(rewritten("Authorization", "Bearer " + alice)).isEqualTo("Bearer " + later);

        IdentityMap fresh = new IdentityMap(10);
        assertThat(fresh.learn(alice, token("{\"sub\":\"mallory\",\"iat\":1180,\"exp\":4780,\"jti\":\"y2\"}", 'm')))
                .isFalse();
        assertThat(fresh.learn(alice, token("{\"sub\":\"alice\",\"iat\":1180,\"exp\":9999,\"jti\":\"y2\"}", 'm')))
                .isFalse();
        assertThat(fresh.learn(alice, token("{\"sub\":\"alice\",\"iat\":1180,\"jti\":\"y2\"}", 'm')))
                .isFalse();
    }

    private static String token(String claims, char signature) {
        Base64.Encoder url = Base64.getUrlEncoder().withoutPadding();
        return url.encodeToString("{\"alg\":\"HS256\"}".getBytes(StandardCharsets.US_ASCII))
                + "."
                + url.encodeToString(claims.getBytes(StandardCharsets.US_ASCII))
                + "."
                + String.valueOf(signature).repeat(43);
    }

    @Test
    void pairs_areOneToOne() {
        String other = "0B7E62D9F4A84C1397E5D3C2B1A0F9E8";
        identities.learn(OURS, THEIRS);
        assertThat(identities.learn(OURS, THEIRS)).isTrue();
        assertThat(identities.learn(OURS, other)).isFalse();
        assertThat(identities.learn(other, THEIRS)).isFalse();
        assertThat(identities.learn(THEIRS, other)).isFalse();
        identities.replace(OURS, other);
        assertThat(identities.debugValueOf(OURS)).isEqualTo(other);
        assertThat(identities.size()).isEqualTo(1);
    }

    @Test
    void sharedValue_isNeverAnIdentity() {
        identities.shared("{\"customer\":\"" + OURS + "\"}");
        assertThat(identities.learn(OURS, THEIRS)).isFalse();
        assertThat(identities.learn("0B7E62D9F4A84C1397E5D3C2B1A0F9E8", OURS)).isFalse();
    }

    @Test
    void pairThatTurnsOutToBeShared_isDropped() {
        identities.learn(OURS, THEIRS);
        identities.shared(("id " + THEIRS).getBytes(StandardCharsets.US_ASCII));
        assertThat(identities.debugValueOf(OURS)).isNull();
        assertThat(identities.size()).isZero();
    }

    @Test
    void size_isBounded_leastRecentlyUsedFirst() {
        Random random = new Random(1);
        identities.learn(OURS, THEIRS);
        for (int i = 0; i < 1000; i++) {
            identities.learn(id(random, 1), id(random, 1));
            assertThat(identities.size()).isLessThanOrEqualTo(100);
            assertThat(identities.debugValueOf(OURS)).isEqualTo(THEIRS);
        }
        for (int i = 0; i < 100; i++) {
            identities.learn(id(random, 1), id(random, 1));
        }
        assertThat(identities.debugValueOf(OURS)).isNull();
    }

    @Test
    void sharedValues_areBoundedAndForgottenInOrder() {
        SharedValues shared = new SharedValues(100);
        Random random = new Random(2);
        shared.addTokens(OURS);
        for (int i = 0; i < 90; i++) {
            shared.addTokens(id(random, 1));
        }
        assertThat(shared.contains(OURS)).isTrue();
        for (int i = 0; i < 5000; i++) {
            shared.addTokens(id(random, 1));
        }
        assertThat(shared.contains(OURS)).isFalse();
    }

    @Test
    void anything_canBeRewrittenWithoutAnException() {
        identities.learn(OURS, THEIRS);
        for (int seed = 0; seed < 2000; seed++) {
            Random random = new Random(seed);
            StringBuilder text = new StringBuilder("/");
            for (int i = random.nextInt(60); i > 0; i--) {
                text.append(random.nextInt(8) == 0 ? OURS : "").append("%;=&?\"/, é+".charAt(random.nextInt(11)));
            }
            RequestHead rewritten = identities.rewrite(get(text.toString(), new Header("Cookie", text.toString())));
            assertThat(rewritten.target()).as("seed %d", seed).doesNotContain("/" + OURS + "/");
        }
    }

    @Test
    void body_isRewrittenWhereFormsAndJsonCarryIt() {
        String ours = "Ab3+dE5/gH7iJ9kL1mN3oP5q==";
        String theirs = "Zy8/xW6vU4+tS2rQ0pO8nM6l==";
        assertThat(identities.learn(ours, theirs)).isTrue();
        identities.learn(OURS, THEIRS);

        assertThat(body(FORM, "text=a+b%3D&_csrf=Ab3%2BdE5%2FgH7iJ9kL1mN3oP5q%3D%3D&x="))
                .isEqualTo("text=a+b%3D&_csrf=Zy8%2FxW6vU4%2BtS2rQ0pO8nM6l%3D%3D&x=");
        assertThat(body(FORM, "next=%2Fn%2f" + OURS + "+x:y&s=" + OURS))
                .isEqualTo("next=%2Fn%2F" + THEIRS + "+x:y&s=" + THEIRS);
        assertThat(body(
                        "application/json",
                        "{\"t\":\"Ab3+dE5\\/gH7iJ9kL1mN3oP5q\\u003d=\",\"é\":\"\\\"" + OURS + "\"}"))
                .isEqualTo("{\"t\":\"" + theirs + "\",\"é\":\"\\\"" + THEIRS + "\"}");
        assertThat(body("multipart/form-data; boundary=x", "--x\r\n\r\n" + OURS + "\r\n--x--"))
                .isEqualTo("--x\r\n\r\n" + THEIRS + "\r\n--x--");
        assertThat(body("application/xml", "<note id='" + OURS + "'><about>" + OURS + "</about></note>"))
                .isEqualTo("<note id='" + THEIRS + "'><about>" + THEIRS + "</about></note>");
    }

    @Test
    void body_withoutKnownValues_isReturnedAsItIs() {
        byte[] body = "{\"a\":\"\\u0041\",\"b\":\"%41\"}".getBytes(StandardCharsets.UTF_8);
        MediaType json = Objects.requireNonNull(MediaType.of("application/json"));
        identities.learn(OURS, THEIRS);

        assertThat(identities.rewrite(json, body)).isSameAs(body);
        assertThat(IdentityMap.reads(Objects.requireNonNull(MediaType.of("image/png"))))
                .isFalse();
    }

    @Test
    void bodies_ofAnything_areRewrittenWithoutAnException() {
        identities.learn(OURS, THEIRS);
        Random random = new Random(17);
        String[] pieces = {"\"", "\\", "\\u0", "%", "%4", "&", "=", OURS, OURS.substring(3), "{", "+", "\0", "ä"};
        for (int i = 0; i < 2000; i++) {
            StringBuilder text = new StringBuilder();
            for (int n = random.nextInt(30); n >= 0; n--) {
                text.append(pieces[random.nextInt(pieces.length)]);
            }
            assertThat(body(FORM, text.toString())).as("round %d", i).doesNotContain("&" + OURS + "&");
            for (String type : List.of("application/json", "text/plain")) {
                String changed = body(type, text.toString());
                assertThat(changed.replace(THEIRS, OURS))
                        .as("round %d of %s", i, type)
                        .isEqualTo(text.toString());
            }
        }
    }

    private String body(String type, String text) {
        MediaType media = Objects.requireNonNull(MediaType.of(type));
        return new String(identities.rewrite(media, text.getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8);
    }
}
