package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What the sidecar sees of two healthy services. */
final class SidecarHttpTest {
    @Test
    void replies_thatAreEqual_areTheSame() throws Exception {
        try (HttpService production = HttpService.saying("{\"id\":7}");
                HttpService debug = HttpService.saying("{\"id\":7}");
                Stage stage = Stage.open(production.address(), debug.address())) {
            for (int i = 0; i < 20; i++) {
                assertThat(stage.get("/orders/" + i).body()).isEqualTo("{\"id\":7}");
            }

            JsonNode status = stage.awaitStatus("20 verdicts", s -> Stage.total(s) == 20);
            int alike = status.at("/verdicts/SAME").asInt()
                    + status.at("/verdicts/EQUIVALENT").asInt();
            assertThat(alike).as(stage.verdicts("").toPrettyString()).isEqualTo(20);
            assertThat(status.at("/exchanges/production").asInt()).isEqualTo(20);
            assertThat(status.at("/exchanges/debug").asInt()).isEqualTo(20);
            assertThat(status.get("fidelity").asText()).isEqualTo("faithful: 20 of 20 exchanges");
            assertThat(debug.asked)
                    .extracting(HttpService.Asked::target)
                    .containsExactlyElementsOf(production.asked.stream()
                            .map(HttpService.Asked::target)
                            .toList());
        }
    }

    @Test
    void replies_thatDiffer_areShown() throws Exception {
        try (HttpService production = HttpService.saying("{\"total\":\"10.00\"}");
                HttpService debug = HttpService.saying("{\"total\":\"10.01\"}");
                Stage stage = Stage.open(production.address(), debug.address())) {
            stage.get("/orders/7?token=abcdefgh");
            stage.awaitVerdicts("DIFFERENT", 1);

            JsonNode verdict = stage.verdicts("DIFFERENT").get(0);
            assertThat(verdict.get("request").asText())
                    .startsWith("GET /orders/7")
                    .doesNotContain("abcdefgh");
            assertThat(verdict.at("/differences/0/path").asText()).isEqualTo("body.total");
            assertThat(verdict.at("/differences/0/production").asText()).contains("10.00");
            assertThat(verdict.at("/differences/0/debug").asText()).contains("10.01");
            assertThat(verdict.get("trace").asText()).hasSize(32);
        }
    }

    @Test
    void session_thatEachSideMadeUp_reachesDebugAsItsOwn() throws Exception {
        HttpService.Answer login = login("{\"ok\":true}");
        try (HttpService production = HttpService.answering(login);
                HttpService debug = HttpService.answering(login);
                Stage stage = Stage.open(production.address(), debug.address())) {
            String cookie =
                    stage.get("/login").headers().firstValue("set-cookie").orElseThrow();
            String session = cookie.substring(0, cookie.indexOf(';'));
            // at once: the order has to hold this back until debug's own session is known
            stage.get("/orders", "Cookie", session);
            stage.awaitStatus("2 verdicts", s -> Stage.total(s) == 2);

            String told = debug.asked.get(1).headers().getFirst("Cookie");
            assertThat(production.asked.get(1).headers().getFirst("Cookie")).isEqualTo(session);
            assertThat(told).startsWith("JSESSIONID=").isNotEqualTo(session);
            assertThat(stage.status().at("/verdicts/DIFFERENT").asInt())
                    .as(stage.verdicts("").toPrettyString())
                    .isZero();
        }
    }

    private static HttpService.Answer login(String body) {
        return (asked, exchange) -> {
            if (asked.target().equals("/login")) {
                String id = UUID.randomUUID().toString().replace("-", "").toUpperCase(Locale.ROOT);
                exchange.getResponseHeaders().add("Set-Cookie", "JSESSIONID=" + id + "; Path=/; HttpOnly");
            }
            HttpService.reply(exchange, 200, asked.target().equals("/login") ? "{}" : body);
        };
    }

    @Test
    void divergencesOfASession_nameItAlike() throws Exception {
        try (HttpService production = HttpService.answering(login("{\"n\":1}"));
                HttpService debug = HttpService.answering(login("{\"n\":2}"));
                Stage stage = Stage.open(production.address(), debug.address())) {
            String cookie =
                    stage.get("/login").headers().firstValue("set-cookie").orElseThrow();
            String session = cookie.substring(0, cookie.indexOf(';'));
            stage.get("/orders", "Cookie", session);
            stage.get("/basket", "Cookie", session);
            stage.get("/anybody");
            stage.awaitStatus("3 divergences", s -> s.at("/verdicts/DIFFERENT").asInt() == 3);

            Map<String, String> sessions = new HashMap<>();
            for (JsonNode verdict : stage.verdicts("DIFFERENT")) {
                sessions.put(
                        verdict.at("/request").asText(), verdict.at("/session").asText());
            }
            assertThat(sessions.get("GET /orders")).matches("[0-9a-f]{12}").isEqualTo(sessions.get("GET /basket"));
            assertThat(sessions.get("GET /anybody")).isEqualTo("null");
        }
    }

