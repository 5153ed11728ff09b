package dev.understudy.sidecar.command;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.understudy.sidecar.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

/** An exchange of a recorded connection, by its number and by what {@code suspects} says of it. */
final class ReplayExchangeTest {
    private static final int ROUNDS = 12;

    @TempDir
    Path folder;

    private final Queue<String> asked = new ConcurrentLinkedQueue<>();
    private final Queue<String> spans = new ConcurrentLinkedQueue<>();

    @Tag("slow")
    @Test
    void theExampleOfASuspect_isReplayedByTheCommandThatIsPrinted() throws Exception {
        String command;
        try (RunningSidecar sidecar = RunningSidecar.answering(folder, this::shop, this::debugShop)) {
            Ran.run("record", "start", "shop", "--url", sidecar.controlUrl());
            try (Socket client = new Socket(InetAddress.getLoopbackAddress(), sidecar.port())) {
                for (int round = 1; round <= ROUNDS; round++) {
                    Replaying.ask(client, get("/fine/" + round) + get("/fail/" + round), "broken " + round + ";");
                    await().until(() -> spans.size() == 2);
                    Replaying.observed(sidecar.controlUrl(), span(), "");
                    Replaying.observed(sidecar.controlUrl(), span(), "16");
                }
            }
            await().until(() ->
                    Ran.run("suspects", "--url", sidecar.controlUrl()).out().contains("A#b"));
            command = Ran.run("suspects", "--url", sidecar.controlUrl()).out();
            Ran.run("record", "stop", "shop", "--url", sidecar.controlUrl());
        }
        Matcher printed = Pattern.compile(
                        "GET /fail/(\\d+), status 500; .*replay FILE (--connection \\d+ --exchange @\\S+) --to")
                .matcher(command);
        assertThat(printed.find()).as(command).isTrue();
        int round = Integer.parseInt(printed.group(1));
        String[] which = printed.group(2).split(" ");

        Ran same = replay(Replaying.recording(folder), this::shop, which);
        assertThat(same.code()).as(same.toString()).isZero();
        assertThat(same.out())
                .contains(
                        " exchange " + 2 * round + ", GET /fail/" + round + ": ", "; status 500 was recorded, now 500")
                .containsPattern(
                        "1 connections replayed .* 0 failed, (1 SAME, 0|0 SAME, 1) EQUIVALENT, 0 DIFFERENT, 0 NOT");
        assertThat(asked).as("no further than that").hasSize(2 * round).last().isEqualTo("/fail/" + round);

        Ran mended = replay(Replaying.recording(folder), exchange -> answer(exchange, 200, "mended"), which);
        assertThat(mended.code()).isEqualTo(1);
        assertThat(mended.out())
                .contains(": DIFFERENT, ", "; status 500 was recorded, now 200\n", "0 SAME, 0 EQUIVALENT, 1 DIFFERENT")
                .contains("(before the one that is wanted)");
        Ran elsewhere = replay(Replaying.recording(folder), this::shop, "--exchange", "@1");
        assertThat(elsewhere.code()).isEqualTo(2);
        assertThat(elsewhere.err()).contains("has no exchange @1 among its " + 2 * ROUNDS + "; times are those of");
        assertThat(asked).as("nothing was sent").isEmpty();
    }

    @Test
    void anExchangeByItsNumber_isWhatInspectCounts() throws Exception {
        Path file = folder.resolve("shop.understudy");
        HttpServer production = service(this::shop);
        RecordingProxy proxy = RecordingProxy.open(address(production), file);
        for (int n = 0; n < 2; n++) {
            try (Socket client = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
                Replaying.ask(client, get("/fine/1") + get("/fine/2") + get("/fail/3") + get("/fine/4"), "fine 4;");
            }
        }
        proxy.stop();
        production.stop(0);
        Matcher third = Pattern.compile("#(\\d+) [^#]*? 3\\.  [\\d.]+ s  GET /fail/3", Pattern.DOTALL)
                .matcher(Ran.run("inspect", file.toString(), "--requests").out());
        assertThat(third.find()).isTrue();

        Ran one = replay(file, this::shop, "--connection", third.group(1), "--exchange", "3");
        assertThat(one.code()).as(one.toString()).isZero();
        assertThat(asked).containsExactly("/fine/1", "/fine/2", "/fail/3");
        assertThat(replay(file, this::shop, "--connection", third.group(1), "--exchange", "5")
                        .err())
                .contains("has no exchange 5 among its 4");
        assertThat(replay(file, this::shop, "--exchange", "3").err()).contains("2 connections are chosen");
        for (String odd : new String[] {"0", "-1", "@", "@x", "third", "@1+", "9999999999", "@99999999999999999999"}) {
            Ran ran = replay(file, this::shop, "--exchange", odd);
            assertThat(ran.code()).isEqualTo(2);
            assertThat(ran.err()).contains("a number from 1 on, or an arrival");
        }
    }

