package dev.understudy.divergence.mask;

import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Noise;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.compare.VerdictKind;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class MaskingTest {
    private static final List<String> PIECES = List.of(
            "\"",
            "'",
            "\\",
            "{",
            "}",
            "[",
            "]",
            "=",
            ":",
            " ",
            "&",
            "age",
            "diagnosis",
            "home",
            "Address",
            "_",
            ".",
            "\ud83d",
            "5",
            "] in ",
            "x",
            "%5B",
            "ß");

    private final Masking masking = new Masking(Set.of("X-Tenant", "diagnosis", "homeAddress", "größe", "age"));

    @Test
    void chosenForms_areMaskedWhereverTheyStand_whateverTheirName() {
        Masking chosen = new Masking(new SecretRules(Set.of("diagnosis"), List.of(SecretRules.value("EMP-[0-9]{6}"))));
        String inside = Base64.getEncoder().encodeToString("{\"who\":\"EMP-471100\"}".getBytes(UTF_8));
        assertThat(chosen.within("by EMP-471100, EMP-471101 and EMP-4711"))
                .isEqualTo("by [masked], [masked] and EMP-4711");
        assertThat(chosen.within("state=" + inside)).isEqualTo("state=[masked]");
        assertThat(chosen.target("/staff/EMP-471100?of=EMP%2D471100")).isEqualTo("/staff/[masked]?of=[masked]");
        assertThat(chosen.header("X-Asked-By", "EMP-471100")).isEqualTo("[masked]");
        assertThat(chosen.statement("select * from staff where badge = 'EMP-471100'"))
                .isEqualTo("select * from staff where badge = '[masked]'");
        assertThat(chosen.command("GET badge:EMP-471100:name")).isEqualTo("GET badge:[masked]:name");
        assertThat(chosen.command("HSET EMP-471100 diagnosis flu")).isEqualTo("HSET [masked] diagnosis [masked]");
        Difference shown =
                chosen.mask(new Difference("body.badge", Difference.Type.VALUE, "EMP-471100", "EMP-471101", null));
        assertThat(shown.toString()).doesNotContain("4711");
        assertThat(masking.within("by EMP-471100")).isEqualTo("by EMP-471100");
    }

    @Test
    void chosenForms_areLookedForInTimeThatGrowsWithTheText() {
        Masking chosen = new Masking(new SecretRules(Set.of(), List.of(SecretRules.value("(?:a+)+b"))));
        String long1 = "a".repeat(50_000);
        assertThat(chosen.within(long1)).isEqualTo(long1);
        assertThat(chosen.within(long1 + "b")).isEqualTo("[masked]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"(", "a*", "", "(a)\\1", "a{1,5000}"})
    void expressionsThatAreNone_orFindNothing_areRefused(String expression) {
        assertThatThrownBy(() -> SecretRules.value(expression)).isInstanceOf(IllegalArgumentException.class);
    }

    private String shown(String path, String value, @Nullable Noise noise) {
        Difference difference = new Difference(path, Difference.Type.VALUE, value, value + "2", noise);
        return masking.mask(new Verdict(VerdictKind.DIFFERENT, null, List.of(difference)))
                .toString();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "header.Set-Cookie[JSESSIONID]",
                "header.Authorization",
                "header.x-api-key",
                "header.X-Tenant",
                "body.user.password",
                "body.newPassword",
                "body.secrets[0].value",
                "body.accessToken",
                "body[\"api_key\"]",
                "body.card.pin",
                "body.DIAGNOSIS",
                "body.patient.mainDiagnosis2",
                "body.diagnosis[0].code",
                "body[\"home address\"]",
                "rows[3].home_address",
                "rows[3].HOMEADDRESS",
                "body.HTTPDiagnosis",
                "body.Größe",
                "body.x_tenant",
            })
    void secretPlace_showsNoValue(String path) {
        assertThat(shown(path, "hunter", null)).doesNotContain("hunter").contains("[masked");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "body.user.name",
                "header.Content-Type",
                "body.shipping",
                "body.items[3].price",
                "status",
                "body.page",
                "body.prediagnosis",
                "body.home",
                "body.home[0].address",
                "header.Message"
            })
    void otherPlaces_showTheirValue(String path) {
        assertThat(shown(path, "hunter", null)).contains("hunter").doesNotContain("[masked");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "hunter2 | hunter3 | [masked] | [masked, another]",
                "hunter2 | a long pass phrase | [masked] | [masked 18 chars, text]",
                "\"f81d4fae-7dec-41d0-a765-00a0c91e6bf6\" | \"9b2e8a77-30c1-4f6e-8d52-6b1f0c4ae913\""
                        + " | [masked 36 chars, uuid] | [masked 36 chars, other uuid]",
                "900150983cd24fb0d6963f7d28e17f72 | 900150983cd24fb0d6963f7d28e17f7"
                        + " | [masked 32 chars, hex] | [masked 31 chars, hex]",
                "eyJhbGciOiJub25lIn0.e30. | eyJhbGciOiJub25lIn0.e3A."
                        + " | [masked 24 chars, signed token] | [masked 24 chars, other signed token]",
                "4929123123123123123 | kT3vQ9xZ2mB7nL5pR8w | [masked 19 chars, digits] | [masked 19 chars, token]",
            })
    void secrets_areToldApartWithoutShowingThem(String ours, String theirs, String shown, String other) {
        Difference masked = masking.mask(new Difference("body.token", Difference.Type.VALUE, ours, theirs, null));

        assertThat(masked.production()).isEqualTo(shown);
        assertThat(masked.debug()).isEqualTo(other);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "path | / | /shop",
                "domain | .shop.example | shop.example",
                "samesite | Lax | None",
                "max-age | 3600 | 60",
                "expires | Thu, 01 Jan 1970 00:00:00 GMT | Wed, 21 Oct 2026 07:28:00 GMT",
            })
    void attributesOfACookie_areShown(String name, String ours, String theirs) {
        String path = "header.Set-Cookie[JSESSIONID]." + name;
        Difference shown = new Masking(Set.of()).mask(new Difference(path, Difference.Type.VALUE, ours, theirs, null));
        assertThat(shown.production()).isEqualTo(ours);
        assertThat(shown.debug()).isEqualTo(theirs);
    }

    @Test
    void flagsOfACookie_areShown_asTheyAreThereOrNot() {
        Difference missing =
                masking.mask(new Difference("header.Set-Cookie[SID].secure", Difference.Type.MISSING, "", null, null));
        assertThat(missing.production()).isEmpty();
        assertThat(missing.debug()).isNull();
    }

    /** What stands in a cookie's own value may have an attribute's name. */
    @ParameterizedTest
    @ValueSource(strings = {"path", "domain", "secure", "samesite", "expires", "max-age", "user"})
    void partsOfACookiesValue_areMasked_whateverTheirNames(String name) {
        Difference part = new Difference(
                "header.Set-Cookie[SID]." + name, Difference.Type.VALUE, "\"/hunter.example\"", "\"/other\"", null);
        assertThat(new Masking(Set.of()).mask(part).toString()).doesNotContain("hunter");
        assertThat(shown("header.Set-Cookie[SID]." + name, "hunter the second", null))
                .doesNotContain("hunter");
        assertThat(shown("header.Set-Cookie[age].path", "/hunter", null))
                .as("a name that was chosen")
                .doesNotContain("hunter");
    }

    @Test
    void signaturesOfTokens_areOutlinedOnce() {
        Difference signature = new Difference(
                "body.token.signature",
                Difference.Type.VALUE,
                "[masked 43 chars, token]",
                "[masked 43 chars, other token]",
                null);
        assertThat(masking.mask(signature)).isEqualTo(signature);
    }

    @Test
    void textsThatAreAlikeOnceMasked_sayThatTheyDiffer() {
        Difference links = masking.mask(new Difference(
                "body.link", Difference.Type.VALUE, "/x?page=1&token=abc123", "/x?page=1&token=def456", null));
        assertThat(links.production()).isEqualTo("/x?page=1&token=[masked]");
        assertThat(links.debug()).isEqualTo("/x?page=1&token=[masked] (what is masked differs)");
        Difference plain = masking.mask(
                new Difference("body.link", Difference.Type.VALUE, "/x?token=abc123", "/y?token=abc123", null));
        assertThat(plain.debug()).isEqualTo("/y?token=[masked]");
    }

    @Test
    void secretBesideNothing_isMaskedAlone() {
        Difference masked = masking.mask(new Difference("body.pin", Difference.Type.EXTRA, null, "1234", null));

        assertThat(masked.production()).isNull();
        assertThat(masked.debug()).isEqualTo("[masked]");
    }

    @Test
    void identities_areNotShown() {
        assertThat(shown("body.id", "5F1C9A07B3E24D66", Noise.IDENTITY)).doesNotContain("5F1C9A07B3E24D66");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "password=hunter2&a=b | password=[masked]&a=b",
                "{\"password\":\"hunter2\",\"a\":1} | {\"password\":[masked],\"a\":1}",
                "Authorization: Bearer abc.def | Authorization: [masked] [masked]",
                "sent Bearer abcdef123 today | sent Bearer [masked] today",
                "nothing to see here | nothing to see here",
                "a=b&c=d | a=b&c=d",
                "diagnosis=flu&page=2 | diagnosis=[masked]&page=2",
                "patient%5Bdiagnosis%5D=flu&x=1 | patient%5Bdiagnosis%5D=[masked]&x=1",
                "patient[diagnosis][]=flu&x=1 | patient[diagnosis][]=[masked]&x=1",
                "{\"größe\":180,\"a\":1} | {\"größe\":[masked],\"a\":1}",
                "{\"diagnosis\":\"say \\\"flu\\\" twice\",\"a\":1} | {\"diagnosis\":[masked],\"a\":1}",
                "{\"diagnosis\":{\"code\":[\"J11\",\"}\"]},\"a\":1} | {\"diagnosis\":[masked],\"a\":1}",
                "{\"diagnosis\":[\"J11 | {\"diagnosis\":[masked]",
                "\"{\\\"diagnosis\\\":\\\"flu, bad\\\",\\\"a\\\":1}\" | \"{\\\"diagnosis\\\":[masked],\\\"a\\\":1}\"",
                "next=/a?diagnosis=flu&x=1 | next=/a?diagnosis=[masked]&x=1",
                "diagnosis='it''s flu', a=1 | diagnosis=[masked], a=1",
                "diagnosis= | diagnosis=",
            })
    void secretsWithinATextOrTarget_areMasked(String text, String expected) {
        assertThat(masking.within(text)).isEqualTo(expected);
    }

    @Test
    void target_keepsWhatIsNoSecret() {
        assertThat(masking.target("/orders?token=abc&page=2")).isEqualTo("/orders?token=[masked]&page=2");
        assertThat(masking.target("/in;jsessionid=ABC?x=1")).isEqualTo("/in;jsessionid=[masked]?x=1");
        assertThat(masking.target("/orders/7")).isEqualTo("/orders/7");
        assertThat(masking.header("Cookie", "a=b")).isEqualTo(Masking.MASK);
        assertThat(masking.header("Accept", "text/html")).isEqualTo("text/html");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "SELECT a FROM t WHERE id = 7 [7, 5 bytes #ab12] in shop | SELECT a FROM t "
                        + "WHERE id = 7 [7, 5 bytes #ab12] in shop",
                "INSERT INTO t (id, age) VALUES (7, 1.5e3) | INSERT INTO t (id, age) VALUES ([masked], [masked])",
                "UPDATE t1 SET age = $2 WHERE id = $1 [7, 41] in shop | UPDATE t1 SET age = "
                        + "[masked] WHERE id = $1 [masked] in shop",
                "UPDATE t SET age = $2 WHERE id = $1 [7, 41, 12… | UPDATE t SET age = [masked] WHERE id = $1 [masked]",
            })
    void statementThatNamesAChosenField_showsNoValues(String sql, String expected) {
        assertThat(masking.statement(sql)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "HSET user:1 name Bob | HSET user:1 name Bob",
                "HSET user:1 name Bob age 41 x 1 | HSET user:1 name Bob age [masked]",
                "SET user:1:diagnosis flu | SET user:1:diagnosis [masked]",
                "GET user:1:diagnosis | GET user:1:diagnosis",
            })
    void commandThatNamesAChosenField_showsNothingBehindIt(String words, String expected) {
        assertThat(masking.command(words)).isEqualTo(expected);
    }

    @Test
    void anyText_isMaskedWithoutFailing() {
        for (long seed = 0; seed < 3_000; seed++) {
            Random random = new Random(seed);
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(60); i > 0; i--) {
                text.append(PIECES.get(random.nextInt(PIECES.size())));
            }
            String some = text + "\ndiagnosis=hunter";
            assertThat(masking.within(some)).as("seed %d: %s", seed, some).doesNotContain("hunter");
            masking.statement(some);
            masking.command(some);
        }
        String long1 = "diagnosis=" + "{\"\\".repeat(100_000);
        assertThat(masking.within(long1)).isEqualTo("diagnosis=" + Masking.MASK);
    }
}
