package dev.understudy.standin.graph;

import dev.understudy.standin.trace.NodeKind;
import dev.understudy.standin.trace.TraceStore;
import dev.understudy.standin.trace.TraceText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

final class GraphBuilderTest {
    private static ServiceGraph graph(TraceStore store, String text) throws IOException {
        TraceText.read(text.getBytes(StandardCharsets.UTF_8), store);
        return GraphBuilder.of(store, 1);
    }

    private static ServiceGraph graph(TraceText text) throws IOException {
        return graph(new TraceStore(), text.otlp());
    }

    private static ServiceNode node(ServiceGraph graph, String name) {
        return graph.nodes().stream()
                .filter(node -> node.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void calls_haveOrderProbabilityTimesAndOverlap() throws IOException {
        ServiceGraph graph = graph(TraceText.shop(10));

        assertThat(graph.traces()).isEqualTo(10);
        assertThat(graph.nodes())
                .extracting(ServiceNode::name)
                .containsExactly("orders", "postgresql at db1", "shop", "stock");
        assertThat(graph.notes()).isEmpty();
        ServiceRoute cart = node(graph, "shop").routes().get(0);
        assertThat(cart.route()).isEqualTo("GET /cart/{n}");
        assertThat(cart.requests()).isEqualTo(10);
        assertThat(cart.meanMillis()).isEqualTo(40);
        assertThat(cart.atOnce()).isEqualTo(2);
        assertThat(cart.calls())
                .containsExactly(
                        new ServiceCall("orders", NodeKind.SERVICE, "POST /orders", 5, 5, 0.5, 1, 1, 1, 8),
                        new ServiceCall("stock", NodeKind.SERVICE, "GET /items/{sku}", 10, 20, 1, 2, 1.5, 2, 10),
                        new ServiceCall(
                                "postgresql at db1", NodeKind.DATABASE, "SELECT carts", 10, 10, 1, 1, 2.5, 1, 10));
    }

    @Test
    void jaegerAndOtlp_giveTheSameGraph() throws IOException {
        TraceText text = TraceText.shop(6);

        assertThat(graph(new TraceStore(), text.jaeger())).isEqualTo(graph(text));
    }

    @Test
    void spansThatComeTwice_countOnce() throws IOException {
        TraceText text = TraceText.shop(3);
        TraceStore twice = new TraceStore();
        graph(twice, text.jaeger());

        assertThat(graph(twice, text.otlp())).isEqualTo(graph(text));
    }

    @Test
    void serverSpansWithinOneAnother_areOneRequest() throws IOException {
        ServiceGraph graph = graph(new TraceText()
                .span("1", "a", "", "shop", "SERVER", 0, 100, "GET /a")
                .span("1", "b", "a", "shop", "SERVER", 1, 99, "Controller")
                .span("1", "c", "b", "shop", "CLIENT", 2, 98, "sdk", "peer.service", "pay")
                .span("1", "d", "c", "shop", "CLIENT", 3, 97, "http", "server.address", "pay.example"));

        ServiceRoute route = node(graph, "shop").routes().get(0);
        assertThat(node(graph, "shop").routes()).hasSize(1);
        assertThat(route.calls()).singleElement().satisfies(call -> {
            assertThat(call.service()).isEqualTo("pay");
            assertThat(call.kind()).isEqualTo(NodeKind.PEER);
            assertThat(call.meanMillis()).isCloseTo(0.096, within(1e-9));
        });
    }

    @Test
    void callOfItself_isACall() throws IOException {
        ServiceGraph graph = graph(new TraceText()
                .span("1", "a", "", "shop", "SERVER", 0, 100, "GET /a")
                .span("1", "b", "a", "shop", "CLIENT", 1, 99, "GET")
                .span("1", "c", "b", "shop", "SERVER", 2, 98, "GET /b"));

        assertThat(node(graph, "shop").routes()).extracting(ServiceRoute::route).containsExactly("GET /a", "GET /b");
        assertThat(node(graph, "shop").routes().get(0).calls())
                .extracting(ServiceCall::route)
                .containsExactly("GET /b");
    }

    @Test
    void callerAndServer_mayShareTheirId() throws IOException {
        ServiceGraph graph = graph(new TraceText()
                .span("1", "a", "", "shop", "SERVER", 0, 100, "GET /a")
                .span("1", "b", "a", "shop", "CLIENT", 1, 99, "GET")
                .span("1", "b", "a", "stock", "SERVER", 2, 98, "GET /b")
                .span("1", "c", "b", "stock", "CLIENT", 3, 97, "get", "db.system", "redis"));

        assertThat(node(graph, "shop").routes().get(0).calls())
                .extracting(ServiceCall::service)
                .containsExactly("stock");
        assertThat(node(graph, "stock").routes().get(0).calls())
                .extracting(ServiceCall::service)
                .containsExactly("redis");
    }

    @Test
    void messages_areCalls() throws IOException {
        ServiceGraph graph = graph(new TraceText()
                .span("1", "a", "", "shop", "SERVER", 0, 100, "GET /a")
                .span("1", "b", "a", "shop", "PRODUCER", 1, 2, "send", "messaging.system", "kafka")
                .span("1", "c", "b", "mail", "CONSUMER", 200, 300, "orders process")
                .span(
                        "1",
                        "d",
                        "a",
                        "shop",
                        "PRODUCER",
                        3,
                        4,
                        "send",
                        "messaging.system",
                        "kafka",
                        "messaging.destination.name",
                        "audit"));

        assertThat(node(graph, "shop").routes().get(0).calls())
                .extracting(call -> call.service() + " " + call.route() + " " + call.kind())
                .containsExactly("mail orders process SERVICE", "kafka audit QUEUE");
    }

    @Test
    void ringsAndMissingParents_areNamed() throws IOException {
        ServiceGraph graph = graph(new TraceText()
                .span("1", "a", "b", "shop", "INTERNAL", 0, 100, "a")
                .span("1", "b", "a", "shop", "INTERNAL", 0, 100, "b")
                .span("2", "a", "b", "shop", "SERVER", 0, 100, "c")
                .span("2", "b", "a", "stock", "SERVER", 0, 100, "d")
                .span("3", "a", "gone", "stock", "SERVER", 0, 100, "d")
                .span("4", "a", "a", "stock", "SERVER", 0, 100, "d"));

        assertThat(graph.notes())
                .containsExactly(
                        "2 spans name parents that aren't in their traces; they count as requests of their own",
                        "2 spans are left out, since their parents form a ring");
        assertThat(node(graph, "shop").routes().get(0).calls())
                .extracting(ServiceCall::service)
                .containsExactly("stock");
        assertThat(node(graph, "stock").requests()).isEqualTo(3);
    }

    @Test
    void whatIsTooMuch_isFoldedAndNamed() throws IOException {
        TraceText text = new TraceText();
        for (int n = 0; n <= NodeNames.MOST_ROUTES; n++) {
            text.span(
                    "1",
                    Integer.toHexString(n + 1),
                    "",
                    "shop",
                    "SERVER",
                    0,
                    1,
                    "do-" + (char) ('a' + n % 26) + "/" + (char) ('a' + n / 26));
        }
        for (int n = 0; n <= NodeNames.MOST_SERVICES; n++) {
            text.span("2", Integer.toHexString(n + 1), "", "s" + n, "SERVER", 0, 1, "do");
        }
        ServiceGraph graph = graph(text);

        assertThat(graph.nodes()).hasSize(NodeNames.MOST_SERVICES + 1);
        assertThat(node(graph, "shop").routes())
                .hasSize(NodeNames.MOST_ROUTES + 1)
                .extracting(ServiceRoute::route)
                .contains("(other routes)");
        assertThat(node(graph, "(other services)").requests()).isEqualTo(2);
        assertThat(graph.notes()).hasSize(2).anyMatch(note -> note.startsWith("1 routes are together"));
        assertThat(graph(TraceText.store(4), TraceText.shop(1).otlp()).notes())
                .anyMatch(note -> note.startsWith("2 spans are left out (at most 4"));
    }

    @Test
    void longChain_needsNoDeepStack() throws IOException {
        TraceText text = new TraceText();
        for (int n = 1; n <= 30_000; n++) {
            text.span(
                    "1", Integer.toHexString(n), n == 1 ? "" : Integer.toHexString(n - 1), "shop", "CLIENT", 0, 1, "x");
        }

        assertThat(graph(text).nodes()).extracting(ServiceNode::name).isEqualTo(List.of("(unknown)", "shop"));
    }
}
