package dev.understudy.sidecar.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** A recorded failure of a real server is reduced against another one of the same program. */
final class ReduceCommandTest {
    private static final String ORDER = """
            {"customer":{"id":7,"name":"Ada"},"items":[{"sku":"tea","n":2},{"sku":"mug","n":-1}],"express":true}\
            """;

    @TempDir
    Path folder;

    private Path file = Path.of("");
    private volatile boolean recorded;
    private final Set<String> users = ConcurrentHashMap.newKeySet();

    @BeforeEach
    void record() throws Exception {
        file = folder.resolve("shop.understudy");
        HttpServer production = shop();
        RecordingProxy proxy = RecordingProxy.open(address(production), file);
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
            Replaying.ask(client, "GET /news HTTP/1.1\r\nHost: shop\r\n\r\n", "fine;");
            Replaying.ask(client, "GET /login?user=ada&password=hunter2 HTTP/1.1\r\nHost: shop\r\n\r\n", "fine;");
            Replaying.ask(client, order(), "broken;");
            Replaying.ask(client, "GET /slow HTTP/1.1\r\nHost: shop\r\n\r\n", "fine;");
        }
        proxy.stop();
        production.stop(0);
        users.clear();
        recorded = true;
    }

    @Test
    void aFailure_isReducedToWhatItNeeds() throws Exception {
        Ran ran = reduce("--exchange", "3");
        assertThat(ran.code()).as(ran.toString()).isZero();
        assertThat(ran.out())
                .contains("failed 3 of 3 times, so the failure is stable (500)")
                .contains("""
                            first   GET /login?user=ada&password=[masked]
                            POST /orders HTTP/1.1
                            Host: shop

                            {"items":[{"n":-1}]}
                        """)
                .contains("passes without any one of:", "    before it GET /login", "    JSON /items/0/n = -1  -> 200")
                .doesNotContain("JSON /items = ")
                .doesNotContain("hunter2");
    }

    @Test
    void programsGetTheSame() throws Exception {
        JsonNode json = new ObjectMapper()
                .readTree(reduce("--exchange", "3", "--json", "--fails", "text broken")
                        .out());
        assertThat(json.path("behaviour").asText()).isEqualTo("stable");
        assertThat(json.path("earlier")).hasSize(1);
        assertThat(json.path("request").asText()).endsWith("{\"items\":[{\"n\":-1}]}");
        assertThat(json.path("smallestBytes").asInt())
                .isLessThan(json.path("recordedBytes").asInt());
    }

    @Test
    void whatDoesNotFail_isSaid() throws Exception {
        Ran ran = reduce("--exchange", "1");
        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.out()).contains("failed 0 of 3 times, answered 200");
    }

    @Test
    void aReplyThatDoesNotCome_isAFailureLikeOthers() throws Exception {
        Ran ran = reduce("--exchange", "4", "--fails", "no reply", "--patience", "300ms");
        assertThat(ran.code()).as(ran.toString()).isZero();
        assertThat(ran.out()).contains("(no reply within 300 ms)", "    GET /slow HTTP/1.1");
    }

    @Test
    void whatCannotBegin_saysWhy() throws Exception {
        assertThat(reduce("--exchange", "9").err()).contains("has no exchange 9 among its 4");
        assertThat(reduce("--exchange", "3", "--fails", "error").err()).contains("expected: status 500, status 5xx");
        assertThat(reduce("--exchange", "3", "--attempts", "0").err()).contains("a number from 1 to 999999");
        int free;
        try (ServerSocket closed = new ServerSocket(0)) {
            free = closed.getLocalPort();
        }
        Ran refused = Ran.run("reduce", file.toString(), "--exchange", "3", "--to", "127.0.0.1:" + free);
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("can't connect to 127.0.0.1:" + free, "a debug JVM that listens there");
    }

    private Ran reduce(String... options) throws Exception {
        HttpServer debug = shop();
        try {
            return Ran.run(
                    Stream.concat(Stream.of("reduce", file.toString(), "--to", address(debug)), Stream.of(options))
                            .toArray(String[]::new));
        } finally {
            debug.stop(0);
        }
    }

    /** Fails if who has logged in on this connection orders less than nothing. */
    private HttpServer shop() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", this::serve);
        server.start();
        return server;
    }

    private void serve(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().toString();
        String client = exchange.getRemoteAddress().toString();
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        if (path.startsWith("/login") && path.contains("user=ada")) {
            users.add(client);
        }
        if (path.equals("/slow") && recorded) {
            pause();
        }
        boolean broken = path.equals("/orders") && users.contains(client) && body.contains("\"n\":-1");
        byte[] answer = (broken ? "broken;" : "fine;").getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(broken ? 500 : 200, answer.length);
        exchange.getResponseBody().write(answer);
        exchange.close();
    }

    private static void pause() {
        try {
            Thread.sleep(2_000);
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }

    private static String order() {
        return "POST /orders HTTP/1.1\r\nHost: shop\r\nAccept: */*\r\nContent-Type: application/json\r\n"
                + "Content-Length: " + ORDER.length() + "\r\n\r\n" + ORDER;
    }

    private static String address(HttpServer server) {
        return "127.0.0.1:" + server.getAddress().getPort();
    }
}
