package dev.understudy.divergence.compare.http;

import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.mask.Masking;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.understudy.divergence.compare.VerdictKind.DIFFERENT;
import static org.assertj.core.api.Assertions.assertThat;

/** Secrets that are known by what stands around them: they are masked when only a part of it is shown. */
class MaskedPartsTest {
    private static final String OURS = "hunter21";
    private static final String THEIRS = "magpie34";

    private final Replies replies = new Replies();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "key\n-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg\nSECRET\n-----END PRIVATE KEY-----\nend",
                "key\n-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg SECRET [1]\nSECRET {2}",
                "one\ncredentials={\"user\":\"app\",\"place\":\"SECRET\"}",
                "one\ncredentials={\"user\":\"app\",\"places\":[\"SECRET\"]} two",
                "password='one\ntwo SECRET\nthree'",
                "password=\"one\ntwo SECRET\nthree\"\nfour",
                "Authorization: Basic SECRET= 4b53ae35-2935-4a7a-844f-4d2f2668e5f7=1",
                "secret: SECRET= by 4b53ae35-2935-4a7a-844f-4d2f2668e5f7",
                "secret:SECRET= by 4b53ae35-2935-4a7a-844f-4d2f2668e5f7",
                "<input name=\"password\" type=\"text\" value=\"SECRET\">",
                "[{\"name\":\"password\",\"value\":\"SECRET\"}]",
                "password=one=SECRET=two by 4b53ae35-2935-4a7a-844f-4d2f2668e5f7",
            })
    void secretInLines_isMaskedAsInTheWholeText(String text) {
        String ours = text.replace("SECRET", OURS);
        String theirs = text.replace("SECRET", THEIRS).replace("4b53ae35", "0b080e89");

        assertHidden(replies.text(ours, theirs));
        assertHidden(replies.text(ours, theirs.replace("\n", "\nmore\n")));
        assertHidden(replies.text(ours.replace("\n", "\nmore\n"), theirs));
        assertHidden(replies.json("{\"m\":" + quoted(ours) + "}", "{\"m\":" + quoted(theirs) + "}"));
        assertHidden(replies.json("{\"m\":" + quoted(ours) + "}", "{\"m\":1}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://user:SECRET-one-two-three@host/x",
                "Bearer SECRET.one.two.three.four",
                "card 4111 1111 1111 1111 now",
                "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJSECRETIiwibmFtZSI6ImEifQ.c2lnbmF0dXJlSECRET",
                "eyJhbGciOiJkaXIifQ..c2lnbmF0dXJlSECRET.c2lnbmF0dXJlSECRET.c2lnSECRET",
                "ghp_SECRETAbCdEf0123456789AbCdEf01234567",
                "?code=SECRET0123456789",
            })
    void secretThatIsCutInTwo_isMaskedUpToTheCut(String secret) {
        for (int length = 140; length < 200; length++) {
            String before = "x".repeat(length) + ' ';
            String ours = before + secret.replace("SECRET", OURS);
            String theirs =
                    before + secret.replace("SECRET", THEIRS).replace("4111 1111 1111 1111", "5555 5555 5555 4444");

            assertPartsHidden(replies.text(ours, theirs));
            assertPartsHidden(replies.json("{\"m\":\"" + ours + "\"}", "{\"m\":\"" + theirs + "\"}"));
            assertPartsHidden(replies.headers("X-Said: " + ours, "X-Said: " + theirs));
        }
    }

    @Test
    void chosenName_hidesAllOfItsValue_whichPartsOfItWouldShow() {
        String text = "profile={'home':{'town':'SECRET'}} of 4b53ae35-2935-4a7a-844f-4d2f2668e5f7";
        Verdict verdict = replies.text(
                text.replace("SECRET", OURS), text.replace("SECRET", THEIRS).replace("4b53ae35", "0b080e89"));

        assertThat(new Masking(Set.of("profile")).mask(verdict).toString()).doesNotContain(OURS, THEIRS);
        assertThat(new Masking(Set.of()).mask(verdict).toString()).contains(OURS, THEIRS);
    }

    @Test
    void whatStandsBesideASecret_isShown() {
        String text = "at https://app:SECRET@db.example/shop?count=COUNT of 4b53ae35-2935-4a7a-844f-4d2f2668e5f7";
        Verdict verdict = new Masking(Set.of())
                .mask(replies.text(
                        text.replace("SECRET", "a&" + OURS).replace("COUNT", "10"),
                        text.replace("SECRET", "a&" + THEIRS)
                                .replace("COUNT", "11")
                                .replace("4b53ae35", "0b080e89")));

        assertThat(verdict.toString())
                .doesNotContain(OURS, THEIRS)
                .contains("[masked]@db.example", "10", "11", "body:1.count");
    }

    @Test
    void nameThatIsASecret_isMaskedInThePath() {
        Verdict verdict = replies.json(
                "{\"ghp_hunter21AbCdEf0123456789AbCdEf01234567\":{\"a\":1}}",
                "{\"ghp_hunter21AbCdEf0123456789AbCdEf01234567\":{\"a\":2}}");

        assertHidden(verdict);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"name\":\"password\",\"value\":\"SECRET\"}",
                "{\"name\":\"password\",\"value\":\"SECRET\",\"at\":[1]}",
                "{\"key\":\"db.password\",\"value\":{\"of\":\"SECRET\"}}",
                "{\"headers\":[{\"name\":\"Authorization\",\"value\":[\"SECRET\"]}]}",
                "{\"m\":\"at \\u0026quot;password\\u0026quot;: \\u0026quot;SECRET\\u0026quot;\"}",
                "{\"m\":\"/cb?u=%2Fto%3Ftoken%3DSECRET%26n%3D1\"}",
                "{\"m\":\"/cb?u=%252Fto%253Ftoken%253DSECRET%2526n%253D1\"}",
                "{\"m\":\"x?y=Authorization:+Basic+SECRET%3D\"}",
                "{\"m\":\"password=\\\\u0022SECRET\\\\u0022\"}",
                "{\"at password=SECRET\":1}",
                "{\"at https://user:SECRET@host/x\":1}",
                "{\"a long name before the secret to be cut in two ghp_SECRETAbCdEf0123456789AbCdEf01234567\":1}",
            })
    void secretThatIsNamedOrWrittenOtherwise_isMasked(String json) {
        String ours = json.replace("SECRET", OURS);
        String theirs = json.replace("SECRET", THEIRS);

        assertHidden(replies.json(ours, theirs));
        assertHidden(replies.json("[" + ours + ",1]", "[" + theirs + ",2]"));
        assertHidden(replies.json("{\"p\":" + quoted(ours) + "}", "{\"p\":" + quoted(theirs) + "}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<property name=\"password\" value=\"SECRET\"/>",
                "<a><entry key=\"password\">SECRET</entry></a>",
                "<a><b>mixed with apiKey: &quot;SECRET&quot;</b> and more</a>",
                "<a><b>mixed with apiKey: &#34;SECRET&#x22;</b> and more</a>",
                "<a password=\"SECRET\"/>",
            })
    void secretInXml_isMasked(String xml) {
        assertHidden(replies.compare(
                Replies.ok("application/xml", xml.replace("SECRET", OURS)),
                Replies.ok("application/xml", xml.replace("SECRET", THEIRS))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"password\":\"SECRET\"}",
                "{\"at\":\"https://user:SECRET@host\"}",
                "[\"password=SECRET\"]",
                "[{\"n\":1,\"token\":\"SECRET\"}]",
            })
    void secretInBase64_isMasked(String json) {
        String ours = base64(json.replace("SECRET", OURS));
        String theirs = base64(json.replace("SECRET", THEIRS));
        String more = base64(json.replace("SECRET", OURS) + ' ');

        for (String debug : new String[] {theirs, more, "x"}) {
            Verdict verdict = replies.json("{\"m\":\"" + ours + "\"}", "{\"m\":\"" + debug + "\"}");

            assertHidden(verdict);
            assertThat(new Masking(Set.of()).mask(verdict).toString()).doesNotContain(ours);
        }
        assertThat(new Masking(Set.of()).within(base64("{\"count\":10,\"of\":\"abc\"}")))
                .isEqualTo(base64("{\"count\":10,\"of\":\"abc\"}"));
    }

    private static void assertHidden(Verdict verdict) {
        assertThat(verdict.kind()).isEqualTo(DIFFERENT);
        assertThat(new Masking(Set.of()).mask(verdict).toString()).doesNotContain(OURS, THEIRS);
    }

    private static void assertPartsHidden(Verdict verdict) {
        assertThat(verdict.kind()).isEqualTo(DIFFERENT);
        assertThat(new Masking(Set.of()).mask(verdict).toString())
                .doesNotContain(OURS.substring(0, 4), THEIRS.substring(0, 4), "4111", "5555", "c2ln", "zdWIi");
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
