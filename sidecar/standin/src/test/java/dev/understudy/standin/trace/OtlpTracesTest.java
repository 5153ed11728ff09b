package dev.understudy.standin.trace;

import dev.understudy.standin.graph.GraphBuilder;
import dev.understudy.standin.graph.ServiceGraph;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class OtlpTracesTest {
    @TempDir
    private Path folder;

    private ServiceGraph graph(String text) throws IOException {
        TraceStore store = new TraceStore();
        TraceFile.read(Files.writeString(folder.resolve("spans.json"), text), store);
        return GraphBuilder.of(store, 1);
    }

    @Test
    void resource_mayComeAfterItsSpans_andFieldsHaveAnyForm() throws IOException {
        String span = "{\"attributes\":[{\"value\":{\"stringValue\":\"/a/{id}\"},\"key\":\"http.route\"},"
                + "{\"key\":\"x\",\"value\":{\"kvlistValue\":{\"values\":[{}]}}},3],\"kind\":2,\"name\":\"x\","
                + "\"traceId\":\"0A\",\"spanId\":\"1\",\"startTimeUnixNano\":5,\"endTimeUnixNano\":\"1000005\"}";
        ServiceGraph graph = graph("{\"resourceSpans\":[{\"instrumentationLibrarySpans\":[{\"spans\":[" + span + "]}],"
                + "\"resource\":{\"attributes\":[{\"key\":\"service.name\",\"value\":{\"stringValue\":\"shop\"}}]}}]}");

        assertThat(graph.nodes()).singleElement().satisfies(node -> {
            assertThat(node.name()).isEqualTo("shop");
            assertThat(node.routes().get(0).route()).isEqualTo("/a/{id}");
            assertThat(node.routes().get(0).meanMillis()).isEqualTo(1);
        });
    }

    @Test
    void wholeFile_mayBeAnArrayAndIndented() throws IOException {
        String lines = TraceText.shop(2).otlp();
        String array = "[\n" + String.join(",\n", lines.lines().toList()) + "\n]\n";

        assertThat(graph(array.replace("[{", "[\n {"))).isEqualTo(graph(lines));
    }

    @Test
    void spansWithoutIdsOrTimes_areLeftOutAndNamed() throws IOException {
        ServiceGraph graph = graph(TraceText.shop(1).otlp()
                + "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[{},{\"traceId\":\"1\",\"spanId\":\"2\","
                + "\"startTimeUnixNano\":-1,\"endTimeUnixNano\":\"99999999999999999999999\"},7,null]}]}]}");

        assertThat(graph.notes()).containsExactly("4 spans are left out, since they have no ids or times");
    }

    @Test
    void whatIsNoTrace_isNamedWithItsLine() {
        assertThatThrownBy(() -> graph("{\"resourceSpans\":[]}\n{\"resourceSpans\":[{\"x\":tru}]}"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("spans.json:2: isn't JSON");
        assertThatThrownBy(() -> graph("\n\nhello")).hasMessageContaining("spans.json:3:");
        assertThatThrownBy(() -> graph("{}\n12")).hasMessageContaining("spans.json:2: no object");
        assertThatThrownBy(() -> graph("[".repeat(100_000))).hasMessageContaining("spans.json:1:");
        assertThatThrownBy(() -> graph("{\"resourceMetrics\":[]}")).hasMessageContaining("spans.json: no spans");
        assertThatThrownBy(() -> graph("")).hasMessageContaining("no spans");
        assertThatThrownBy(() -> TraceFile.read(folder, new TraceStore())).hasMessageContaining("no such file");
    }
}
