package dev.understudy.divergence.mask;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

class SecretFormsTest {
    private static final List<String> PIECES = List.of(
            "-----BEGIN ",
            "PRIVATE KEY-----",
            "-----END ",
            "eyJ",
            ".",
            "-",
            "/reset/",
            "://",
            "@",
            ":",
            "4111",
            "1111",
            " ",
            "?code=",
            "Bearer ",
            "ghp_",
            "AKIA",
            "\ud83d",
            "x".repeat(40),
            "\n");

    private final Masking masking = new Masking(Set.of());

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "authorization was bearer abcdef0123456789 | authorization was bearer [masked]",
                "sent BASIC dXNlcjpwYXNz now               | sent BASIC [masked] now",
                "sent Basic dXNl now                       | sent Basic [masked] now",
                "id AKIAIOSFODNN7EXAMPLE used              | id [masked] used",
                "maps AIzaSyA1234567890abcdefghijklmnopqrstuv | maps [masked]",
                "git ghp_0123456789abcdefghijABCDEFGHIJ012345 | git [masked]",
                "ci glpat-0123456789abcdefghij             | ci [masked]",
                "chat xoxb-1234567890-abcdef               | chat [masked]",
                "pay sk_live_0123456789abcdef              | pay [masked]",
                "x eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.sig_-1 y | x [masked] y",
                "jdbc:postgresql://ann:s3cr3t@db/shop      | jdbc:postgresql://ann:[masked]@db/shop",
                "redis://:s3cr3t@cache:6379                | redis://:[masked]@cache:6379",
                "card 4111 1111 1111 1111 declined         | card [masked] declined",
                "5555-5555-5555-4444                       | [masked]",
                "{\"n\":378282246310005}                   | {\"n\":[masked]}",
                "mail /password-reset/a1b2c3d4e5f6 now     | mail /password-reset/[masked] now",
                "https://x.y/Verify/9f8e7d6c?next=1        | https://x.y/Verify/[masked]?next=1",
            })
    void secret_isKnownByItsForm(String text, String shown) {
        assertThat(masking.within(text)).isEqualTo(shown);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "4111111111111112", // a wrong check digit
                "1234567890123456", // no issuer's
                "order-4111111111111111",
                "4111111111111111x",
                "0.4111111111111111",
                "2026-11-26 09:00:00.123456789",
                "123e4567-e89b-42d3-a456-426614174000",
                "41111111111111111111111",
                "-----BEGIN CERTIFICATE----- MIIB",
                "/reset/password",
                "/orders/a1b2c3d4e5f6",
                "/confirm/2",
                "a basic plan",
                "the bearer of this",
                "http://localhost:8080/a@b",
                "status code: 200",
                "promo code=SPRING",
                "AKIA is short",
            })
    void otherText_staysAsItIs(String text) {
        assertThat(masking.within(text)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "/callback?code=4/0AbCdE&state=x, /callback?code=[masked]&state=x",
        "/cart?code=fifty&otp=123456, /cart?code=fifty&otp=[masked]",
        "/cart?code=20251126, /cart?code=20251126",
        "/login?next=/a&Ticket=ST-1-abc, /login?next=/a&Ticket=[masked]",
        "/reset/a1b2c3d4e5f6?page=2, /reset/[masked]?page=2",
        "/reset/a1b2c3d4e5f6, /reset/[masked]",
        "/orders?code2=7, /orders?code2=7",
    })
    void target_hidesWhatIsGoodForOnce(String target, String shown) {
        assertThat(masking.target(target)).isEqualTo(shown);
    }

    @Test
    void linkInAHeader_isMaskedToo() {
        assertThat(masking.header("Location", "https://x.y/cb?code=abc4def5&page=1"))
                .isEqualTo("https://x.y/cb?code=[masked]&page=1");
    }

    @Test
    void privateKey_isMaskedToItsEnd_orTheTexts() {
        String key = "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nAAAA\n-----END RSA PRIVATE KEY-----";

        assertThat(masking.within("a " + key + " b"))
                .isEqualTo("a -----BEGIN RSA PRIVATE KEY-----[masked]-----END RSA PRIVATE KEY----- b");
        assertThat(masking.within("a " + key.substring(0, 40))).isEqualTo("a -----BEGIN RSA PRIVATE KEY-----[masked]");
        assertThat(masking.within(key + key)).doesNotContain("MII", "AAAA");
    }

    @Test
    void noText_makesItFail_orHidesAKey() {
        Random random = new Random(26);
        for (int round = 0; round < 20_000; round++) {
            StringBuilder text = new StringBuilder();
            for (int n = random.nextInt(12); n > 0; n--) {
                text.append(PIECES.get(random.nextInt(PIECES.size())));
            }
            text.append(" AKIAIOSFODNN7EXAMPLE");
            assertThat(masking.within(text.toString())).doesNotContain("AKIAIOSFODNN7EXAMPLE");
        }
    }

    @Test
    void longTexts_takeNoLongerThanTheirLength() {
        for (String piece : PIECES) {
            String text = piece.repeat(300_000 / piece.length());
            assertTimeoutPreemptively(
                    Duration.ofSeconds(60),
                    () -> assertThatCode(() -> masking.within(text)).doesNotThrowAnyException());
        }
    }
}
