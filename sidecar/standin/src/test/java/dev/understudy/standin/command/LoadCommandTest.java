package dev.understudy.standin.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import dev.understudy.standin.model.ModelFile;
import dev.understudy.standin.model.TestModels;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;

/** From a model's file to what is printed. */
@Tag("process")
final class LoadCommandTest {
    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private Path model;
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        model = folder.resolve("orders.yaml");
        ModelFile.write(TestModels.orders(50, 2, 10), model);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        server.createContext("/", exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(exchange.getRequestURI().getPath().endsWith("s") ? 200 : 404, -1);
            }
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private String target() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private int run(String... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return new CommandLine(new LoadCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
    }

    private int load(String... more) {
        List<String> arguments = new ArrayList<>(List.of("--from", model.toString(), "--target", target()));
        arguments.addAll(List.of(more));
        return run(arguments.toArray(String[]::new));
    }

    @Test
    void load_isPrintedByRouteAndWrittenAsJson() throws IOException {
        Path json = folder.resolve("load.json");

        assertThat(load("--seconds", "2", "--json", json.toString())).isZero();
        assertThat(out.toString())
                .contains("orders at " + target())
                .containsPattern("GET /orders/\\{\\} +\\d+ +\\d\\d\\.\\d%.* 404:\\d+")
                .containsPattern("GET /orders +\\d+ .* 200:\\d+")
                .containsPattern("total +100 +100\\.0%")
                .contains("wanted 50.0 per second, reached ")
                .doesNotContain("not reached");
        JsonNode found = new ObjectMapper().readTree(json.toFile());
        assertThat(found.get("reached").asBoolean()).isTrue();
        assertThat(found.get("total").get("requests").asInt()).isEqualTo(100);
        assertThat(found.get("total").get("errors").get("timeout").asInt()).isZero();
        JsonNode first = found.get("routes").get(0);
        assertThat(first.get("route").asText()).isEqualTo("GET /orders/{}");
        assertThat(first.get("share").asDouble()).isBetween(0.6, 0.9);
        assertThat(first.get("p99Millis").asDouble()).isPositive();
        assertThat(first.get("serviceP99Millis").asDouble()).isPositive();
        assertThat(first.get("statuses").get("404").asInt()).isPositive();
    }

    @Test
    void loadThatIsNotReached_saysSo() {
        assertThat(load("--seconds", "1", "--rate", "20000", "--connections", "1", "--queue", "10", "--timeout", "2s"))
                .isEqualTo(1);
        assertThat(out.toString()).contains("The load was not reached").contains("dropped:");
    }

    @Test
    void nobodyThere_isTold() {
        String gone = target();
        server.stop(0);

        assertThat(run("--from", model.toString(), "--target", gone)).isEqualTo(2);
        assertThat(err.toString()).contains("understudy load: can't connect to " + gone);
    }

    @Test
    void wrongArguments_areNamed() throws IOException {
        assertThat(run("--target", target())).isEqualTo(2);
        assertThat(err.toString()).contains("--from");
        assertThat(run("--from", model.toString(), "--target", "ftp://x")).isEqualTo(2);
        assertThat(err.toString()).contains("ftp://x (expected: http://HOST:PORT)");
        assertThat(load("--scale", "2", "--rate", "3")).isEqualTo(2);
        assertThat(err.toString()).contains("--scale 2.0").contains("one of them");
        assertThat(load("--scale", "0")).isEqualTo(2);
        assertThat(err.toString()).contains("--scale: 0.0 (expected: > 0)");
        assertThat(load("--rate", "1000001")).isEqualTo(2);
        assertThat(err.toString()).contains("--rate: ").contains("1000000");
        assertThat(load("--connections", "0")).isEqualTo(2);
        assertThat(err.toString()).contains("--connections: 0");
        assertThat(load("--seconds", "0")).isEqualTo(2);
        assertThat(err.toString()).contains("--seconds: 0");
        assertThat(run("--from", folder.resolve("gone.yaml").toString(), "--target", target()))
                .isEqualTo(2);
        assertThat(err.toString()).contains("gone.yaml");
        Files.writeString(model, "format: 1\nservice: x\n");
        assertThat(load()).isEqualTo(2);
        assertThat(err.toString()).contains("arrivals");
    }
}
