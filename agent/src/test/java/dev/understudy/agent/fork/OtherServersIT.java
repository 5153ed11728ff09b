package dev.understudy.agent.fork;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
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
            asked(sidecar, jvm, "/plain", "price 13", "SmallServer.price");
            servletsWorkForTheirRequests(sidecar, jvm);
        }
    }

    @Test
    void onJetty_servletsWorkForTheirRequests() throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = start(ForkedJvm.java(), sidecar, JettyServer.class)) {
            sidecar.reportWith("\"state\":\"armed\"");
            servletsWorkForTheirRequests(sidecar, jvm);
        }
    }

    private static void servletsWorkForTheirRequests(FakeSidecar sidecar, ForkedJvm jvm) throws Exception {
        String doGet = "PriceServlets$Prices.doGet";
        List<OtlpSpan> spans = asked(sidecar, jvm, "/3", "price 13", doGet, "SmallServer.price");
        assertThat(ServersIT.named(spans, "SmallServer.price").parent())
                .isEqualTo(ServersIT.named(spans, doGet).id());
        asked(sidecar, jvm, "/later/task", "later", "PriceServlets$Later.complete");
        asked(sidecar, jvm, "/later/dispatch", "dispatched", "PriceServlets$Later.dispatched");
        whatEscapesFromATask_isToldOfItsRequest(sidecar, jvm, "PriceServlets\\$Later#complete\"");
    }

    @Test
    void ofServletsOfOld_theSameHolds() throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = start(ForkedJvm.java(), sidecar, JavaxServer.class)) {
            sidecar.reportWith("\"state\":\"armed\"");
            String doGet = "JavaxServer$Prices.doGet";
            List<OtlpSpan> spans = asked(sidecar, jvm, "/3", "price 13", doGet);
            assertThat(ServersIT.named(spans, doGet).parent()).isEqualTo(DEBUG_SPAN);
            asked(sidecar, jvm, "/later/task", "later", "JavaxServer$Prices.complete");
            whatEscapesFromATask_isToldOfItsRequest(sidecar, jvm, "JavaxServer\\$Prices#complete\"");
        }
    }

    @Test
    void onWebFlux_whatOtherThreadsDoForARequest_isItsOwn() throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = start(ForkedJvm.java(), sidecar, WebFluxServer.class)) {
            sidecar.reportWith("\"state\":\"armed\"");
            List<OtlpSpan> spans = asked(sidecar, jvm, "/3", "price 13", "SmallServer.price", "WebFluxServer.answer");
            assertThat(ServersIT.named(spans, "WebFluxServer.answer").parent()).isEqualTo(DEBUG_SPAN);
            AtomicInteger number = new AtomicInteger(1000);
            sidecar.observe(
                    List.of("WebFluxServer#answer\"", "SmallServer#price\""),
                    () -> jvm.get("/3", parent(number.getAndIncrement())));
        }
    }

    /** The spans of a request that has some of these names. */
    private static List<OtlpSpan> asked(FakeSidecar sidecar, ForkedJvm jvm, String path, String answer, String... names)
            throws Exception {
        return sidecar.spansOf(
                trace -> assertThat(jvm.get(path, "00-" + trace + '-' + DEBUG_SPAN + "-01"))
                        .isEqualTo(answer),
                names);
    }

    private static void whatEscapesFromATask_isToldOfItsRequest(FakeSidecar sidecar, ForkedJvm jvm, String complete)
            throws Exception {
        AtomicInteger number = new AtomicInteger(1000);
        sidecar.observe(List.of(complete, "\"escaped\":\"java.lang.UnsupportedOperationException\""), () -> {
            int next = number.getAndIncrement();
            return jvm.get("/later/" + (next % 2 == 0 ? "task" : "fail"), parent(next));
        });
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
