package dev.understudy.agent.fork;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The agent's events in flight recordings that others start. */
@Tag("any-jdk") // its JVMs are of all JDKs wherever it runs
final class FlightIT {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String TRACEPARENT = "00-" + TRACE + "-b7ad6b7169203331-01";
    private static final String ARGUMENTS = "=debug=true,budget=1,service=small-debug,sidecar=";
    private static final String MODULES =
            "--limit-modules=java.base,java.instrument,java.management,java.net.http,jdk.httpserver";

    @TempDir
    Path folder;

    static Stream<Path> javas() throws IOException {
        return ForkedJvm.javas();
    }

    @ParameterizedTest
    @MethodSource("javas")
    void aRecordingFromTheStartOn_hasExchangesMethodsAndTheBudget(Path java) throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = start(java, sidecar, List.of("-XX:StartFlightRecording=name=ours,settings=default"))) {
            sidecar.reportWith("\"state\":\"armed\"");
            assertHasAll(eventually(java, jvm, FlightIT::hasSome));
        }
    }

    @ParameterizedTest
    @MethodSource("javas")
    void aRecordingThatIsStartedLater_hasThemToo(Path java) throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = start(java, sidecar, List.of())) {
            sidecar.reportWith("\"state\":\"armed\"");
            requests(jvm);
            jcmd(java, jvm, "JFR.start", "name=ours");
            assertHasAll(eventually(java, jvm, FlightIT::hasSome));
        }
    }

    @ParameterizedTest
    @MethodSource("javas")
    void aRecording_hasWhatPointsTell_andHowOftenMethodsAreCalled(Path java) throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = start(java, sidecar, List.of("-XX:StartFlightRecording=name=ours,settings=default"))) {
            String server = SmallServer.class.getName();
            sidecar.order("{\"points\":{\"points\":[{\"id\":\"p1\",\"method\":\"" + server
                    + "#price\",\"at\":\"exit\",\"message\":\"it is {return}\",\"rate\":100,\"quota\":1000}]}}");
            assertThat(sidecar.reportOfFollower()).contains("\"points\":\"1 point\"", "\"problems\":[]");
            sidecar.hitsWith("\"text\":\"it is ", () -> jvm.get("/40", TRACEPARENT));
            List<RecordedEvent> events = eventually(
                    java, jvm, some -> !named(some, "understudy.Calls").isEmpty());

            assertThat(named(events, "understudy.Point")).anySatisfy(point -> {
                assertThat(point.getString("point")).isEqualTo("p1");
                assertThat(point.getString("place"))
                        .startsWith(server + "#price")
                        .endsWith(" exit");
                assertThat(point.getString("told")).startsWith("it is ");
                assertThat(point.getString("trace")).isEqualTo(TRACE);
            });
            assertThat(named(events, "understudy.Calls")).anySatisfy(calls -> {
                assertThat(calls.getString("method")).isEqualTo(server + ".price");
                assertThat(calls.getInt("calls")).isPositive();
                assertThat(calls.getDuration("time").isNegative()).isFalse();
            });
        }
    }

    /** Of each kind, and of both methods: how many calls are sampled is the budget's to say. */
    private static boolean hasSome(List<RecordedEvent> events) {
        List<String> methods = named(events, "understudy.Method").stream()
                .filter(method -> TRACE.equals(method.getString("trace")))
                .map(method -> method.getString("method"))
                .toList();
        return methods.contains(SmallServer.class.getName() + ".price")
                && methods.contains(SmallServer.class.getName() + ".discount")
                && !named(events, "understudy.Exchange").isEmpty()
                // at first the agent's own start may cost all there is
                && named(events, "understudy.Budget").stream()
                        .anyMatch(budget -> budget.getDouble("budget") > 0
                                && budget.getString("why").contains("window"));
    }

    /** What a recording holds as soon as that is wanted, asking the server meanwhile. */
    private List<RecordedEvent> eventually(Path java, ForkedJvm jvm, Predicate<List<RecordedEvent>> wanted)
            throws Exception {
        return Patience.until(wanted, () -> {
            requests(jvm);
            return dump(java, jvm);
        });
    }

    /** As in a JVM that was linked without the flight recorder. */
    @Test
    void aJvmWithoutAFlightRecorder_hasTheAgentAllTheSame() throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = ForkedJvm.start(
                        ForkedJvm.java(),
                        ARGUMENTS + sidecar.url(),
                        List.of(MODULES),
                        List.of(SmallServer.class.getName(), "jdk.jfr.Event"))) {
            assertThat(jvm.stdout()).contains("sees jdk.jfr.Event false");
            sidecar.reportWith("\"state\":\"armed\"");
            requests(jvm);
            sidecar.reportWith("\"exchanges\":20", "#price\",\"hits\":20,", "\"why\":\"the window");
            assertThat(jvm.stderr())
                    .contains("no spans are exported, this JVM lacks java/util/logging/")
                    .doesNotContain("ended: ");
        }
    }

    private static void requests(ForkedJvm jvm) throws Exception {
        for (int i = 0; i < 20; i++) {
            assertThat(jvm.get("/40", TRACEPARENT)).isEqualTo("price 188");
        }
    }

    private static void assertHasAll(List<RecordedEvent> events) {
        List<RecordedEvent> exchanges = named(events, "understudy.Exchange");
        assertThat(exchanges).isNotEmpty().allSatisfy(exchange -> {
            assertThat(exchange.getString("trace")).isEqualTo(TRACE);
            assertThat(exchange.getString("span")).isEqualTo("b7ad6b7169203331");
            assertThat(exchange.getDuration()).isPositive();
            assertThat(exchange.getThread().getJavaName()).isNotBlank();
        });
        List<RecordedEvent> methods = named(events, "understudy.Method");
        assertThat(methods)
                .extracting(method -> method.getString("method"))
                .contains(SmallServer.class.getName() + ".price", SmallServer.class.getName() + ".discount");
        assertThat(methods)
                .filteredOn(method -> TRACE.equals(method.getString("trace")))
                .isNotEmpty();
        assertThat(methods).anySatisfy(method -> {
            assertThat(method.getLong("cpu")).isNotNegative();
            assertThat(method.getLong("allocated")).isNotNegative();
        });
        assertThat(named(events, "understudy.Budget")).isNotEmpty().anySatisfy(budget -> {
            assertThat(budget.getDouble("max")).isEqualTo(1);
            assertThat(budget.getDouble("budget")).isPositive();
            assertThat(budget.getDouble("utilisation")).isEqualTo(0.05);
            assertThat(budget.getString("why")).contains("window");
        });
    }

    private static List<RecordedEvent> named(List<RecordedEvent> events, String name) {
        return events.stream()
                .filter(event -> event.getEventType().getName().equals(name))
                .toList();
    }

    private List<RecordedEvent> dump(Path java, ForkedJvm jvm) throws Exception {
        Path file = folder.resolve("dumped.jfr");
        jcmd(java, jvm, "JFR.dump", "name=ours", "filename=" + file);
        return RecordingFile.readAllEvents(file);
    }

    private void jcmd(Path java, ForkedJvm jvm, String... command) throws Exception {
        Path said = folder.resolve("jcmd.txt");
        Process process = new ProcessBuilder(Stream.concat(
                                Stream.of(java.resolveSibling("jcmd").toString(), Long.toString(jvm.pid())),
                                Stream.of(command))
                        .toList())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        assertThat(process.waitFor(Patience.LONG.toMillis(), TimeUnit.MILLISECONDS))
                .isTrue();
        assertThat(process.exitValue()).as(Files.readString(said)).isZero();
    }

    private static ForkedJvm start(Path java, FakeSidecar sidecar, List<String> options) throws IOException {
        return ForkedJvm.start(java, ARGUMENTS + sidecar.url(), options, List.of(SmallServer.class.getName()));
    }
}
