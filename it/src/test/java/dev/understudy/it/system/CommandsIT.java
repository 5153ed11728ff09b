package dev.understudy.it.system;

import com.sun.net.httpserver.HttpServer;
import dev.understudy.it.bench.process.FreePorts;
import dev.understudy.it.stage.Child;
import dev.understudy.it.stage.TeeStage;
import dev.understudy.it.stage.Understudy;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The README's commands, as a user types them. */
@Tag("any-jdk")
class CommandsIT {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int REQUESTS = 20;

    @TempDir
    Path folder;

    private HttpServer service;
    private HttpServer changed;

    @BeforeEach
    void serve() throws IOException {
        service = serving("{\"cents\":1250}");
        changed = serving("{\"cents\":1249}");
    }

    @AfterEach
    void stop() {
        service.stop(0);
        changed.stop(0);
    }

    @Test
    void record_inspect_replay_tellWhatWasSaidAndWhatDiffers() throws Exception {
        Path file = folder.resolve("monday.understudy");
        int port = FreePorts.next();
        List<String> record = List.of(
                "./understudy",
                "record",
                "--listen",
                "127.0.0.1:" + port,
                "--to",
                address(service),
                "--file",
                file.toString());
        try (Child recording = Child.start(folder.resolve("record.log"), record)) {
            await("the recorder").atMost(PATIENCE).until(() -> answers(port));
            ask(port);
            assertThat(recording.endAtOnce("INT", port, PATIENCE))
                    .as(recording.output())
                    .isIn(0, 130);
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");

        assertThat(run(0, "inspect", file.toString(), "--requests", "--path", "/orders"))
                .contains("GET /orders/" + (REQUESTS - 1))
                .doesNotContain("hunter2");
        assertThat(run(0, "replay", file.toString(), "--to", address(service), "--speed", "max"))
                .isNotEmpty();
        assertThat(run(1, "replay", file.toString(), "--to", address(changed), "--speed", "max"))
                .contains("cents");
    }

    @Test
    void status_events_record_tee_speakToARunningSidecar() throws Exception {
        try (TeeStage stage = TeeStage.open(
                folder,
                "http",
                service.getAddress().getPort(),
                changed.getAddress().getPort(),
                "record.directory=" + folder.resolve("recordings"),
                "resync.webhook=http://" + address(service) + "/")) {
            ask(stage.port());
            stage.awaitExchanges(REQUESTS);
            assertThat(run(0, "status", "--url", stage.control())).contains("DIFFERENT");
            assertThat(run(0, "events", "--after", "the beginning", "--json", "--count", "2", "--url", stage.control()))
                    .contains("\"event\":\"missed\"", "\"event\":\"d");
            assertThat(run(0, "record", "start", "server", "--url", stage.control()))
                    .contains("on, ");
            ask(stage.port());
            assertThat(run(0, "record", "status", "--url", stage.control())).contains("1 connections");
            assertThat(run(0, "record", "stop", "server", "--url", stage.control()))
                    .contains("off, ", ".understudy");
            Path page = folder.resolve("report.html");
            assertThat(run(1, "report", "--html", page.toString(), "--url", stage.control()))
                    .contains("differ: GET /orders/{n} (", "failed: different");
            assertThat(page).content().contains("<svg", "body.cents");
            assertThat(run(0, "noise", "export", "--least", "1", "--url", stage.control()))
                    .contains("path: \"body.cents\", value: number}");
            assertThat(run(0, "resync", "--url", stage.control())).contains("because of asked, done");
            assertThat(run(0, "resync", "--epochs", "--url", stage.control())).contains("epoch 1 of", "epoch 2 of");
            assertThat(run(1, "attach", Long.toString(ProcessHandle.current().pid())))
                    .as("it isn't marked as the debug JVM")
                    .contains("the agent is inert");
            assertThat(run(1, "probes", "arm", "com.shop.*Cart#total", "--url", stage.control()))
                    .contains("revision 1; no agent is there to follow it");
            assertThat(run(0, "status", "--url", stage.control())).contains("revision 1; no agent");
            assertThat(run(
                            1,
                            "probes",
                            "arm",
                            "--reachable-from",
                            "com.shop.CartServlet#doGet",
                            "--url",
                            stage.control()))
                    .contains("revision 2; ");
            assertThat(run(1, "probes", "disarm", "com.shop.Money", "--url", stage.control()))
                    .contains("revision 3; ");
            assertThat(run(1, "probes", "reset", "--url", stage.control())).contains("revision 4; ");
            assertThat(run(1, "probes", "list", "--url", stage.control())).contains("no agent is there");
            Path classes = Files.createDirectories(folder.resolve("classes"));
            try (InputStream own = Objects.requireNonNull(CommandsIT.class.getResourceAsStream("CommandsIT.class"))) {
                Files.copy(own, classes.resolve("CommandsIT.class"));
            }
            assertThat(run(0, "weave", "--cache=" + folder.resolve("cache"), classes.toString()))
                    .contains("1 classes: 1 woven, ");
            assertThat(run(1, "patch", "apply", classes.toString(), "--url", stage.control()))
                    .contains(": 1 class (CommandsIT)", "revision 5; no agent");
            assertThat(run(1, "patch", "status", "--url", stage.control()))
                    .contains(": 1 class (CommandsIT)", "epoch 1 of");
            assertThat(run(1, "patch", "take-back", "--url", stage.control())).contains("revision 6; ");
            assertThat(run(
                            1,
                            "log",
                            "add",
                            "com.shop.Cart#total",
                            "--message",
                            "total of {this.id} with {coupon} is {return}",
                            "--when",
                            "this.items.size > 3 && coupon != null",
                            "--url",
                            stage.control()))
                    .contains("p1 at the exit of com.shop.Cart#total", "revision 7; no agent");
            assertThat(run(1, "snapshot", "add", "com.shop.Cart#total", "--at", "line:42", "--url", stage.control()))
                    .contains("p2 at the line 42 of com.shop.Cart#total");
            assertThat(run(1, "watch", "add", "com.shop.Cart.total", "--when", "value > 100", "--url", stage.control()))
                    .contains("w3 on writes of com.shop.Cart#total", "revision 9; no agent");
            assertThat(run(0, "log", "list", "--url", stage.control())).contains("p1 at", "when this.items.size > 3");
            assertThat(run(1, "log", "show", "--url", stage.control())).contains("nothing was told");
            assertThat(run(1, "log", "remove", "p1", "--url", stage.control())).contains("revision 10; ");
            assertThat(run(0, "tee", "server", "off", "--url", stage.control())).contains("off");
            assertThat(run(0, "status", "--json", "--url", stage.control())).contains("\"tee\" : \"off\"");
            assertThat(run(0, "top", "--once", "--url", stage.control())).contains("server");
        }
        assertThat(run(2, "status", "--url", "http://127.0.0.1:" + FreePorts.next()))
                .contains("127.0.0.1");
    }

    @Test
    void simulate_tellsOfALoadOfOnesOwn() throws Exception {
        assertThat(run(0, "simulate", "--rate", "100", "--service", "300", "--slow-down", "6", "--buffer", "256KiB"))
                .contains("100")
                .containsIgnoringCase("overflow");
    }

    private String run(int code, String... command) throws Exception {
        return Understudy.run(folder, code, command);
    }

    private static void ask(int port) throws IOException, InterruptedException {
        HttpClient client = HttpClient.newHttpClient();
        for (int n = 0; n < REQUESTS; n++) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/orders/" + n))
                    .header("Authorization", "Bearer hunter2")
                    .build();
            assertThat(client.send(request, BodyHandlers.ofString()).body()).contains("1250");
        }
    }

    private static boolean answers(int port) {
        try {
            ask(port);
            return true;
        } catch (IOException notYet) {
            return false;
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static HttpServer serving(String reply) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        byte[] body = reply.getBytes(StandardCharsets.UTF_8);
        server.createContext("/", exchange -> {
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        return server;
    }

    private static String address(HttpServer server) {
        return "127.0.0.1:" + server.getAddress().getPort();
    }
}
