package dev.understudy.agent.fork;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jacoco.core.analysis.Analyzer;
import org.jacoco.core.analysis.CoverageBuilder;
import org.jacoco.core.analysis.IClassCoverage;
import org.jacoco.core.tools.ExecFileLoader;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The agents of OpenTelemetry and JaCoCo in the same JVM, one before ours and one after it. */
final class TogetherIT {
    private static final String SERVER = SmallServer.class.getName();
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String DEBUG_SPAN = "00f067aa0ba902b7";
    private static final String TRACEPARENT = "00-" + TRACE + "-" + DEBUG_SPAN + "-01";

    /** A request and its methods; reports before it may have the one without the other. */
    private static final Pattern TOLD = Pattern.compile("\"exchanges\":1,.*SmallServer#discount\",\"hits\":40,");

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void eachAgent_seesWhatItSeesAlone(boolean oursFirst, @TempDir Path folder) throws Exception {
        Path covered = folder.resolve("jacoco.exec");
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = start(oursFirst, sidecar, covered)) {
            sidecar.reportWith("\"state\":\"armed\"");
            List<OtlpSpan> spans = new ArrayList<>();
            assertThat(jvm.get("/40", TRACEPARENT)).isEqualTo("price 188");
            assertThat(sidecar.reportMatching(TOLD)).contains("\"failedClasses\":0");
            OtlpSpan traced = until(
                    sidecar,
                    jvm,
                    TRACEPARENT,
                    spans,
                    span -> isHandling(span) && span.trace().equals(TRACE));
            assertThat(traced.parent()).isEqualTo(DEBUG_SPAN);

            OtlpSpan ours = until(
                    sidecar,
                    jvm,
                    "",
                    spans,
                    span -> isHandling(span) && !span.trace().equals(TRACE));
            OtlpSpan theirs = until(
                    sidecar,
                    jvm,
                    "",
                    spans,
                    span -> isTheirs(span) && span.trace().equals(ours.trace()));
            assertThat(spans)
                    .as("what our agent asks the sidecar is no span of theirs")
                    .filteredOn(TogetherIT::isTheirs)
                    .extracting(OtlpSpan::name)
                    .allMatch(name -> name.startsWith("GET /"));
            assertThat(ours.parent()).isEqualTo(theirs.id());
            assertThat(jvm.stderr()).contains("debug agent on").doesNotContain("stays as it was", "Exception");
            if (oursFirst) {
                assertThat(jvm.stderr()).doesNotContain("aren't followed");
            }
            jvm.stop();
        }
        IClassCoverage coverage = coverage(covered);
        assertThat(coverage.isNoMatch())
                .as("the class that JaCoCo saw isn't the one in the class file")
                .isFalse();
        assertThat(coverage.getMethods())
                .filteredOn(method -> method.getName().equals("price"))
                .singleElement()
                .satisfies(method ->
                        assertThat(method.getLineCounter().getMissedCount()).isZero());
    }

    private static boolean isHandling(OtlpSpan span) {
        return span.name().equals("SmallServer.handle");
    }

    private static boolean isTheirs(OtlpSpan span) {
        return span.service().startsWith("beside");
    }

    /** The first of all spans so far that is wanted, while the application is asked. */
    private static OtlpSpan until(
            FakeSidecar sidecar, ForkedJvm jvm, String traceparent, List<OtlpSpan> spans, Predicate<OtlpSpan> wanted)
            throws Exception {
        Patience.until(all -> all.stream().anyMatch(wanted), () -> {
            assertThat(jvm.get("/40", traceparent)).isEqualTo("price 188");
            sidecar.report();
            spans.addAll(sidecar.spansSoFar());
            return spans;
        });
        return spans.stream().filter(wanted).findFirst().orElseThrow();
    }

    private static ForkedJvm start(boolean oursFirst, FakeSidecar sidecar, Path covered) throws IOException {
        String jars = Objects.requireNonNull(System.getProperty("understudy.together"));
        List<String> agents = new ArrayList<>(List.of(
                "-javaagent:" + jars + "/org.jacoco.agent-runtime.jar=destfile=" + covered,
                "-javaagent:" + ForkedJvm.agentJar() + "=debug=true,budget=1,service=small-debug,sidecar="
                        + sidecar.url(),
                "-javaagent:" + jars + "/opentelemetry-javaagent.jar"));
        if (!oursFirst) {
            Collections.reverse(agents);
        }
        List<String> options = new ArrayList<>(List.of(
                "-Dotel.service.name=beside",
                "-Dotel.exporter.otlp.protocol=http/protobuf",
                "-Dotel.exporter.otlp.endpoint=" + sidecar.url() + "/otlp",
                "-Dotel.bsp.schedule.delay=200",
                "-Dotel.metrics.exporter=none",
                "-Dotel.logs.exporter=none"));
        options.addAll(agents);
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        return ForkedJvm.start(java, null, options, List.of(SERVER));
    }

    private static IClassCoverage coverage(Path file) throws IOException {
        ExecFileLoader loader = new ExecFileLoader();
        loader.load(file.toFile());
        CoverageBuilder builder = new CoverageBuilder();
        String name = SERVER.replace('.', '/');
        try (InputStream in = Objects.requireNonNull(SmallServer.class.getResourceAsStream("/" + name + ".class"))) {
            new Analyzer(loader.getExecutionDataStore(), builder).analyzeClass(in, name);
        }
        assertThat(loader.getExecutionDataStore().contains(name)).isTrue();
        return builder.getClasses().iterator().next();
    }
}
