package dev.understudy.standin.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.standin.trace.TraceText;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;

/** From files of traces to what is printed. */
final class GraphCommandTest {
    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return new CommandLine(new GraphCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
    }

    private String file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    @Test
    void graph_isPrinted_andWrittenAsJsonAndSvg() throws IOException {
        Path json = folder.resolve("graph.json");
        Path svg = folder.resolve("graph.svg");
        String otlp = file("otlp.json", TraceText.shop(10).otlp());

        assertThat(run(otlp, "--json", json.toString(), "--svg", svg.toString()))
                .isZero();
        assertThat(out.toString())
                .contains("3 services, 10 traces, 70 spans")
                .contains("  GET /cart/{n}: 10 requests, 40.00 ms")
                .contains("      1.0    50.0%    1.00      8.00  one after another orders POST /orders")
                .contains("      1.5   100.0%    2.00     10.00  up to 2 at once   stock GET /items/{sku}")
                .contains("  postgresql at db1 (database)")
                .doesNotContain("note:");
        JsonNode graph = new ObjectMapper().readTree(json.toFile());
        assertThat(graph.at("/services/1/name").asText()).isEqualTo("shop");
        assertThat(graph.at("/services/1/routes/0/calls/1/times").asDouble()).isEqualTo(2);
        assertThat(graph.at("/services/1/routes/0/calls/2/kind").asText()).isEqualTo("database");
        assertThat(graph.at("/peers/0/name").asText()).isEqualTo("postgresql at db1");
        assertThat(svg).content().contains("prefers-color-scheme", ">shop</text>");
    }

    @Test
    void sources_areTakenTogether_andRareRoutesCanBeLeftOut() throws IOException {
        String otlp = file("otlp.json", TraceText.shop(4).otlp());
        String jaeger = file("jaeger.json", TraceText.shop(6).jaeger());

        assertThat(run(otlp, jaeger, "--least", "4")).isZero();
        assertThat(out.toString())
                .contains("6 traces")
                .contains("note: 1 routes are left out (fewer than 4 requests)")
                .doesNotContain("  POST /orders:");
    }

    @Test
    void names_commandNoTerminal() throws IOException {
        String hostile = file(
                "hostile.json",
                new TraceText()
                        .span("1", "1", "", "a\u001b[2J\nb", "SERVER", 0, 1, "x\u202ey")
                        .otlp());

        assertThat(run(hostile)).isZero();
        assertThat(out.toString()).doesNotContain("\u001b", "\u202e", "\nb").contains("a\uFFFD[2J\uFFFDb");
    }

    @Test
    void wrongArguments_areNamed() throws IOException {
        assertThat(run()).isEqualTo(2);
        assertThat(err.toString()).contains("SOURCE");
        assertThat(run(folder.resolve("gone.json").toString())).isEqualTo(2);
        assertThat(err.toString()).startsWith("understudy graph: ").contains("gone.json: no such file");
        assertThat(run(file("bad.json", "{}\n{]"))).isEqualTo(2);
        assertThat(err.toString()).contains("bad.json:2: isn't JSON");
        assertThat(run("x", "--least", "0")).isEqualTo(2);
        assertThat(err.toString()).contains("--least: 0 (expected: > 0)");
        assertThat(run("x", "--service", "shop")).isEqualTo(2);
        assertThat(err.toString()).contains("--service shop");
        assertThat(run("http://a b")).isEqualTo(2);
        assertThat(err.toString()).contains("http://a b: no address");
        String fine = file("fine.json", TraceText.shop(1).otlp());
        assertThat(run(fine, "--json", folder.resolve("no/such").toString())).isEqualTo(2);
        assertThat(err.toString()).contains("couldn't be written");
    }
}
