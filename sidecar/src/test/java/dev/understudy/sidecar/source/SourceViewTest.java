package dev.understudy.sidecar.source;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.relay.control.Routes;
import dev.understudy.sidecar.RolePort;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

final class SourceViewTest {
    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway.Init") // opened by each test
    private SourceView view;

    @SuppressWarnings("NullAway.Init") // opened by each test
    private RolePort port;

    @BeforeEach
    void open() throws Exception {
        String lines = IntStream.rangeClosed(2, 500)
                .mapToObj(n -> n == 300 ? "int total(int n) {" : "// " + n)
                .collect(Collectors.joining("\n"));
        Files.writeString(folder.resolve("Cart.java"), "x".repeat(1000) + "\n" + lines);
        open(new SourceRoots(List.of(folder)));
    }

    @AfterEach
    void close() {
        port.close();
        view.close();
    }

    @Test
    void method_isShownFromItsDeclarationOn_andALineWithWhatSurroundsIt() throws Exception {
        JsonNode method = shown("method=Cart%23total&lines=10");
        assertThat(method.path("file").asText()).endsWith("Cart.java");
        assertThat(method.path("of").asInt()).isEqualTo(500);
        assertThat(method.path("first").asInt()).isEqualTo(299);
        assertThat(method.path("lines")).hasSize(10);
        assertThat(method.at("/lines/1").asText()).isEqualTo("int total(int n) {");

        JsonNode line = shown("method=Cart%23total&line=400&lines=9");
        assertThat(line.path("first").asInt()).isEqualTo(397);
        assertThat(line.at("/lines/3").asText()).isEqualTo("// 400");

        assertThat(shown("method=Cart&line=1000000").path("first").asInt()).isEqualTo(500);
        assertThat(shown("method=Cart&line=1").at("/lines/0").asText())
                .as("a long line is cut")
                .hasSize(400);
    }

    @Test
    void source_isForOperators() throws Exception {
        assertThat(send("read", "method=Cart").statusCode()).isEqualTo(403);
        assertThat(send("operate", "method=Cart").statusCode()).isEqualTo(200);
    }

    @Test
    void whatIsWrong_isNamed() throws Exception {
        assertThat(send("operate", "method=..%2FCart").statusCode()).isEqualTo(400);
        assertThat(send("operate", "method=Cart&lines=401").body()).contains("lines: 401 (expected: 1 to 400)");
        assertThat(send("operate", "method=com.Gone").statusCode()).isEqualTo(404);
        assertThat(send("operate", "method=com.Gone").body()).contains("no source of com.Gone");
        Files.write(folder.resolve("Large.java"), new byte[2 << 20]);
        assertThat(send("operate", "method=Large").body()).contains("has more than 1048576 bytes");
    }

    @Test
    void withoutTheSetting_itSaysWhichOne() throws Exception {
        close();
        open(new SourceRoots(List.of()));
        HttpResponse<String> none = send("operate", "method=Cart");
        assertThat(none.statusCode()).isEqualTo(404);
        assertThat(none.body()).contains("the setting sources");
    }

    private void open(SourceRoots roots) throws Exception {
        view = new SourceView(roots);
        port = new RolePort(view.addTo(new Routes()));
    }

    private JsonNode shown(String query) throws Exception {
        return port.json("GET", "/v1/source?" + query, "operate", "");
    }

    private HttpResponse<String> send(String role, String query) throws Exception {
        return port.send("GET", "/v1/source?" + query, role, "");
    }
}
