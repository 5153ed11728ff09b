package dev.understudy.divergence.noise.learn;

import dev.understudy.divergence.compare.ComparisonRules;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.divergence.compare.http.HttpComparison;
import dev.understudy.divergence.compare.http.HttpReply;
import dev.understudy.divergence.content.TextSpan;
import dev.understudy.divergence.identity.IdentityMap;
import dev.understudy.divergence.noise.NoiseRules;
import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.ReplyHead;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What each side makes up within a longer text, seventy times, and a wrong price beside it. */
class MixedTextNoiseTest {
    private static final int LIMIT = ComparisonRules.defaults().maxDifferences();
    private static final Random RANDOM = new Random(11);

    /** One kind of text; {@code at} is where a wrong price shows. */
    enum Text {
        NESTED("body.payload.price", "", "") {
            @Override
            String body(String price, Instant now) {
                return "{\"topic\":\"t\",\"payload\":"
                        + quoted("{\"id\": \"" + uuid() + "\", \"ts\": " + now.toEpochMilli() + ", \"price\": " + price
                                + "}")
                        + "}";
            }
        },
        NESTED_TWICE("body.payload.message.price", "", "") {
            @Override
            String body(String price, Instant now) {
                String inner = "{\"id\": \"" + uuid() + "\", \"price\": " + price + "}";
                return "{\"payload\":" + quoted("{\"message\":" + quoted(inner) + ",\"n\":1}") + "}";
            }
        },
        BASE64("body.items[0].data.price", "", "") {
            @Override
            String body(String price, Instant now) {
                String inner = "{\"requestId\": \"" + uuid() + "\", \"price\": " + price + "}";
                return "{\"items\":[{\"data\":\"" + base64(inner.getBytes(StandardCharsets.UTF_8)) + "\"}]}";
            }
        },
        CSP("body.price", "Content-Security-Policy", "script-src 'nonce-NONCE' 'self'; object-src 'none'"),
        LINK("body.price", "Link", "</items?cursor=UUID>; rel=\"next\""),
        LINKS("body.price", "Link", "</a/UUID>; rel=\"prev\", </b?after=UUID&size=7>; rel=\"next\""),
        REPORT("body.price", "Report-To", "{\"group\":\"g\",\"endpoints\":[{\"url\":\"https://r/?s=UUID\"}]}"),
        COOKIE("body.price", "Set-Cookie", "prefs=%7B%22visit%22%3A%22UUID%22%2C%22theme%22%3A1%7D; Path=/"),
        COOKIES("body.price", "Set-Cookie", "visit=id=UUID&theme=dark; Path=/; HttpOnly"),
        NOT_A_NUMBER("body.price", "", "") {
            @Override
            String body(String price, Instant now) {
                return "{\"x\": NaN, \"y\": [-Infinity, Infinity], \"id\": \"" + uuid() + "\", \"price\": " + price
                        + "}";
            }
        },
        PAGE("body:1.word", "Content-Type", "text/html") {
            @Override
            String body(String price, Instant now) {
                return "<html><head><script nonce=\"" + nonce() + "\">go()</script></head><body><p>Price " + price
                        + "</p><input name=\"_csrf\" value=\"" + uuid() + "\"></body></html>";
            }
        },
        EVENTS("body:3.price", "Content-Type", "text/event-stream") {
            @Override
            String body(String price, Instant now) {
                return "id: 1\nevent: tick\ndata: {\"id\": \"" + uuid() + "\", \"price\": " + price + "}\n\n";
            }
        },
        LINES("body:2.price", "Content-Type", "application/x-ndjson") {
            @Override
            String body(String price, Instant now) {
                return "{\"n\":1}\n{\"visit\":\"" + uuid() + "\",\"price\":" + price + "}\n";
            }
        },
        LOG("body.message.price", "", "") {
            @Override
            String body(String price, Instant now) {
                String time = now.toString().replace('T', ' ').substring(0, 19) + ",123";
                return "{\"message\":\"" + time + " INFO [" + uuid() + "] sold at price=" + price + " today\"}";
            }
        },
        URL("body.next.price", "", "") {
            @Override
            String body(String price, Instant now) {
                return "{\"next\":\"https://h/carts/" + uuid() + "/items?after=" + uuid() + "&price=" + price + "\"}";
            }
        };

