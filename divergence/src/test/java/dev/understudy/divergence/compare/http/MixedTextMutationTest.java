package dev.understudy.divergence.compare.http;

import dev.understudy.divergence.compare.Verdict;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Random;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static dev.understudy.divergence.compare.VerdictKind.DIFFERENT;
import static dev.understudy.divergence.compare.VerdictKind.EQUIVALENT;
import static org.assertj.core.api.Assertions.assertThat;

/** Each letter and digit beside what is made up, changed one at a time: none may pass. */
class MixedTextMutationTest {
    private static final Random RANDOM = new Random(17);

    /** A text with a made-up value, and the reply that holds it. */
    @SuppressWarnings("ImmutableEnumChecker") // of functions without state
    enum Template {
        NESTED(
                "{\"id\":\"@\",\"name\":\"abc\",\"price\":10,\"ok\":true,\"n\":[1,null]}",
                MixedTextMutationTest::nested),
        CODED("{\"id\":\"@\",\"name\":\"abc\",\"price\":10,\"ok\":true}", MixedTextMutationTest::coded),
        COOKIE("{\"id\":\"@\",\"theme\":\"dark\"}", MixedTextMutationTest::cookie),
        POLICY("script-src 'nonce-@' https://cdn.example/a; report-uri /r", MixedTextMutationTest::policy),
        LINK("</a/b?session=@&size=7>; rel=\"next\"", MixedTextMutationTest::link),
        LOG("INFO request_id=@ user bob paid 10 EUR.", MixedTextMutationTest::member),
        PATH("https://shop.example/carts?cart_id=@&page=3#top", MixedTextMutationTest::member),
        PAGE("<p class=x>Sum 10</p><input name=_csrf value=@><b>a</b>", MixedTextMutationTest::page),
        EVENT("data: {\"id\":\"@\",\"price\":10}", MixedTextMutationTest::page),
        NOT_A_NUMBER("{\"id\":\"@\",\"x\":NaN,\"y\":-Infinity,\"price\":1e5}", MixedTextMutationTest::json);

        private final String text;
        private final UnaryOperator<String> reply;

        Template(String text, UnaryOperator<String> reply) {
            this.text = text;
            this.reply = reply;
        }

        private String with(String value, int at) {
            StringBuilder changed = new StringBuilder(text);
            if (at >= 0) {
                char c = text.charAt(at);
                changed.setCharAt(at, c == '9' ? '0' : c == 'z' || c == 'Z' ? (char) (c - 1) : (char) (c + 1));
            }
            return reply.apply(changed.toString().replace("@", value));
        }
    }

    @ParameterizedTest
    @EnumSource(Template.class)
    void anyOtherCharacter_isADifference(Template template) {
        assertThat(compare(template, -1).kind()).as("unchanged").isEqualTo(EQUIVALENT);
        for (int at = 0; at < template.text.length(); at++) {
            if (Character.isLetterOrDigit(template.text.charAt(at))) {
                Verdict verdict = compare(template, at);
                assertThat(verdict.kind()).as("at %d: %s", at, verdict).isEqualTo(DIFFERENT);
            }
        }
    }

    private static Verdict compare(Template template, int at) {
        String production = new UUID(RANDOM.nextLong(), RANDOM.nextLong()).toString();
        String debug = new UUID(RANDOM.nextLong(), RANDOM.nextLong()).toString();
        return new Replies().compare(template.with(production, -1), template.with(debug, at));
    }

    private static String json(String text) {
        return Replies.ok("application/json", text);
    }

    private static String member(String text) {
        return json("{\"m\":\"" + text.replace("\"", "\\\"") + "\"}");
    }

    private static String nested(String text) {
        return member(text);
    }

    private static String coded(String text) {
        return member(Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static String cookie(String text) {
        String coded = text.replace("{", "%7B")
                .replace("\"", "%22")
                .replace("}", "%7D")
                .replace(",", "%2C");
        return Replies.withHeader("Set-Cookie: prefs=" + coded + "; Path=/; HttpOnly");
    }

    private static String policy(String text) {
        return Replies.withHeader("Content-Security-Policy: " + text);
    }

    private static String link(String text) {
        return Replies.withHeader("Link: " + text);
    }

    private static String page(String text) {
        return Replies.ok("text/html", "<i>1</i>\n" + text + "\n<i>2</i>");
    }
}