    @Test
    void identity_inABody_reachesDebugAsItsOwn_whateverItsLength() throws Exception {
        try (HttpService production = HttpService.answering(token("Ab3+dE5/gH7iJ9kL1mN3oP5q+rS/"));
                HttpService debug = HttpService.answering(token("Zy8xxW6vU4ttS2rQ0pO8nM6lkJ4h"));
                Stage stage = Stage.open(production.address(), debug.address());
                Socket client = stage.connect()) {
            stage.get("/token");
            stage.awaitStatus("a verdict", s -> Stage.total(s) == 1);
            PlainServer.write(client, """
                    POST /form HTTP/1.1\r
                    Host: x\r
                    Content-Type: application/x-www-form-urlencoded\r
                    Content-Length: 54\r
                    \r
                    text=a+b&csrf=Ab3%2BdE5%2FgH7iJ9""");
            PlainServer.write(client, """
                    kL1mN3oP5q%2BrS%2F&e=1\
                    POST /json HTTP/1.1\r
                    Host: x\r
                    Content-Type: application/json\r
                    Transfer-Encoding: chunked\r
                    \r
                    14\r
                    {"t":"Ab3+dE5\\/gH7iJ\r
                    13;x=y\r
                    9kL1mN3oP5q+rS\\/"}\n\r
                    0\r
                    \r
                    GET /last HTTP/1.1\r
                    Host: x\r
                    \r
                    """);
            stage.awaitStatus("4 verdicts", s -> Stage.total(s) == 4);

            assertThat(debug.asked).hasSize(4);
            assertThat(text(production.asked.get(1)))
                    .isEqualTo("text=a+b&csrf=Ab3%2BdE5%2FgH7iJ9kL1mN3oP5q%2BrS%2F&e=1");
            assertThat(text(debug.asked.get(1))).isEqualTo("text=a+b&csrf=Zy8xxW6vU4ttS2rQ0pO8nM6lkJ4h&e=1");
            assertThat(text(debug.asked.get(2))).isEqualTo("{\"t\":\"Zy8xxW6vU4ttS2rQ0pO8nM6lkJ4h\"}\n");
            assertThat(debug.asked.get(3).target()).isEqualTo("/last");
        }
    }

    @Test
    void body_thatNeverEnds_isToldAsFarAsItCame() throws Exception {
        CountDownLatch told = new CountDownLatch(1);
        HttpService.Answer ok = (asked, exchange) -> HttpService.reply(exchange, 200, "{}");
        try (HttpService production = HttpService.answering(ok);
                PlainServer debug = PlainServer.open(socket -> {
                    PlainServer.readUntil(socket, "half");
                    told.countDown();
                });
                Stage stage = Stage.open(production.address(), debug.address())) {
            try (Socket client = stage.connect()) {
                PlainServer.write(client, """
                        POST /json HTTP/1.1\r
                        Host: x\r
                        Content-Type: application/json\r
                        Content-Length: 90\r
                        \r
                        half""");
                client.shutdownOutput();
                assertThat(told.await(60, TimeUnit.SECONDS)).isTrue();
            }
        }
    }

    private static HttpService.Answer token(String token) {
        return (asked, exchange) -> HttpService.reply(
                exchange, 200, asked.target().equals("/token") ? "{\"csrf\":\"" + token + "\"}" : "{}");
    }

    private static String text(HttpService.Asked asked) {
        return new String(asked.body(), StandardCharsets.UTF_8);
    }