    @Test
    void whereThereAreNoExchanges_aTurnIsComparedAlone() throws Exception {
        Path file = folder.resolve("lines.understudy");
        try (ServerSocket production = lines(line -> "said " + line)) {
            RecordingProxy proxy = RecordingProxy.open("127.0.0.1:" + production.getLocalPort(), file);
            try (Socket client = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
                for (int n = 1; n <= 3; n++) {
                    Replaying.ask(client, n + "\n", "said " + n + "\n");
                }
            }
            proxy.stop();
        }
        try (ServerSocket other = lines(line -> (line.equals("2") ? "said " : "SAID ") + line)) {
            String to = "127.0.0.1:" + other.getLocalPort();
            assertThat(Replaying.replay(file, to, "--exchange", "2").code()).isZero();
            assertThat(asked).containsExactly("1", "2", "3", "1", "2");
            Ran third = Replaying.replay(file, to, "--exchange", "3");
            assertThat(third.code()).isEqualTo(1);
            assertThat(third.out()).contains("the reply's bytes differ");
            assertThat(Replaying.replay(file, to, "--exchange", "4").err()).contains("has no exchange 4 among its 3");
        }
    }

    @Test
    void turnsAreListed_withWhatReplayTakes() throws Exception {
        Path file = folder.resolve("lines.understudy");
        try (ServerSocket production = lines(line -> "said " + line)) {
            RecordingProxy proxy = RecordingProxy.open("127.0.0.1:" + production.getLocalPort(), file);
            try (Socket client = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
                for (String line : new String[] {"open sesame", "hunter2", "tell me", "go"}) {
                    Replaying.ask(client, line + "\n", "said " + line + "\n");
                }
            }
            proxy.stop();
        }
        Ran inspected = Ran.run("inspect", file.toString(), "--requests");
        assertThat(inspected.out()).containsPattern("""
                          31 bytes in, 51 out, 4 turns, .+
                            1\\.  [\\d.]+ s  @-?\\d+  open, 12 bytes
                            2\\.  [\\d.]+ s  @-?\\d+  8 bytes
                            3\\.  [\\d.]+ s  @-?\\d+  tell, 8 bytes
                            4\\.  [\\d.]+ s  @-?\\d+  3 bytes
                        1 of 1 connections, 0 requests, 4 turns, 82 bytes
                        """).doesNotContain("hunter2", "sesame");
        assertThat(Ran.run("inspect", file.toString()).out())
                .contains("4 turns")
                .doesNotContain("@");

        Matcher third = Pattern.compile(" 3\\.  \\S+ s  (@\\S+)  ").matcher(inspected.out());
        assertThat(third.find()).isTrue();
        asked.clear();
        try (ServerSocket other = lines(line -> "said " + line)) {
            Ran replayed = Ran.run(
                    "replay",
                    file.toString(),
                    "--speed",
                    "max",
                    "--to",
                    "127.0.0.1:" + other.getLocalPort(),
                    "--exchange",
                    third.group(1));
            assertThat(replayed.code()).as(replayed.toString()).isZero();
            assertThat(asked).containsExactly("open sesame", "hunter2", "tell me");
        }
    }

    private void shop(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        boolean fails = path.startsWith("/fail");
        answer(exchange, fails ? 500 : 200, (fails ? "broken " : "fine ") + path.substring(6) + ";");
    }

    private void debugShop(HttpExchange exchange) throws IOException {
        spans.add(exchange.getRequestHeaders().getFirst("traceparent").split("-", -1)[2]);
        shop(exchange);
    }

    private void answer(HttpExchange exchange, int status, String text) throws IOException {
        asked.add(exchange.getRequestURI().getPath());
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    /** Of the exchange that the debug JVM was asked first of those that nobody took yet, as an agent names it. */
    private String span() {
        return "\"span\":\"" + spans.remove() + "\"";
    }

    private static String get(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n";
    }

    private Ran replay(Path file, HttpHandler shop, String... more) throws Exception {
        asked.clear();
        HttpServer server = service(shop);
        Ran ran = Replaying.replay(file, address(server), more);
        server.stop(0);
        return ran;
    }

    private static HttpServer service(HttpHandler shop) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", shop);
        server.start();
        return server;
    }

    private static String address(HttpServer server) {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    private ServerSocket lines(UnaryOperator<String> answers) throws IOException {
        return Replaying.lines(asked, new AtomicInteger(), answers);
    }
}
