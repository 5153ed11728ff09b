package dev.understudy.divergence.compare.http;

import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.mask.Masking;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

import static dev.understudy.divergence.compare.VerdictKind.DIFFERENT;
import static org.assertj.core.api.Assertions.assertThat;

/** Whatever stands around: a secret isn't shown, one other character is a difference, and both ways are alike. */
class AnywhereTest {
    private static final String LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    private static final String CHARACTERS = " ab19,;:=\"'{}[]\n/?&.-_+%\u2003";
    private static final int SEEDS = 1000;
    private static final int PLACES = 13;

    private static final List<String> SECRETS = List.of(
            "password=SECRET",
            "Bearer SECRET",
            "https://app:SECRET@db.host/shop",
            "/password-reset/SECRET",
            "https://x.y/cb?code=SECRET&n=1",
            "ghp_AbCdEf0123456789AbCdEf01SECRET",
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxSECRET.SECRET",
            "-----BEGIN PRIVATE KEY-----\nMIISECRET\n-----END PRIVATE KEY-----",
            "Authorization: Basic SECRET==",
            "secret='one SECRET two'",
            "{'api_key': 'SECRET'}",
            "apiKey: \"SECRET\"",
            "<input name=\"csrf_token\" value=\"SECRET\">",
            "credentials={\"user\":\"u\",\"key\":\"SECRET\"}",
            "Set-Cookie: SID=SECRET; Path=/",
            "token%3DSECRET");

    private static final List<String> PIECES = List.of(
            " ",
            "\n",
            "order ",
            "id=4b53ae35-2935-4a7a-844f-4d2f2668e5f7 ",
            "x=1&y=2",
            "/a/b?c=d",
            "{\"n\":1}",
            "'",
            "\"",
            ", ",
            "; ",
            "<b>",
            "</b>",
            "[1]",
            "(2)",
            "12:30:01 ",
            "2026-03-04T12:00:00Z ",
            "= ",
            ": ",
            "==",
            "count=5 ",
            "\\",
            "%20",
            "&amp;");

    @Test
    void secret_isMaskedWhereverItStands_asInItsText() {
        Masking masking = new Masking(Set.of());
        for (long seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            String secret = SECRETS.get(random.nextInt(SECRETS.size()));
            int place = random.nextInt(PLACES);
            String text = "x".repeat(random.nextInt(3) * random.nextInt(100))
                    + pieces(random)
                    + ' '
                    + secret
                    + ' '
                    + pieces(random);
            String mine = word(random);
            String its = word(random);
            String ours = text.replace("SECRET", mine);
            String theirs =
                    text.replace("SECRET", its).replace("4b53ae35", "0b080e89").replace("count=5", "count=6");
            String whole = masking.within(ours) + masking.within(theirs);
            if (!whole.contains(mine) && !whole.contains(its)) { // an odd quote may end a value within it
                Verdict verdict = new Replies().compare(put(place, ours), put(place, theirs));
                Verdict other = new Replies().compare(put(place, ours), put(place, text));
                String shown = masking.mask(verdict).toString() + masking.mask(other);

                for (int at = 0; at <= mine.length() - 6; at++) {
                    assertThat(shown)
                            .as("seed %s, place %s: %s", seed, place, ours)
                            .doesNotContain(mine.substring(at, at + 6), its.substring(at, at + 6));
                }
            }
        }
    }

    @Test
    void oneOtherCharacter_isADifference_whicheverSideHasIt() {
        for (long seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            String secret = SECRETS.get(random.nextInt(SECRETS.size())).replace("SECRET", word(random));
            String text = '<' + pieces(random) + pieces(random) + secret + pieces(random) + pieces(random) + '>';
            int at = 1 + random.nextInt(text.length() - 2); // blanks around a header's value mean nothing
            char one = CHARACTERS.charAt(random.nextInt(CHARACTERS.length()));
            int change = random.nextInt(3);
            String other = text.substring(0, at) + (change == 0 ? "" : one) + text.substring(change == 2 ? at : at + 1);
            boolean noise = random.nextBoolean();
            int place = random.nextInt(PLACES);
            String ours = put(place, noise ? "nonce=aB3dE5fG7hJ9kL1m at 2026-03-04T12:00:00Z " + text : text);
            String theirs = put(place, noise ? "nonce=Zy8xW6vU4tS2rQ0p at 2026-03-04T12:03:00Z " + other : other);
            if (!text.equals(other) && !put(place, text).equals(put(place, other))) {
                String what = "seed " + seed + ", place " + place + ": " + text + " / " + other;
                Replies there = new Replies();
                Verdict back = there.comparison.compare(
                        Replies.reply(theirs, Replies.LATER), Replies.reply(ours, Replies.NOON));

                assertThat(new Replies().compare(ours, theirs).kind()).as(what).isEqualTo(DIFFERENT);
                assertThat(back.kind()).as(what).isEqualTo(DIFFERENT);
            }
        }
    }

    private static String put(int place, String text) {
        String inJson = quoted("{\"n\":" + quoted(text) + "}");
        return switch (place) {
            case 0 -> Replies.ok("text/plain", text);
            case 1 -> Replies.ok("application/json", "{\"m\":" + quoted(text) + "}");
            case 2 -> Replies.ok("application/json", "{\"m\":" + inJson + "}");
            case 3 -> Replies.withHeader("X-Note: " + inOneLine(text));
            case 4 -> Replies.withHeader("Set-Cookie: c=" + inOneLine(text).replace(';', ',') + "; Path=/");
            case 5 -> Replies.ok("application/xml", "<a><b c=\"" + inXml(text) + "\">x</b></a>");
            case 6 -> Replies.ok("application/xml", "<a><b>" + inXml(text) + "</b> mixed</a>");
            case 7 -> Replies.ok("application/x-www-form-urlencoded", "a=1&b=" + inUrl(text));
            case 8 ->
                Replies.ok(
                        "multipart/form-data; boundary=bb",
                        "--bb\r\nContent-Disposition: form-data; name=\"f\"\r\nContent-Type: text/plain\r\n\r\n" + text
                                + "\r\n--bb--\r\n");
            case 9 -> Replies.ok("text/event-stream", "event: x\ndata: " + text.replace("\n", "\ndata: ") + "\n\n");
            case 10 -> Replies.ok("text/html", "<html><body><p>" + text + "</p></body></html>");
            case 11 -> Replies.ok("application/json", "{" + quoted(text) + ":" + quoted(text) + "}");
            default -> Replies.withHeader("Location: /x?y=" + inUrl(text));
        };
    }

    private static String pieces(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(5); i > 0; i--) {
            text.append(PIECES.get(random.nextInt(PIECES.size())));
        }
        return text.toString();
    }

    private static String word(Random random) {
        StringBuilder word = new StringBuilder("7k");
        while (word.length() < 12) {
            word.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return word.toString();
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
    }

    private static String inOneLine(String text) {
        return text.replace("\n", "|").replace('\u2003', '~');
    }

    private static String inXml(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace("\"", "&quot;")
                .replace("\n", "&#10;");
    }

    private static String inUrl(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
