package dev.understudy.divergence.compare.http;

import dev.understudy.divergence.compare.VerdictKind;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.understudy.divergence.compare.VerdictKind.DIFFERENT;
import static dev.understudy.divergence.compare.VerdictKind.EQUIVALENT;
import static org.assertj.core.api.Assertions.assertThat;

/** What is read through a coding: noise within it hides neither its other parts nor how it is written. */
class CodedTextTest {
    private static final String OURS = "4b53ae35-2935-4a7a-844f-4d2f2668e5f7";
    private static final String THEIRS = "0b080e89-9324-4cde-b575-7187ab7afecb";
    private static final String SIGNED = "aB3".repeat(14);
    private static final String OTHERWISE = "xY9".repeat(14);

    private final Replies replies = new Replies();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"at\":TIME,\"n\":1}  | {\"n\":1,\"at\":TIME}",
                "{\"at\":TIME,\"n\":1}  | {\"at\":TIME, \"n\":1}",
                "{\"at\":TIME,\"n\":\"A\"} | {\"at\":TIME,\"n\":\"\\u0041\"}",
                "{\"at\":TIME,\"n\":[]} | {\"at\":TIME,\"n\":[ ]}",
            })
    void codedJson_differsByItsForm_whateverElseIsNoise(String production, String debug) {
        String ours = production.replace("TIME", "" + Replies.NOON.getEpochSecond());
        String theirs = debug.replace("TIME", "" + Replies.LATER.getEpochSecond());
        String like = production.replace("TIME", "" + Replies.LATER.getEpochSecond());

        assertThat(kind(base64(ours), base64(like))).isEqualTo(EQUIVALENT);
        assertThat(kind(base64(ours), base64(theirs))).isEqualTo(DIFFERENT);
        assertThat(kind(percent(ours), percent(like))).isEqualTo(EQUIVALENT);
        assertThat(kind(percent(ours), percent(theirs))).isEqualTo(DIFFERENT);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "at [1] | at [1 ] | DIFFERENT",
                "at[1] | at [1] | DIFFERENT",
                "at [1] | at[1] | DIFFERENT",
                "{1} {\"a\":[1]} | {1} {\"a\":[ 1]} | DIFFERENT",
                "at {\"a\":1,\"b\":2} | at {\"b\":2,\"a\":1} | DIFFERENT",
                "data: {\"a\":1,\"b\":2} | data: {\"b\":2, \"a\":1} | EQUIVALENT",
                "{\"a\":1} | {\"a\": 1} | EQUIVALENT",
            })
    void jsonInALine_hasItsForm_unlessItIsAllOfIt(String production, String debug, VerdictKind kind) {
        assertThat(replies.text(production, debug).kind()).isEqualTo(kind);
        assertThat(replies.text("x\n" + debug, "x\n" + production).kind()).isEqualTo(kind);
    }

    @Test
    void coding_differs_whateverElseIsNoise() {
        String ours = "{\"at\":" + Replies.NOON.getEpochSecond() + ",\"n\":\"a b>\"}";
        String theirs = "{\"at\":" + Replies.LATER.getEpochSecond() + ",\"n\":\"a b>\"}";
        String padded = base64(ours);

        assertThat(padded).endsWith("=");
        assertThat(kind(padded, base64(theirs).replace("=", ""))).isEqualTo(DIFFERENT);
        assertThat(kind(percent(ours), percent(theirs).replace("%20", "+"))).isEqualTo(DIFFERENT);
        assertThat(kind(percent(ours), percent(theirs).replace("%3E", "%3e"))).isEqualTo(DIFFERENT);
        assertThat(kind(percent(ours), percent(theirs).replace("%2C", ","))).isEqualTo(DIFFERENT);
        assertThat(kind(percent(ours), ' ' + percent(theirs))).isEqualTo(DIFFERENT);
    }

    @ParameterizedTest
    @CsvSource({
        "'', a signature of production's only",
        "c2hvcnQ, a short one",
        "aB3aB3aB3aB3aB3aB3aB3aB3aB3, one that was cut off",
    })
    void tokenOfASession_withoutItsSignature_isNoIdentity(String signature, String why) {
        String claims = "{\"sub\":\"1\",\"iat\":TIME}";

        assertDiffers(token(claims, Replies.NOON.getEpochSecond(), SIGNED), claims, signature, why);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"sub\":\"1\",\"exp\":TIME3}                | {\"sub\":\"1\",\"exp\":0}",
                "{\"sub\":\"1\",\"exp\":TIME3}                | {\"sub\":\"1\",\"exp\":TIME0}",
                "{\"sub\":\"1\",\"iat\":TIME,\"exp\":TIME3}   | {\"sub\":\"1\",\"iat\":1,\"exp\":3601}",
                "{\"sub\":\"1\",\"iat\":TIME,\"nbf\":TIME}    | {\"sub\":\"1\",\"iat\":TIME,\"nbf\":TIME9}",
                "{\"sub\":\"1\",\"jti\":\"" + OURS + "\"}     | {\"sub\":\"1\",\"jti\":\"\"}",
                "{\"sub\":\"1\",\"jti\":\"" + OURS + "\"}     | {\"sub\":\"1\",\"jti\":\"null\"}",
                "{\"sub\":\"1\",\"iat\":TIME.5,\"exp\":TIME3.5} | {\"sub\":\"1\",\"iat\":TIME.5,\"exp\":TIME9.5}",
            })
    void claimThatIsNewInEveryToken_hasItsForm(String production, String debug) {
        String ours = token(production, Replies.NOON.getEpochSecond(), SIGNED);

        assertDiffers(ours, debug, OTHERWISE, "");
        String like = token(production.replace(OURS, THEIRS), Replies.LATER.getEpochSecond(), OTHERWISE);
        assertThat(kind(new Replies(), ours, like)).isEqualTo(EQUIVALENT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "csrf=NONCE and ID",
                "nonce NONCE of ID",
                "<p data-csrf=NONCE>of ID</p>",
                "<input name=item value=ID data-nonce=NONCE>",
                "<a href=/csrf/NONCE/of/ID>",
                "csrf=NONCE order[ID]{1}",
            })
    void valueBesideAToken_isNoTokenItself(String text) {
        String nonce = "aB3dE5fG7hJ9kL1m";
        String ours = text.replace("NONCE", nonce).replace("ID", OURS);
        String theirs = text.replace("NONCE", "Zy8xW6vU4tS2rQ0p").replace("ID", THEIRS);

        assertThat(replies.compare(Replies.ok("text/html", ours), Replies.ok("text/html", theirs))
                        .kind())
                .isEqualTo(DIFFERENT);
        assertThat(replies.compare(Replies.ok("text/html", ours), Replies.ok("text/html", theirs.replace("{", "[")))
                        .kind())
                .isEqualTo(DIFFERENT);
        assertThat(replies.identities.debugValueOf(OURS)).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<input type=hidden name=_csrf value=ID>",
                "<input type=\"hidden\" value=\"ID\" id=\"csrf\">",
                "<meta name='csrf-token' content='ID'>",
                "<script nonce=\"ID\" src=\"/a.js\">",
                "csrf(\"ID\")",
                "session-id ID",
                "csrfToken: 'ID'",
            })
    void token_isKnownByItsOwnName(String text) {
        assertThat(replies.compare(
                                Replies.ok("text/html", text.replace("ID", OURS)),
                                Replies.ok("text/html", text.replace("ID", THEIRS)))
                        .kind())
                .isEqualTo(EQUIVALENT);
    }

    private void assertDiffers(String ours, String claims, String signature, String why) {
        String theirs = token(claims, Replies.LATER.getEpochSecond(), signature);

        assertThat(kind(ours, theirs)).as(why).isEqualTo(DIFFERENT);
        assertThat(replies.identities.size()).isZero();
        assertThat(replies.headers("Set-Cookie: session=" + ours, "Set-Cookie: session=" + theirs)
                        .kind())
                .as(why)
                .isEqualTo(DIFFERENT);
    }

    private VerdictKind kind(String production, String debug) {
        return kind(replies, production, debug);
    }

    private static VerdictKind kind(Replies replies, String production, String debug) {
        return replies.json("{\"session_token\":\"" + production + "\"}", "{\"session_token\":\"" + debug + "\"}")
                .kind();
    }

    private static String token(String claims, long time, String signature) {
        String made = claims.replace("TIME0", "" + (time - 3600))
                .replace("TIME3", "" + (time + 3600))
                .replace("TIME9", "" + (time + 9 * 3600))
                .replace("TIME", "" + time);
        return url("{\"alg\":\"HS256\"}") + '.' + url(made) + '.' + signature;
    }

    private static String percent(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String url(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
