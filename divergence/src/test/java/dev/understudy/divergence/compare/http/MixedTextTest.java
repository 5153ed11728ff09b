package dev.understudy.divergence.compare.http;

import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Noise;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.mask.Masking;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.understudy.divergence.compare.VerdictKind.DIFFERENT;
import static dev.understudy.divergence.compare.VerdictKind.EQUIVALENT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

/** Texts that hold more than one thing: what is found at which place, and what stays one thing. */
class MixedTextTest {
    private static final String OURS = "4b53ae35-2935-4a7a-844f-4d2f2668e5f7";
    private static final String THEIRS = "0b080e89-9324-4cde-b575-7187ab7afecb";

    private final Replies replies = new Replies();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "body.p.a | {\"a\":1,\"b\":2} | {\"a\":9,\"b\":2}",
                "body.p.b | {\"a\":1,\"b\":2} | {\"a\":1}",
                "body.p.c | {\"a\":1} | {\"a\":1,\"c\":null}",
                "body.p[1].a | [0,{\"a\":1}] | [0,{\"a\":2}]",
                "body.p | [0,1] | [1,0]",
                "body.p | {\"a\":1} | {\"a\":1",
                "body.p | {\"a\":1} | {\"a\":1} x",
                "body.p | {\"a\":1,\"a\":1} | {\"a\":1,\"a\":2}",
                "body.p | [1] | {\"a\":1}",
                "body.p.a | {\"a\":1} | {\"a\":\"1\"}",
            })
    void jsonInAString_differsAtItsOwnPath(String path, String production, String debug) {
        Verdict verdict = replies.json("{\"p\":" + quoted(production) + "}", "{\"p\":" + quoted(debug) + "}");

        assertThat(verdict.kind()).isEqualTo(DIFFERENT);
        assertThat(verdict.differences())
                .filteredOn(difference -> difference.noise() == null)
                .singleElement()
                .satisfies(difference -> assertThat(difference.path()).isEqualTo(path));
    }

    @Test
    void jsonInAString_ofTheSameMeaning_isNoise_butNotIfItIsCoded() {
        String production = "{\"a\":1,\"b\":2}";
        String debug = "{\"b\":2, \"a\":1}";

        Verdict plain = replies.json("{\"p\":" + quoted(production) + "}", "{\"p\":" + quoted(debug) + "}");
        Verdict coded = replies.json("{\"p\":\"" + base64(production) + "\"}", "{\"p\":\"" + base64(debug) + "\"}");

        assertThat(plain.kind()).isEqualTo(EQUIVALENT);
        assertThat(plain.differences()).extracting(Difference::noise).contains(Noise.CONTENT_FORM);
        assertThat(coded.kind()).isEqualTo(DIFFERENT);
    }

    @Test
    void charactersThatAreNone_areNeverTakenForEqual() {
        assertThat(replies.json("{\"p\":\"{\\\"a\\\":\\\"\\ud83d\\\"}\"}", "{\"p\":\"{\\\"a\\\":\\\"?\\\"}\"}")
                        .kind())
                .isEqualTo(DIFFERENT);
        assertThat(replies.json("{\"p\":\"%7B%22a%22:%22%FF%22%7D\"}", "{\"p\":\"%7B%22a%22:%22%FE%22%7D\"}")
                        .kind())
                .isEqualTo(DIFFERENT);
    }

    @Test
    void textsInTexts_areReadToABoundedDepth() {
        String ours = "{\"price\":1}";
        String theirs = "{\"price\":2}";
        for (int i = 0; i < 12; i++) {
            ours = "{\"p\":" + quoted(ours) + "}";
            theirs = "{\"p\":" + quoted(theirs) + "}";
        }
        Verdict verdict = replies.json(ours, theirs);

        assertThat(verdict.kind()).isEqualTo(DIFFERENT);
        assertThat(verdict.differences().get(0).path()).isEqualTo("body.p.p.p.p.p");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "body.m | sold at 10 EUR | sold at 11 EUR",
                "body.m | 10 of them, id=ID | 11 more of them, id=ID",
                "body.m.count | count=10 id=ID | count=11 id=ID",
                "body.m.word2 | about 10 of ID | about 11 of ID",
                "body.m.id.word3 | id=ID 10 of them | id=ID 11 of them",
                "body.m.page | /items/ID?page=1 | /items/ID?page=2",
                "body.m.items | /items/1/of/ID | /items/2/of/ID",
                "body.m | user:1 | user:2",
            })
    void wordBesideWhatIsMadeUp_differsAtAPathOfItsOwn(String path, String production, String debug) {
        Verdict verdict = replies.json(
                "{\"m\":\"" + production.replace("ID", OURS) + "\"}",
                "{\"m\":\"" + debug.replace("ID", THEIRS) + "\"}");

        assertThat(verdict.kind()).isEqualTo(DIFFERENT);
        assertThat(verdict.differences()).extracting(Difference::path).contains(path);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "script-src 'nonce-aB3dE5fG7hJ9kL1m' 'sha256-HASH='",
                "<script nonce='aB3dE5fG7hJ9kL1m' integrity='sha384-HASH'>",
                "digest=HASH; session-id=aB3dE5fG7hJ9kL1m",
            })
    void hashOfContent_isNeverTakenForMadeUp_howeverNearATokenIs(String text) {
        String production = text.replace("HASH", "x3Rk9TzQm1Yb7Wc5Vd2Ue8Sf4Ga6Hj0Kp3Lq9Mw1Nx7Z");
        String debug = text.replace("HASH", "Qw8Er2Ty6Ui0Op4As7Df1Gh5Jk9Lz3Xc8Vb2Nm6Mq0Wt");

        Verdict header = replies.headers(
                "Content-Security-Policy: " + production,
                "Content-Security-Policy: " + debug.replace("aB3dE5fG7hJ9kL1m", "Zy8xW6vU4tS2rQ0p"));
        Verdict body = replies.compare(
                Replies.ok("text/html", production),
                Replies.ok("text/html", debug.replace("aB3dE5fG7hJ9kL1m", "Zy8xW6vU4tS2rQ0p")));

        assertThat(header.kind()).isEqualTo(DIFFERENT);
        assertThat(body.kind()).isEqualTo(DIFFERENT);
        assertThat(replies.identities.debugValueOf("x3Rk9TzQm1Yb7Wc5Vd2Ue8Sf4Ga6Hj0Kp3Lq9Mw1Nx7Z"))
                .isNull();
    }

    @Test
    void hashInAnAssetsName_andEntityTags_areDifferences() {
        String ours = "9f86d081884c7d659a2feaa0c55ad015";
        String theirs = "60303ae22b998861bce3b28f33eec1be";

        assertThat(replies.text("/static/app-" + ours + ".js", "/static/app-" + theirs + ".js")
                        .kind())
                .isEqualTo(DIFFERENT);
        assertThat(replies.headers("ETag: \"" + OURS + "\"", "ETag: \"" + THEIRS + "\"")
                        .differences()
                        .get(0)
                        .path())
                .isEqualTo("header.ETag");
    }

    @Test
    void anotherRecordsKeyInAText_isNoIdentityAtFirstSight() {
        assertThat(replies.text("Order " + OURS + " was sent", "Order " + THEIRS + " was sent")
                        .kind())
                .isEqualTo(DIFFERENT);
        assertThat(replies.json("{\"next\":\"/orders/" + OURS + "\"}", "{\"next\":\"/orders/" + THEIRS + "\"}")
                        .kind())
                .isEqualTo(DIFFERENT);
        assertThat(replies.identities.debugValueOf(OURS)).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ID password=SECRET",
                "ID password=\\\"my SECRET\\\" x",
                "ID Authorization: Bearer SECRET",
                "ID sent bearer SECRET",
                "ID https://user:SECRET@host/x",
                "ID https://user:a&SECRET@host/x",
                "ID https://user:SECRET(b)@host/x",
                "ID credentials={\\\"user\\\":\\\"app\\\",\\\"pass\\\":\\\"SECRET\\\"}",
                "ID password='a b=SECRET'",
                "secret=Zm9vYmFySECRETYmF6cXV4= by ID",
                "ID token=Zm9vYmFySECRETYmF6cXV4= is 1SECRET",
                "https://host/reset/7b1c2d3eSECRET/ID",
                "ID https://host/reset/SECRET/now",
                "ID https://host/x?code=SECRET&n=1",
                "ID ghp_SECRETAbCdEf0123456789AbCdEf0123456789",
                "ID card 4111 1111 1111 NUMB",
                "ID -----BEGIN PRIVATE KEY----- SECRET -----END PRIVATE KEY-----",
            })
    void secretsInParts_areMaskedAsInTheWholeText(String text) {
        Verdict verdict = replies.json(
                "{\"m\":\""
                        + text.replace("ID", OURS).replace("SECRET", "hunter21").replace("NUMB", "1111") + "\"}",
                "{\"m\":\""
                        + text.replace("ID", THEIRS)
                                .replace("SECRET", "magpie34")
                                .replace("NUMB", "1129") + "\"}");
        String shown = new Masking(Set.of()).mask(verdict).toString();

        assertThat(verdict.kind()).isEqualTo(DIFFERENT);
        assertThat(shown).doesNotContain("hunter21", "magpie34", "1129\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u2003{\"a\":1}", "{\"a\":1}\u3000", "\f[1]", "[1]\u000b", "\u2028[1]"})
    void blanksThatJsonDoesNotHave_areADifference(String debug) {
        assertThat(replies.compare(
                                Replies.ok("application/json", "{\"p\":" + quoted(debug.strip()) + "}"),
                                Replies.ok(
                                        "application/json",
                                        "{\"p\":"
                                                + quoted(debug)
                                                        .replace("\f", "\\f")
                                                        .replace("\u000b", "\\u000b")
                                                + "}"))
                        .kind())
                .isEqualTo(DIFFERENT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "c2hvcnQ"})
    void tokenWithoutItsSignature_differs_whateverElseIsNoise(String signature) {
        String header = url("{\"alg\":\"HS256\"}");
        String production = header + "." + url("{\"sub\":\"1\",\"seen\":" + Replies.NOON.getEpochSecond() + "}") + "."
                + "aB3".repeat(14);
        String debug =
                header + "." + url("{\"sub\":\"1\",\"seen\":" + Replies.LATER.getEpochSecond() + "}") + "." + signature;

        assertThat(replies.json("{\"jwt\":\"" + production + "\"}", "{\"jwt\":\"" + debug + "\"}")
                        .kind())
                .isEqualTo(DIFFERENT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<script nonce=\"NONCE\" src=\"/static/ID\"></script>",
                "<img src=/pictures/ID data-nonce=NONCE>",
                "csrf=NONCE order=ID",
                "{'csrf':'NONCE','article':'ID'}",
            })
    void namedValueBesideAToken_isNoTokenItself(String text) {
        String ours = text.replace("NONCE", "aB3dE5fG7hJ9kL1m").replace("ID", OURS);
        String theirs = text.replace("NONCE", "Zy8xW6vU4tS2rQ0p").replace("ID", THEIRS);

        assertThat(replies.compare(Replies.ok("text/html", ours), Replies.ok("text/html", theirs))
                        .kind())
                .isEqualTo(DIFFERENT);
        assertThat(replies.identities.debugValueOf(OURS)).isNull();
    }

    @Test
    void longTexts_takeTimeInProportion() {
        String words = "<a href='/x?y=1'>:=".repeat(60_000);
        String quotes = "\\\"'=:<".repeat(100_000);

        assertTimeoutPreemptively(Duration.ofSeconds(30), () -> {
            for (String text : new String[] {
                words, quotes.replace("\\", ""), "/".repeat(500_000), "a=".repeat(400_000), ".".repeat(500_000)
            }) {
                assertThat(replies.text(text + OURS + " 1", text + THEIRS + " 2")
                                .kind())
                        .isEqualTo(DIFFERENT);
                assertThat(replies.text(OURS + text + "1", THEIRS + text.replace('=', '-') + "2")
                                .kind())
                        .isEqualTo(DIFFERENT);
            }
        });
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    private static String url(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
