package dev.understudy.divergence.compare.http;

import dev.understudy.divergence.compare.ComparisonRules;
import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Noise;
import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.compare.VerdictKind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static dev.understudy.divergence.compare.VerdictKind.DIFFERENT;
import static dev.understudy.divergence.compare.VerdictKind.EQUIVALENT;
import static dev.understudy.divergence.compare.VerdictKind.NOT_COMPARED;
import static dev.understudy.divergence.compare.VerdictKind.SAME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

class HttpComparisonTest {
    private final Replies replies = new Replies();

    @Test
    void equalReplies_areTheSame() {
        assertThat(replies.json("{\"a\":1}", "{\"a\":1}")).isEqualTo(Verdict.SAME);
    }

    @Test
    void status_reasonAndVersion_matter() {
        String ok = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
        assertThat(replies.compare(ok, ok.replace("200", "201")).differences())
                .containsExactly(new Difference("status", Difference.Type.STATUS, "200", "201", null));
        assertThat(replies.compare(ok, ok.replace("OK", "Fine")).kind()).isEqualTo(DIFFERENT);
        assertThat(replies.compare(ok, ok.replace("1.1", "1.0")).kind()).isEqualTo(DIFFERENT);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "EQUIVALENT | DATE_HEADER | Date: Wed, 04 Mar 2026 12:00:00 GMT | Date: Wed, 04 Mar 2026 12:03:00 GMT",
                "DIFFERENT | | Date: Wed, 04 Mar 2026 12:00:00 GMT | Date: yesterday",
                "DIFFERENT | | Date: Wed, 04 Mar 2026 12:00:00 GMT | X-Date: Wed, 04 Mar 2026 12:00:00 GMT",
                "EQUIVALENT | EXCHANGE_TIME | Last-Modified: Wed, 04 Mar 2026 12:00:00 GMT | "
                        + "Last-Modified: Wed, 04 Mar 2026 12:03:01 GMT",
                "DIFFERENT | | Last-Modified: Wed, 04 Mar 2026 12:00:00 GMT | Last-Modified: "
                        + "Wed, 04 Mar 2026 12:00:05 GMT",
                "EQUIVALENT | CONNECTION_HEADER | Connection: keep-alive | Connection: close",
                "EQUIVALENT | CONNECTION_HEADER | Keep-Alive: timeout=60 | Connection: close",
                "DIFFERENT | | Cache-Control: no-store | Cache-Control: no-cache",
                "EQUIVALENT | HEADER_ORDER | Cache-Control: no-store, private | Cache-Control: private,no-store",
                "EQUIVALENT | HEADER_ORDER | Vary: Origin, Accept | Vary: Accept, Origin",
                "DIFFERENT | | Vary: Origin, Accept | Vary: Accept",
                "DIFFERENT | | Location: /a?b=1,2 | Location: /a?b=1, 2",
                "EQUIVALENT | HEADER_FORM | Content-Type: text/plain;charset=UTF-8 | "
                        + "Content-Type: text/plain; charset=\"utf-8\"",
                "DIFFERENT | | Content-Type: text/plain;charset=UTF-8 | Content-Type: text/html;charset=UTF-8",
                "DIFFERENT | | Content-Type: text/plain;charset=UTF-8 | Content-Type: text/plain",
                "DIFFERENT | | ETag: \"0123456789abcdef0123456789abcdef\" | ETag: \"fedcba9876543210fedcba9876543210\"",
                "EQUIVALENT | IDENTITY | X-Request-Id: 3f2504e0-4f89-41d3-9a0c-0305e82c3301 "
                        + "| X-Request-Id: 9b1deb4d-3b7d-4bad-8bdd-2b0d7b3dcb6d",
                "DIFFERENT | | X-Total: 12 | X-Total: 13",
                "DIFFERENT | | Retry-After: 1 | Retry-After: 2",
            })
    void header_isComparedByItsMeaning(VerdictKind kind, Noise noise, String production, String debug) {
        Verdict verdict = replies.headers(production, debug);

        assertThat(verdict.kind()).isEqualTo(kind);
        assertThat(verdict.differences()).anyMatch(difference -> difference.noise() == noise);
    }

    @Test
    void headerOrderAndCase_areNoise() {
        assertThat(replies.headers("A: 1\r\nB: 2", "b: 2\r\na: 1").kind()).isEqualTo(EQUIVALENT);
        assertThat(replies.headers("A: 1\r\nA: 2", "A: 1, 2").kind()).isEqualTo(EQUIVALENT);
        assertThat(replies.headers("A: 1\r\nA: 2", "A: 2\r\nA: 1").kind()).isEqualTo(DIFFERENT);
        assertThat(replies.headers("A: 1\r\nA: 1", "A: 1").kind()).isEqualTo(DIFFERENT);
    }

    @Test
    void chunkedInsteadOfCounted_isNoise() {
        String counted = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
        String chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n";
        assertThat(replies.compare(counted, chunked).kind()).isEqualTo(EQUIVALENT);
        assertThat(replies.compare(chunked, counted).kind()).isEqualTo(EQUIVALENT);
        assertThat(replies.compare(chunked, counted.replace("hello", "hullo")).kind())
                .isEqualTo(DIFFERENT);
    }

    @Test
    void contentLength_ofAReplyWithoutBody_matters() {
        String head = "HTTP/1.1 304 \r\nContent-Length: 5\r\n\r\n";
        assertThat(replies.compare(head, head.replace("5", "6")).kind()).isEqualTo(DIFFERENT);
    }

    @Test
    void trailersAndInterimReplies_areCompared() {
        String chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 1\r\n\r\n";
        assertThat(replies.compare(chunked, chunked.replace("Sum: 1", "Sum: 2")).differences())
                .extracting(Difference::path)
                .containsExactly("trailer.X-Sum");
        String hints = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n";
        assertThat(replies.compare(hints + chunked, chunked).kind()).isEqualTo(DIFFERENT);
        assertThat(replies.compare(hints + chunked, hints.replace("/a", "/b") + chunked)
                        .kind())
                .isEqualTo(DIFFERENT);
        assertThat(replies.compare("HTTP/1.1 100 Continue\r\n\r\n" + chunked, chunked))
                .isEqualTo(Verdict.SAME);
    }

    @Test
    void cookies_areComparedByNameAndAttribute() {
        String cookie = "Set-Cookie: a=1; Path=/; HttpOnly";
        assertThat(replies.headers(cookie, cookie.replace("=1", "=2")).kind()).isEqualTo(DIFFERENT);
        assertThat(replies.headers(cookie, cookie.replace("; HttpOnly", "")).differences())
                .extracting(Difference::path)
                .contains("header.Set-Cookie[a].httponly");
        assertThat(replies.headers(cookie, "Set-Cookie: a=1; HttpOnly; path=/").kind())
                .isEqualTo(EQUIVALENT);
        assertThat(replies.headers(cookie + "\r\nSet-Cookie: b=2", "Set-Cookie: b=2\r\n" + cookie)
                        .kind())
                .isEqualTo(EQUIVALENT);
        assertThat(replies.headers(cookie, "X: y").kind()).isEqualTo(DIFFERENT);
        assertThat(replies.headers("X: y", cookie).kind()).isEqualTo(DIFFERENT);
        assertThat(replies.headers("Set-Cookie: =x", "Set-Cookie: =y").kind()).isEqualTo(DIFFERENT);
    }

    @Test
    void cookieExpiry_isNoiseIfItsAgeIsEqual() {
        String ours = "Set-Cookie: a=1; Max-Age=60; Expires=Wed, 04 Mar 2026 12:01:00 GMT";
        String theirs = "Set-Cookie: a=1; Max-Age=60; Expires=Wed, 04 Mar 2026 12:04:00 GMT";
        assertThat(replies.headers(ours, theirs).kind()).isEqualTo(EQUIVALENT);
        assertThat(replies.headers(ours, theirs.replace("12:04", "12:05")).kind())
                .isEqualTo(DIFFERENT);
        assertThat(replies.headers(ours, theirs.replace("Age=60", "Age=61")).kind())
                .isEqualTo(DIFFERENT);
    }

    @Test
    void sessionCookie_isLearnedAndExplainsLaterReplies() {
        String ours = "5F1C9A07B3E24D6688A1C0FFEE012345";
        String theirs = "A93B0D5E7C1F48229D64B7E8F0A1C2D3";
        Verdict login = replies.headers("Set-Cookie: JSESSIONID=" + ours, "Set-Cookie: JSESSIONID=" + theirs);
        assertThat(login.kind()).isEqualTo(EQUIVALENT);
        assertThat(replies.headers("Location: /in;jsessionid=" + ours, "Location: /in;jsessionid=" + theirs)
                        .kind())
                .isEqualTo(EQUIVALENT);
        assertThat(replies.text("session " + ours + " opened", "session " + theirs + " opened")
                        .kind())
                .isEqualTo(EQUIVALENT);
        String another = theirs.replace('A', 'B');
        assertThat(replies.headers("Set-Cookie: JSESSIONID=" + ours, "Set-Cookie: JSESSIONID=" + another)
                        .kind())
                .isEqualTo(DIFFERENT);
    }

    @Test
    void text_showsTheLinesThatDiffer() {
        assertThat(replies.text("a\nb\nc\nd", "a\nB\nc\nd").differences())
                .contains(new Difference("body:2", Difference.Type.VALUE, "b", "B", null));
        assertThat(replies.text("a\nb\nc\nd", "a\nc\nx\nd").differences())
                .extracting(Difference::path, Difference::type)
                .contains(
                        org.assertj.core.groups.Tuple.tuple("body:2", Difference.Type.VALUE),
                        org.assertj.core.groups.Tuple.tuple("body:3", Difference.Type.VALUE));
        assertThat(replies.text("a\nb\nc\nd", "a\nc\nd").differences())
                .contains(new Difference("body:2", Difference.Type.MISSING, "b", null, null));
        assertThat(replies.text("a\nd", "a\nb\nc\nd").differences())
                .filteredOn(difference -> difference.type() == Difference.Type.EXTRA)
                .extracting(Difference::debug)
                .containsExactly("b", "c");
        assertThat(replies.text("a\r\nb", "a\nb").kind()).isEqualTo(DIFFERENT);
        assertThat(replies.text("a", "a\n").kind()).isEqualTo(DIFFERENT);
    }

    @Test
    void text_mayHoldTheTimeOfItsExchange() {
        assertThat(replies.text("at 2026-03-04T12:00:00Z, ok", "at 2026-03-04T12:03:00Z, ok")
                        .kind())
                .isEqualTo(EQUIVALENT);
        assertThat(replies.text("at 2026-03-04T12:00:00Z, ok", "at 2026-03-04T12:03:00Z, no")
                        .kind())
                .isEqualTo(DIFFERENT);
        assertThat(replies.text("at 2026-03-04T12:00:00Z, ok", "at  2026-03-04T12:03:00Z, ok")
                        .kind())
                .isEqualTo(DIFFERENT);
    }

    @Test
    void formToken_isLearnedFromAPage() {
        String ours = "kT3vQ9xZ2mB7nL5pR8wY4c";
        String theirs = "Zp7Hd2Kq9Wm4Xv6Ts1Ra8b";
        String form = "<form>\n<input type=\"hidden\" name=\"_csrf\" value=\"" + ours + "\"/>\n</form>";
        String page = Replies.ok("text/html", form);
        assertThat(replies.compare(page, page.replace(ours, theirs)).kind()).isEqualTo(EQUIVALENT);
        assertThat(replies.identities.debugValueOf(ours)).isEqualTo(theirs);
        assertThat(replies.compare(page, Replies.ok("text/html", form.replace(ours, "none")))
                        .kind())
                .isEqualTo(DIFFERENT);
    }

    @Test
    void page_showsTheLinesThatDiffer() {
        String page = "<!doctype html>\n<h1>Orders</h1>\n<td class=\"sum\">12.50</td>\n";
        Verdict verdict =
                replies.compare(Replies.ok("text/html", page), Replies.ok("text/html", page.replace("12.50", "12.49")));
        assertThat(verdict.kind()).isEqualTo(DIFFERENT);
        assertThat(verdict.differences()).extracting(Difference::path).containsExactly("body:3");
    }

    @Test
    void compression_isNoise_ifTheContentIsTheSame_butOnOneSideOnlyItIsADifference() throws IOException {
        Verdict otherwise = compressed(gzip("a".repeat(300), 1), gzip("a".repeat(300), 9));
        assertThat(otherwise.kind()).isEqualTo(EQUIVALENT);
        assertThat(otherwise.differences())
                .extracting(Difference::type, Difference::noise)
                .contains(tuple(Difference.Type.ENCODING, Noise.COMPRESSION));
        assertThat(compressed(gzip("a".repeat(300), 1), gzip("b".repeat(300), 1))
                        .kind())
                .isEqualTo(DIFFERENT);

        byte[] plain = Replies.ok("text/plain", "a".repeat(300)).getBytes(StandardCharsets.UTF_8);
        Verdict onOneSide = replies.comparison.compare(
                Replies.reply(gzip("a".repeat(300), 1), Replies.NOON, 1000), Replies.reply(plain, Replies.LATER, 1000));
        assertThat(onOneSide.kind()).isEqualTo(DIFFERENT);
        assertThat(onOneSide.differences()).extracting(Difference::path).contains("header.Content-Encoding");
    }

    private Verdict compressed(byte[] production, byte[] debug) {
        return replies.comparison.compare(
                Replies.reply(production, Replies.NOON, 1000), Replies.reply(debug, Replies.LATER, 1000));
    }

    private static byte[] gzip(String text, int level) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(body) {
            {
                def.setLevel(level);
            }
        }) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        ByteArrayOutputStream reply = new ByteArrayOutputStream();
        reply.writeBytes(("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: gzip\r\nContent-Length: "
                        + body.size() + "\r\n\r\n")
                .getBytes(StandardCharsets.UTF_8));
        reply.writeBytes(body.toByteArray());
        return reply.toByteArray();
    }

    @Test
    void longBody_isDecidedByLengthAndHash() {
        String body = "x".repeat(5000);
        byte[] ours = Replies.ok("text/plain", body).getBytes(StandardCharsets.UTF_8);
        byte[] theirs = Replies.ok("text/plain", body.substring(1) + "y").getBytes(StandardCharsets.UTF_8);
        HttpReply production = Replies.reply(ours, Replies.NOON, 1000);
        assertThat(production.held()).isFalse();
        assertThat(replies.comparison.compare(production, Replies.reply(ours, Replies.LATER, 1000)))
                .isEqualTo(Verdict.SAME);
        assertThat(replies.comparison.compare(production, Replies.reply(ours, Replies.LATER, 9000)))
                .isEqualTo(Verdict.SAME);
        assertThat(replies.comparison
                        .compare(production, Replies.reply(theirs, Replies.LATER, 1000))
                        .kind())
                .isEqualTo(DIFFERENT);
    }

    @Test
    void replyCutOff_isNotCompared_unlessItDiffersAlready() {
        String whole = Replies.ok("text/plain", "hello");
        String cut = whole.substring(0, whole.length() - 1);
        for (Verdict verdict :
                new Verdict[] {replies.compare(whole, cut), replies.compare(cut, whole), replies.compare(cut, cut)}) {
            assertThat(verdict.kind()).isEqualTo(NOT_COMPARED);
            assertThat(verdict.reason()).isEqualTo(NotCompared.INCOMPLETE);
        }
        assertThat(replies.compare(whole, cut.replace("200", "500")).kind()).isEqualTo(DIFFERENT);
    }

    @Test
    void ignoredHeader_isNoiseByRule() {
        ComparisonRules rules = new ComparisonRules(
                java.time.Duration.ofSeconds(2), java.util.Set.of(), 1024, 10, 50, java.util.Set.of("x-node"));
        HttpComparison comparison = new HttpComparison(rules, replies.identities);
        Verdict verdict = comparison.compare(
                Replies.reply(Replies.withHeader("X-Node: a"), Replies.NOON),
                Replies.reply(Replies.withHeader("X-Node: b"), Replies.LATER));
        assertThat(verdict.kind()).isEqualTo(EQUIVALENT);
        assertThat(verdict.differences().get(0).noise()).isEqualTo(Noise.RULE);
    }

    @Test
    void sameBytesOnBothSides_areTheSameWhateverTheyAre() {
        assertThat(replies.json("{broken", "{broken").kind()).isEqualTo(SAME);
    }

    @Test
    void keyInALocation_isLearned() {
        Verdict created = replies.headers(
                "Location: http://shop/notes/0f8fad5b-d9cb-469f-a165-70867728950e?x=1",
                "Location: http://shop/notes/7c9e6679-7425-40de-944b-e07fc1f90ae7?x=1");

        assertThat(created.kind()).isEqualTo(VerdictKind.EQUIVALENT);
        assertThat(replies.identities.debugValueOf("0f8fad5b-d9cb-469f-a165-70867728950e"))
                .isEqualTo("7c9e6679-7425-40de-944b-e07fc1f90ae7");
        assertThat(replies.headers("Location: /orders/7", "Location: /orders/8").kind())
                .isEqualTo(VerdictKind.DIFFERENT);
        assertThat(replies.headers("Location: /login?error", "Location: /").kind())
                .isEqualTo(VerdictKind.DIFFERENT);
    }

    @Test
    void entityTag_ofAnEquivalentBody_isLearned_ofAnotherItIsADifference() {
        String mine = "ETag: \"900150983cd24fb0d6963f7d28e17f72\"";
        String other = "ETag: \"f96b697d7cb7938d525a2f31aaf161d0\"";
        assertThat(replies.compare(tagged(mine, "1"), tagged(other, "1")).kind())
                .isEqualTo(VerdictKind.DIFFERENT);
        assertThat(replies.identities.debugValueOf("900150983cd24fb0d6963f7d28e17f72"))
                .as("what later conditions carry")
                .isEqualTo("f96b697d7cb7938d525a2f31aaf161d0");
        Replies anew = new Replies();
        assertThat(anew.compare(tagged(mine, "1"), tagged(other, "2")).kind()).isEqualTo(VerdictKind.DIFFERENT);
        Verdict equivalent = new Replies()
                .compare(
                        tagged(mine, "\"0f8fad5b-d9cb-469f-a165-70867728950e\""),
                        tagged(other, "\"7c9e6679-7425-40de-944b-e07fc1f90ae7\""));
        assertThat(equivalent.kind()).as(equivalent.toString()).isEqualTo(VerdictKind.EQUIVALENT);
    }

    private static String tagged(String tag, String id) {
        return Replies.ok("application/json", "{\"id\":" + id + "}").replace("\r\n\r\n", "\r\n" + tag + "\r\n\r\n");
    }
}
