package dev.understudy.agent.fork;

import io.grpc.ManagedChannel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The agent's jar with other servers, threads and class loaders than the plain ones. */
@Tag("any-jdk") // its JVMs are of all JDKs wherever it runs
final class ServersIT {
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String DEBUG_SPAN = "00f067aa0ba902b7";
    private static final String TRACEPARENT = "00-" + TRACE + "-" + DEBUG_SPAN + "-01";

    static Stream<Path> javas() throws IOException {
        return ForkedJvm.javas();
    }

    @ParameterizedTest
    @MethodSource("javas")
    void onTomcat_filterAndServletAreSpansOfOneExchange(Path java) throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = start(java, sidecar, List.of(), TomcatServer.class)) {
            sidecar.reportWith("\"state\":\"armed\"");
            assertThat(jvm.get("/3", TRACEPARENT)).isEqualTo("price 13");
            assertThat(sidecar.reportWith("\"exchanges\":1,")).contains("\"failedClasses\":0");
            assertThat(jvm.get("/later/task", TRACEPARENT)).isEqualTo("later");
            assertThat(jvm.get("/later/dispatch", TRACEPARENT)).isEqualTo("dispatched");
            assertThat(jvm.get("/1001", TRACEPARENT)).contains("HTTP Status 500");
            assertThat(jvm.get("/3", "garbage")).isEqualTo("price 13");
            sidecar.reportWith("\"exchanges\":5,");

            List<OtlpSpan> spans = sidecar.spansOf(
                    trace -> assertThat(jvm.get("/3", "00-" + trace + "-" + DEBUG_SPAN + "-01"))
                            .isEqualTo("price 13"),
                    "PriceServlets$Gate.doFilter",
                    "PriceServlets$Prices.doGet",
                    "SmallServer.price");
            OtlpSpan gate = named(spans, "PriceServlets$Gate.doFilter");
            OtlpSpan servlet = named(spans, "PriceServlets$Prices.doGet");
            assertThat(gate.parent()).isEqualTo(DEBUG_SPAN);
            assertThat(servlet.parent()).isEqualTo(gate.id());
            assertThat(named(spans, "SmallServer.price").parent()).isEqualTo(servlet.id());
            anAsynchronousServletsWork_isItsRequests(sidecar, jvm);
            itIsObservedToItsEnd(sidecar, jvm);
            aGrpcCall_isAnExchangeByItsMetadata(sidecar, jvm);
            assertThat(jvm.stderr()).doesNotContain("stays as it was");
        }
    }

    @Test
    void aRequestThatThrowsWhenTheAgentAsksIt_isAnswered_andThatIsCountedAndTold() throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = start(ForkedJvm.java(), sidecar, List.of(), TomcatServer.class)) {
            sidecar.reportWith("\"faults\":0,");
            assertThat(jvm.get("/3?closed", TRACEPARENT)).isEqualTo("price 13");
            sidecar.reportMatching(Pattern.compile("\"faults\":[1-9]"));
            assertThat(jvm.get("/3", TRACEPARENT)).isEqualTo("price 13");
            String fault = "[understudy] a fault of the agent's own stayed inside it: "
                    + "java.lang.IllegalStateException: closed to all at ";
            String said = Patience.until(lines -> lines.contains(fault), () -> {
                sidecar.report();
                return jvm.stderr();
            });
            assertThat(said).containsOnlyOnce(fault);
        }
    }

    /** The servlet's method has returned before. */
    private static void anAsynchronousServletsWork_isItsRequests(FakeSidecar sidecar, ForkedJvm jvm) throws Exception {
        sidecar.spansOf(
                trace -> assertThat(jvm.get("/later/task", "00-" + trace + "-" + DEBUG_SPAN + "-01"))
                        .isEqualTo("later"),
                "PriceServlets$Later.complete");
        sidecar.spansOf(
                trace -> assertThat(jvm.get("/later/dispatch", "00-" + trace + "-" + DEBUG_SPAN + "-01"))
                        .isEqualTo("dispatched"),
                "PriceServlets$Later.dispatched");
    }

    /** How many are observed is the budget's to say. */
    private static void itIsObservedToItsEnd(FakeSidecar sidecar, ForkedJvm jvm) throws Exception {
        AtomicInteger asked = new AtomicInteger(1000);
        String escaped = "\"escaped\":\"java.lang.UnsupportedOperationException\"";
        sidecar.observe(List.of("Later#complete\"", "Later#dispatched\"", escaped), () -> {
            int number = asked.getAndIncrement();
            String way = List.of("task", "dispatch", "fail").get(number % 3);
            return jvm.get("/later/" + way, "00-" + TRACE.substring(4) + number + "-" + DEBUG_SPAN + "-01");
        });
    }

    /** By each transport, with one message or several: what the application does for it, and its end, are its own. */
    private static void aGrpcCall_isAnExchangeByItsMetadata(FakeSidecar sidecar, ForkedJvm jvm) throws Exception {
        String[] ports = jvm.stdout().get(0).split(" ", -1);
        ManagedChannel channels = GrpcPrices.connect(ports[1]);
        ManagedChannel others = GrpcPrices.connect(ports[2]);
        List<String> spans = List.of("cafe01", "cafe02", "cafe03", "cafe04");
        String whole = "\\d+\",\"whole\":true,\"micros\":\\d+,\"held\":\\[\\d";
        List<String> observed =
                spans.stream().map(span -> "\"span\":\"" + span + whole).toList();
        AtomicInteger asked = new AtomicInteger(1000);
        try {
            sidecar.observe(observed, () -> {
                int number = asked.getAndIncrement();
                String trace = "00-" + TRACE.substring(4) + number + '-';
                String rest = "000000" + number + "-01";
                List<String> answers = List.of(
                        GrpcPrices.ask(channels, "3", trace + "cafe01" + rest),
                        GrpcPrices.talk(channels, "3", trace + "cafe02" + rest),
                        GrpcPrices.ask(others, "3", trace + "cafe03" + rest),
                        GrpcPrices.talk(others, "3", trace + "cafe04" + rest));
                assertThat(answers).containsOnly("price 13");
                return answers;
            });
        } finally {
            channels.shutdownNow();
            others.shutdownNow();
        }
        Set<String> missing = new HashSet<>(spans);
        while (!missing.isEmpty()) {
            OtlpSpan span = sidecar.span();
            if (missing.removeIf(span.parent()::startsWith)) {
                assertThat(span.trace()).startsWith(TRACE.substring(4));
                assertThat(span.name()).startsWith("GrpcPrices");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("javas")
    void byStreams_anExchangeIsKnownByItsBytes(Path java) throws Exception {
        anExchangeIsKnownByItsBytes(java, "-Dchannels=false");
    }

    @ParameterizedTest
    @MethodSource("javas")
    void byChannels_anExchangeIsKnownByItsBytes(Path java) throws Exception {
        anExchangeIsKnownByItsBytes(java, "-Dchannels=true");
    }

    /** Before JDK 18 the JDK can be asked for those that it had before JDK 13. */
    @Test
    void byStreamsOfOld_anExchangeIsKnownByItsBytes() throws Exception {
        anExchangeIsKnownByItsBytes(ForkedJvm.java(), "-Djdk.net.usePlainSocketImpl=true");
    }

    private static void anExchangeIsKnownByItsBytes(Path java, String option) throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = start(java, sidecar, List.of(option), LineServer.class);
                LineClient client = new LineClient(jvm)) {
            sidecar.reportWith("\"state\":\"armed\"");
            client.assertExchangesAreKnownByTheirBytes(sidecar);
        }
    }

    @Test
    void inAFrameworksClassLoader_theApplicationIsWoven() throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = start(ForkedJvm.java(), sidecar, List.of(), OwnLoaderMain.class)) {
            for (int i = 0; i < 5; i++) {
                assertThat(jvm.get("/40", TRACEPARENT)).isEqualTo("price 188");
            }
            String report = sidecar.reportWith("SmallServer#price\",\"hits\":5,");
            assertThat(report).contains("OwnLoaderMain#main", "OwnLoaderMain$ChildFirst#loadClass");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.understudy.agent.fork.ForkedJvm#virtualJavas")
    void onVirtualThreads_samplesStayWithTheirExchange(Path java) throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = start(java, sidecar, List.of("-Dvirtual=true"), SmallServer.class)) {
            for (int seen = 0; seen < 20; seen++) {
                List<OtlpSpan> handled = sidecar.spansOf(
                        trace -> assertThat(jvm.get("/3", "00-" + trace + "-" + DEBUG_SPAN + "-01"))
                                .isEqualTo("price 13"),
                        "SmallServer.handle");
                assertThat(named(handled, "SmallServer.handle").parent()).isEqualTo(DEBUG_SPAN);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("javas")
    void attachedLater_theRunningApplicationIsWoven(Path java) throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = ForkedJvm.start(java, null, List.of(), List.of(SmallServer.class.getName()))) {
            assertThat(jvm.get("/40", TRACEPARENT)).isEqualTo("price 188");
            assertThat(sidecar.heardNothing()).isTrue();

            jvm.attach("debug=true,budget=1,service=small-debug,sidecar=" + sidecar.url());

            sidecar.reportWith("\"state\":\"armed\"");
            List<OtlpSpan> spans = sidecar.spansOf(
                    trace -> assertThat(jvm.get("/3", "00-" + trace + "-" + DEBUG_SPAN + "-01"))
                            .isEqualTo("price 13"),
                    "SmallServer.handle",
                    "SmallServer.price");
            assertThat(named(spans, "SmallServer.handle").parent()).isEqualTo(DEBUG_SPAN);
        }
    }

    private static ForkedJvm start(Path java, FakeSidecar sidecar, List<String> options, Class<?> main)
            throws IOException {
        String arguments = "=debug=true,budget=1,service=small-debug,sidecar=" + sidecar.url();
        return ForkedJvm.start(java, arguments, options, List.of(main.getName()));
    }

    static OtlpSpan named(List<OtlpSpan> spans, String name) {
        return spans.stream()
                .filter(span -> span.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + " isn't in " + spans));
    }
}
