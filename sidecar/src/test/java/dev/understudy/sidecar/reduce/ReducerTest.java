package dev.understudy.sidecar.reduce;

import dev.understudy.sidecar.label.ReplyFacts;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What is left of inputs, where it is known what the failure needs. */
final class ReducerTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @Test
    void earlierRequestsHeadersAndParameters_areLeftOutUnlessNeeded() throws Exception {
        HttpInput recorded = input(
                get("/login"),
                get("/news?page=3"),
                get(
                        "/search?q=red+shoes&sort=price&page=2&limit=20",
                        "Accept: */*",
                        "Cookie: theme=dark; session=7; lang=de",
                        "X-Currency: EUR",
                        "User-Agent: x"));
        Reduction reduction = reduce(
                recorded,
                input -> input.earlier().stream()
                                .anyMatch(call -> call.head().target().equals("/login"))
                        && input.last().query().contains("sort=price")
                        && contains(input.last(), "X-Currency: EUR")
                        && contains(input.last(), "session=7"));
        assertThat(texts(reduction.smallest()))
                .containsExactly(get("/login"), get("/search?sort=price", "X-Currency: EUR", "Cookie: session=7"));
        assertThat(reduction.behaviour()).isEqualTo(Reduction.Behaviour.STABLE);
        assertThat(reduction.confirmed()).isEqualTo(3);
        assertThat(reduction.spent()).isFalse();
        assertThat(reduction.needs().stream().map(need -> need.part().toString()))
                .containsExactly(
                        "before it GET /login", "header X-Currency: EUR", "cookie session=7", "parameter sort=price");
        assertThat(reduction.needs()).allMatch(need -> need.reply().status() == 200);
    }

    @Test
    void jsonIsTakenApartByItsValues_numbersAsTheyWere() throws Exception {
        HttpInput recorded = input(post("application/json", """
                {"id": 7, "items": [{"sku": "a", "price": 1.10, "n": 1}, {"sku": "b", "price": 12345678901234567890.10,
                 "gift": {"note": "for you", "wrap": true}}], "notes": ["x", "y"], "when": 1E+2}
                """));
        Reduction reduction = reduce(
                recorded,
                input -> input.last().text().contains("12345678901234567890.10")
                        && input.last().text().replace(" ", "").contains("\"wrap\":true"));
        assertThat(input(reduction).text())
                .isEqualTo("{\"items\":[{\"price\":12345678901234567890.10,\"gift\":{\"wrap\":true}}]}");
    }

    @Test
    void whereTheWritingOfJsonMatters_itIsLeftAsItIs() throws Exception {
        HttpInput recorded = input(post("application/json", "{\"a\": 1,  \"b\": 2}"));
        Reduction reduction = reduce(recorded, input -> input.last().text().contains("1,  "));
        assertThat(input(reduction).text()).isEqualTo("{\"a\": 1,  \"b\": 2}");
    }

    @Test
    void formsTextsAndValues_areTakenApart() throws Exception {
        HttpInput form = input(post("application/x-www-form-urlencoded", "name=x&note=say+%3Cb%3E+it&age=3"));
        assertThat(input(reduce(form, input -> input.last().form().stream().anyMatch(field -> field.contains("%3C"))))
                        .text())
                .isEqualTo("note=%3C");
        HttpInput lines = input(post("text/csv", "id;n\n1;2\n3;x4\n5;6\n"));
        assertThat(input(reduce(lines, input -> input.last().text().contains("x4")))
                        .text())
                .isEqualTo("x4");
        HttpInput unicode = input(post("application/json", "{\"name\":\"Zoë \uD83D\uDC1F ok\"}"));
        String fish = new String("\uD83D\uDC1F".getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        assertThat(input(reduce(unicode, input -> input.last().text().contains(fish)))
                        .text())
                .isEqualTo("{\"name\":\"" + fish + "\"}");
    }

    @Test
    void aFailureByChance_isLookedForSeveralTimes() throws Exception {
        Random random = new Random(5);
        HttpInput recorded = input(get("/a?x=1&y=2&z=3", "Accept: */*"));
        Reduction reduction = null;
        for (int n = 0; reduction == null || reduction.behaviour() != Reduction.Behaviour.FLAKY; n++) {
            assertThat(n).isLessThan(20);
            reduction = reduce(recorded, input -> input.last().query().contains("y=2") && random.nextBoolean());
        }
        assertThat(reduction.smallest().last().query()).contains("y=2");
    }

    @Test
    void whatDoesNotFailAgain_isSaidToBeGone_andNothingElseIsSent() throws Exception {
        AtomicInteger sent = new AtomicInteger();
        Reduction reduction = reduce(input(get("/")), input -> sent.incrementAndGet() < 0);
        assertThat(reduction.behaviour()).isEqualTo(Reduction.Behaviour.GONE);
        assertThat(sent.get()).isEqualTo(3);
    }

    @Test
    void atTheLimitOfAttempts_whatWasFoundByThenIsKept() throws Exception {
        HttpInput recorded = input(post("text/plain", "y".repeat(40_000) + "x" + "y".repeat(40_000)));
        AtomicInteger sent = new AtomicInteger();
        Reducer reducer = new Reducer(
                input -> {
                    sent.incrementAndGet();
                    return reply(input.last().text().contains("x"));
                },
                reply -> reply.status() == 500,
                12,
                MINUTE,
                (requests, bytes) -> {});
        Reduction reduction = reducer.reduce(recorded);
        assertThat(reduction.spent()).isTrue();
        assertThat(sent.get()).isLessThanOrEqualTo(12 + 6 + 20);
        assertThat(input(reduction).text()).contains("x").hasSizeLessThan(80_001);
    }

    /** Requests of any bytes: nothing is thrown, and what is read is written alike. */
    @Test
    void requestsOfAnyBytes_areReadAsFarAsTheyAreHttp() {
        Random random = new Random(31);
        byte[] real = post("application/json", "{\"a\":[1,2]}").getBytes(StandardCharsets.ISO_8859_1);
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = real.clone();
            for (int n = random.nextInt(4); n >= 0; n--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            HttpCall.Collector collector = new HttpCall.Collector();
            collector.feed(ByteBuffer.wrap(bytes));
            for (HttpCall call : collector.calls()) {
                HttpInput input = new HttpInput(List.of(), call);
                for (Dimension dimension : HttpDimensions.all()) {
                    for (int part = 0; part < dimension.count(input); part++) {
                        assertThat(dimension.describe(input, part).toString()).isNotEmpty();
                    }
                }
                assertThat(calls(new String(call.bytes(), StandardCharsets.ISO_8859_1)))
                        .first()
                        .satisfies(again -> assertThat(again.text()).isEqualTo(call.text()));
            }
        }
    }

    private static Reduction reduce(HttpInput recorded, Predicate<HttpInput> fails) throws Exception {
        Reducer reducer = new Reducer(
                input -> reply(fails.test(input)),
                reply -> reply.status() == 500,
                10_000,
                MINUTE,
                (requests, bytes) -> {});
        return reducer.reduce(recorded);
    }

    private static ReplyFacts reply(boolean fails) {
        return new ReplyFacts(fails ? 500 : 200, List.of(), new byte[0], 1, "");
    }

    private static HttpCall input(Reduction reduction) {
        return reduction.smallest().last();
    }

    private static HttpInput input(String... requests) {
        List<HttpCall> calls = calls(String.join("", requests));
        return new HttpInput(calls.subList(0, calls.size() - 1), calls.get(calls.size() - 1));
    }

    private static List<HttpCall> calls(String text) {
        HttpCall.Collector collector = new HttpCall.Collector();
        collector.feed(ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1)));
        return collector.calls();
    }

    private static String get(String target, String... headers) {
        return Stream.concat(Stream.of("GET " + target + " HTTP/1.1", "Host: a"), Stream.of(headers))
                .collect(Collectors.joining("\r\n", "", "\r\n\r\n"));
    }

    private static String post(String type, String body) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        return "POST /orders HTTP/1.1\r\nHost: a\r\nContent-Type: " + type + "\r\nContent-Length: " + bytes.length
                + "\r\n\r\n" + new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private static List<String> texts(HttpInput input) {
        return Stream.concat(input.earlier().stream(), Stream.of(input.last()))
                .map(call -> new String(call.bytes(), StandardCharsets.ISO_8859_1))
                .toList();
    }

    private static boolean contains(HttpCall call, String text) {
        return new String(call.bytes(), StandardCharsets.ISO_8859_1).contains(text);
    }
}
