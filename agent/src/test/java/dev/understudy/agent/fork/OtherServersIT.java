package dev.understudy.agent.fork;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The agent's jar with servers that {@link ServersIT} lacks: Undertow, Jetty, Spring WebFlux. */
@Tag("any-jdk") // its JVMs are of all JDKs wherever it runs
final class OtherServersIT {
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e";
    private static final String DEBUG_SPAN = "00f067aa0ba902b7";

    static Stream<Path> javas() throws IOException {
        return ForkedJvm.javas();
    }

    @ParameterizedTest
    @MethodSource("javas")
    void onUndertow_servletsAndHandlersWorkForTheirRequests(Path java) throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = start(java, sidecar, UndertowServer.class)) {
            sidecar.reportWith("\"state\":\"armed\"");
            Map<String, OtlpSpan> plain = asked(sidecar, jvm, "/plain", "price 13", "SmallServer.price");
            assertThat(plain.get("SmallServer.price").trace()).isEqualTo(trace("/plain"));
            servletsWorkForTheirRequests(sidecar, jvm);
        }
    }

    @ParameterizedTest
    @MethodSource("javas")
    void onJetty_servletsWorkForTheirRequests(Path java) throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = start(java, sidecar, JettyServer.class)) {
            sidecar.reportWith("\"state\":\"armed\"");
            servletsWorkForTheirRequests(sidecar, jvm);
        }
    }

    private static void servletsWorkForTheirRequests(FakeSidecar sidecar, ForkedJvm jvm) throws Exception {
        String doGet = "PriceServlets$Prices.doGet";
        Map<String, OtlpSpan> spans = asked(sidecar, jvm, "/3", "price 13", doGet);
        assertThat(spans.get(doGet).trace()).isEqualTo(trace("/3"));
        assertThat(spans.get("SmallServer.price").parent())
                .isEqualTo(spans.get(doGet).id());
        String complete = "PriceServlets$Later.complete";
        assertThat(asked(sidecar, jvm, "/later/task", "later", complete)
                        .get(complete)
                        .trace())
                .isEqualTo(trace("/later/task"));
        String dispatched = "PriceServlets$Later.dispatched";
        assertThat(asked(sidecar, jvm, "/later/dispatch", "dispatched", dispatched)
                        .get(dispatched)
                        .trace())
                .isEqualTo(trace("/later/dispatch"));
        whatEscapesFromATask_isToldOfItsRequest(sidecar, jvm, "PriceServlets\\$Later#complete\"");
    }

    @ParameterizedTest
    @MethodSource("javas")
    void ofServletsOfOld_theSameHolds(Path java) throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = start(java, sidecar, JavaxServer.class)) {
            sidecar.reportWith("\"state\":\"armed\"");
            String doGet = "JavaxServer$Prices.doGet";
            OtlpSpan span = asked(sidecar, jvm, "/3", "price 13", doGet).get(doGet);
            assertThat(span.trace()).isEqualTo(trace("/3"));
            assertThat(span.parent()).isEqualTo(DEBUG_SPAN);
            String complete = "JavaxServer$Prices.complete";
            assertThat(asked(sidecar, jvm, "/later/task", "later", complete)
                            .get(complete)
                            .trace())
                    .isEqualTo(trace("/later/task"));
            whatEscapesFromATask_isToldOfItsRequest(sidecar, jvm, "JavaxServer\\$Prices#complete\"");
        }
    }

    @ParameterizedTest
    @MethodSource("javas")
    void onWebFlux_whatOtherThreadsDoForARequest_isItsOwn(Path java) throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = start(java, sidecar, WebFluxServer.class)) {
            sidecar.reportWith("\"state\":\"armed\"");
            Map<String, OtlpSpan> spans = asked(sidecar, jvm, "/3", "price 13", "SmallServer.price");
            assertThat(spans.get("SmallServer.price").trace()).isEqualTo(trace("/3"));
            assertThat(spans.get("WebFluxServer.answer").parent()).isEqualTo(DEBUG_SPAN);
            AtomicInteger number = new AtomicInteger(1000);
            sidecar.observe(
                    List.of("WebFluxServer#answer\"", "SmallServer#price\""),
                    () -> jvm.get("/3", parent(number.getAndIncrement())));
        }
    }

    /** Asks, and takes what comes up to the span of that name; by name. */
    private static Map<String, OtlpSpan> asked(
            FakeSidecar sidecar, ForkedJvm jvm, String path, String answer, String last) throws Exception {
        assertThat(jvm.get(path, "00-" + trace(path) + '-' + DEBUG_SPAN + "-01"))
                .isEqualTo(answer);
        Map<String, OtlpSpan> spans = new HashMap<>();
        while (!spans.containsKey(last)) {
            OtlpSpan span = sidecar.span();
            spans.put(span.name(), span);
        }
        return spans;
    }

    private static void whatEscapesFromATask_isToldOfItsRequest(FakeSidecar sidecar, ForkedJvm jvm, String complete)
            throws Exception {
        AtomicInteger number = new AtomicInteger(1000);
        sidecar.observe(List.of(complete, "\"escaped\":\"java.lang.UnsupportedOperationException\""), () -> {
            int next = number.getAndIncrement();
            return jvm.get("/later/" + (next % 2 == 0 ? "task" : "fail"), parent(next));
        });
    }

    /** Each path has a trace of its own. */
    private static String trace(String path) {
        return TRACE + String.format("%04x", path.hashCode() & 0xFFFF);
    }

    private static String parent(int number) {
        return "00-" + TRACE + number + '-' + DEBUG_SPAN + "-01";
    }

    private static ForkedJvm start(Path java, FakeSidecar sidecar, Class<?> main) throws IOException {
        String arguments =
                "=debug=true,budget=1,service=other-debug,packages=dev.understudy.agent.fork,sidecar=" + sidecar.url();
        return ForkedJvm.startWithEverything(java, arguments, List.of(main.getName()));
    }
}