    @Test
    void trace_isToldToDebugOnly() throws Exception {
        try (HttpService production = HttpService.saying("{}");
                HttpService debug = HttpService.saying("{}");
                Stage stage = Stage.open(production.address(), debug.address())) {
            stage.get("/a");
            stage.awaitStatus("a verdict", s -> Stage.total(s) == 1);

            assertThat(production.asked.get(0).headers().containsKey("traceparent"))
                    .isFalse();
            assertThat(debug.asked.get(0).headers().getFirst("traceparent")).matches("00-[0-9a-f]{32}-[0-9a-f]{16}-01");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /odd HTTP/1.1|X-Folded: one|  two|Host: x|X-Last: end||",
                "~~GET /odd HTTP/1.1|HOST:x|x-last:end||",
                "GET /odd HTTP/1.1~Host: x~X-Last:  end ~~"
            })
    void head_reachesDebugByteForByte_butForItsTrace(String lines) throws Exception {
        String head = lines.replace("|", "\r\n").replace("~", "\n");
        CompletableFuture<String> told = new CompletableFuture<>();
        HttpService.Answer ok = (asked, exchange) -> HttpService.reply(exchange, 200, "{}");
        try (HttpService production = HttpService.answering(ok);
                PlainServer debug = PlainServer.open(socket -> {
                    told.complete(PlainServer.readUntil(socket, "-01"));
                    PlainServer.write(socket, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
                });
                Stage stage = Stage.open(production.address(), debug.address());
                Socket client = stage.connect()) {
            PlainServer.write(client, head);
            String traced = told.get(60, TimeUnit.SECONDS);
            assertThat(head.strip() + "\n")
                    .isEqualTo(
                            traced.substring(0, traced.indexOf("traceparent")).strip() + "\n");
            assertThat(traced).startsWith(head.substring(0, head.indexOf("GET")));
        }
    }

    @Test
    void bodies_ofManyMegabytes_passAndAreComparedByHash() throws Exception {
        byte[] large = new byte[9_000_000];
        new Random(4).nextBytes(large);
        HttpService.Answer echo = (asked, exchange) -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write(asked.body());
            exchange.close();
        };
        try (HttpService production = HttpService.answering(echo);
                HttpService debug = HttpService.answering(echo);
                Stage stage = Stage.open(production.address(), debug.address())) {
            stage.post("/upload", large);
            JsonNode status = stage.awaitStatus("a verdict", s -> Stage.total(s) == 1);

            assertThat(Arrays.equals(debug.asked.get(0).body(), large)).isTrue();
            assertThat(status.at("/verdicts/DIFFERENT").asInt()
                            + status.at("/verdicts/NOT_COMPARED").asInt())
                    .as(stage.verdicts("").toPrettyString())
                    .isZero();
            assertThat(status.get("fidelity").asText()).isEqualTo("faithful: 1 of 1 exchanges");
        }
    }

    @Test
    void body_thatComesSlowly_isDeliveredAsItComes() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        HttpService.Answer ok = (asked, exchange) -> HttpService.reply(exchange, 200, "{}");
        try (HttpService production = HttpService.answering(ok);
                PlainServer debug = PlainServer.open(socket -> {
                    String head = PlainServer.readUntil(socket, "first");
                    assertThat(head).contains("traceparent: 00-");
                    begun.countDown();
                    PlainServer.readUntil(socket, "last");
                    PlainServer.write(socket, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
                });
                Stage stage = Stage.open(production.address(), debug.address());
                Socket client = stage.connect()) {
            PlainServer.write(client, "POST /slow HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nfirst");
            assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
            PlainServer.write(client, "last");
            stage.awaitStatus("a verdict", s -> Stage.total(s) == 1);
        }
    }

    @Test
    void request_afterAReplyOnAnotherConnection_waitsForDebugsReply() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        HttpService.Answer ok = (asked, exchange) -> HttpService.reply(exchange, 200, "{}");
        try (HttpService production = HttpService.answering(ok);
                HttpService debug = HttpService.answering((asked, exchange) -> {
                    if (asked.target().equals("/first")) {
                        release.await();
                    }
                    HttpService.reply(exchange, 200, "{}");
                });
                Stage stage = Stage.open(production.address(), debug.address());
                Socket one = stage.connect();
                Socket two = stage.connect()) {
            PlainServer.write(one, "GET /first HTTP/1.1\r\nHost: x\r\n\r\n");
            PlainServer.readUntil(one, "{}");
            PlainServer.write(two, "GET /second HTTP/1.1\r\nHost: x\r\n\r\n");
            PlainServer.readUntil(two, "{}");
            stage.awaitStatus(
                    "both answered", s -> s.at("/exchanges/production").asInt() == 2);
            assertThat(debug.asked).extracting(HttpService.Asked::target).doesNotContain("/second");

            release.countDown();
            stage.awaitStatus("2 verdicts", s -> Stage.total(s) == 2);
            assertThat(debug.asked).extracting(HttpService.Asked::target).containsExactly("/first", "/second");
        }
    }
}