        private final String at;
        private final String header;
        private final String value;

        Text(String at, String header, String value) {
            this.at = at;
            this.header = header;
            this.value = value;
        }

        String body(String price, Instant now) {
            return "{\"price\":" + price + "}";
        }

        Header header() {
            return new Header(
                    header.isEmpty() ? "X-Kind" : header,
                    value.replaceFirst("UUID", uuid())
                            .replaceFirst("UUID", uuid())
                            .replace("NONCE", nonce()));
        }

        private static String uuid() {
            return new UUID(RANDOM.nextLong(), RANDOM.nextLong()).toString();
        }

        private static String nonce() {
            byte[] bytes = new byte[12];
            RANDOM.nextBytes(bytes);
            return base64(bytes);
        }

        private static String base64(byte[] bytes) {
            return Base64.getEncoder().encodeToString(bytes);
        }

        private static String quoted(String text) {
            return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
        }
    }

    private final LearnedNoise learned = new LearnedNoise(new NoiseRules(List.of(), LIMIT), true, LIMIT);
    private final HttpComparison comparison = new HttpComparison(ComparisonRules.defaults(), new IdentityMap(1000));
    private Instant now = Instant.parse("2026-03-04T12:00:00Z");

    @ParameterizedTest
    @EnumSource(Text.class)
    void madeUpParts_areLearned_andAWrongPriceBesideThemShowsAtItsOwnPath(Text text) {
        List<Verdict> verdicts = new ArrayList<>();
        for (int i = 0; i < 70; i++) {
            verdicts.add(ask(text, 10, 10));
        }
        Verdict wrong = ask(text, 10, 11);

        assertThat(verdicts.subList(50, 70))
                .allSatisfy(verdict -> assertThat(verdict.kind()).isEqualTo(VerdictKind.EQUIVALENT));
        assertThat(wrong.kind()).isEqualTo(VerdictKind.DIFFERENT);
        assertThat(wrong.differences())
                .filteredOn(difference -> difference.noise() == null)
                .singleElement()
                .satisfies(difference -> assertThat(difference.path()).startsWith(text.at))
                .satisfies(difference -> assertThat(difference.debug()).containsPattern("^\"?11\"?$"));
        assertThat(ask(text, 10, 10).kind()).isEqualTo(VerdictKind.EQUIVALENT);
    }

    @ParameterizedTest
    @EnumSource(Text.class)
    void wrongPrice_isNeverLearned(Text text) {
        for (int i = 0; i < 120; i++) {
            assertThat(ask(text, 10, 11).kind()).as("exchange %d", i).isEqualTo(VerdictKind.DIFFERENT);
        }
        for (int i = 0; i < 120; i++) {
            assertThat(ask(text, 100 + i, 101 + i).kind()).isEqualTo(VerdictKind.DIFFERENT);
        }
    }

    private Verdict ask(Text text, int production, int debug) {
        Instant later = now.plusSeconds(300);
        HttpReply ours = reply(text, "" + production, now);
        HttpReply theirs = reply(text, "" + debug, later);
        String request = "GET /" + text;
        Verdict verdict = learned.apply(request, comparison.compare(ours, theirs), span(now), span(later));
        now = now.plus(Duration.ofSeconds(1));
        return verdict;
    }

    private static TextSpan span(Instant begun) {
        return new TextSpan(begun, begun.plusMillis(20));
    }

    private static HttpReply reply(Text text, String price, Instant begun) {
        byte[] body = text.body(price, begun).getBytes(StandardCharsets.UTF_8);
        Header header = text.header();
        List<Header> headers = new ArrayList<>(List.of(header));
        if (!header.is("Content-Type")) {
            headers.add(new Header("Content-Type", "application/json"));
        }
        ReplyHead head = new ReplyHead("HTTP/1.1", 200, "OK", headers);
        return new HttpReply(
                List.of(), head, body, body.length, new byte[0], List.of(), true, begun, begun.plusMillis(20));
    }
}
