package dev.understudy.agent.fork;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Requests that are followed into the tasks that they hand over, in a JVM of its own. */
@Tag("any-jdk") // its JVMs are of all JDKs wherever it runs
final class TasksIT {
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String DEBUG_SPAN = "00f067aa0ba902b7";
    private static final String TRACEPARENT = "00-" + TRACE + "-" + DEBUG_SPAN + "-01";
    /** The ways of any JVM. */
    static final String ALL =
            "\"followed\":[\"executor\",\"scheduled\",\"forkJoin\",\"future\",\"thread\",\"timer\",\"queue\",\"batch\"";

    static Stream<Path> javas() throws IOException {
        return ForkedJvm.javas();
    }

    /** By the path that is asked for: the methods that other threads run then. */
    private static Map<String, List<String>> ways(Path java) {
        Map<String, List<String>> ways = new LinkedHashMap<>();
        ways.put("executor", List.of("inExecutor"));
        ways.put("hooked", List.of("inHooked"));
        ways.put("tomcats", List.of("inTomcats"));
        ways.put("jbosses", List.of("inJbosses"));
        ways.put("scheduled", List.of("onTime"));
        ways.put("async", List.of("inFuture", "inCommonPool"));
        ways.put("stages", List.of("inStage", "inNextStage"));
        ways.put("parallel", List.of("inParallel"));
        ways.put("reactor", List.of("inReactor", "publishedOn"));
        ways.put("thread", List.of("onItsOwn"));
        ways.put("timer", List.of("byTimer"));
        ways.put("queue", List.of("prepared", "finished"));
        ways.put("batch", List.of("written"));
        ways.put("loop", List.of("onLoop"));
        ways.put("loopLater", List.of("onLoopLater"));
        ways.put("sorted", List.of("inOrder"));
        boolean own = java.startsWith(Path.of(System.getProperty("java.home")));
        if (!own || Runtime.version().feature() >= 21) {
            ways.put("virtual", List.of("virtually"));
        }
        return ways;
    }

    @ParameterizedTest
    @MethodSource("javas")
    void aTasksCalls_areSpansOfTheRequestThatHandedItOver(Path java) throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = start(java, sidecar, "")) {
            Map<String, OtlpSpan> spans = spansOfAll(TaskServer.class, ways(java), jvm, sidecar);
            assertThat(Objects.requireNonNull(spans.get("TaskServer.inExecutor"))
                            .parent())
                    .isNotEqualTo(DEBUG_SPAN);
            sidecar.reportWith(ALL);
        }
    }

    /** Asks for each way once, and waits for the spans of all its methods, each in the trace of its request. */
    static Map<String, OtlpSpan> spansOfAll(
            Class<?> application, Map<String, List<String>> ways, ForkedJvm jvm, FakeSidecar sidecar) throws Exception {
        sidecar.awaitWideOpen();
        Map<String, String> traceOf = new HashMap<>();
        for (Map.Entry<String, List<String>> way : ways.entrySet()) {
            String trace = TRACE.substring(2) + (10 + traceOf.size());
            assertThat(jvm.get("/" + way.getKey(), "00-" + trace + "-" + DEBUG_SPAN + "-01"))
                    .startsWith("by " + way.getKey());
            way.getValue().forEach(method -> traceOf.put(application.getSimpleName() + "." + method, trace));
        }
        Map<String, OtlpSpan> spans = new HashMap<>();
        while (!spans.keySet().containsAll(traceOf.keySet())) {
            OtlpSpan span = spanBeside(spans.keySet(), sidecar);
            assertThat(span.trace()).isEqualTo(traceOf.getOrDefault(span.name(), span.trace()));
            spans.putIfAbsent(span.name(), span);
        }
        return spans;
    }

    private static OtlpSpan spanBeside(Set<String> known, FakeSidecar sidecar) throws InterruptedException {
        try {
            return sidecar.span();
        } catch (AssertionError none) {
            throw new AssertionError("nothing beside " + known, none);
        }
    }

    /** Pools, loops and timers whose threads wait for work when the agent comes. */
    @ParameterizedTest
    @MethodSource("javas")
    void threadsThatAreThereAlready_areFollowedFromTheirFirstTaskOn(Path java) throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = ForkedJvm.start(java, null, List.of(), List.of(TaskServer.class.getName()))) {
            Map<String, List<String>> ways = ways(java);
            for (int i = 0; i < 3; i++) {
                for (String way : ways.keySet()) {
                    assertThat(jvm.get("/" + way, "")).startsWith("by " + way);
                }
            }
            jvm.attach(settings(sidecar));
            sidecar.reportWith(ALL);
            spansOfAll(TaskServer.class, ways, jvm, sidecar);
        }
    }

    @ParameterizedTest
    @MethodSource("javas")
    void whatATaskDoes_isObservedAsTheRequests(Path java) throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = start(java, sidecar, "")) {
            sidecar.reportWith("\"state\":\"armed\"");
            Map<String, List<String>> ways = ways(java);
            List<String> missing = new ArrayList<>();
            ways.values().forEach(missing::addAll);
            Patience.until(List::isEmpty, () -> {
                for (String way : ways.keySet()) {
                    for (int request = 0; request < 5; request++) {
                        assertThat(jvm.get("/" + way, TRACEPARENT)).startsWith("by " + way);
                    }
                }
                sidecar.report();
                String told = sidecar.observationsSoFar();
                missing.removeIf(method -> told.contains("TaskServer#" + method + "\""));
                return missing;
            });
        }
    }

    @ParameterizedTest
    @MethodSource("javas")
    void locks_areToldOf_byThreadsOfAnyKind(Path java) throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = start(java, sidecar, "")) {
            sidecar.reportWith("\"state\":\"armed\"");
            assertLocksAreTold(jvm, sidecar);
        }
    }

    /** Asks for what takes two locks in both orders and waits for one, until all of that is told. */
    static void assertLocksAreTold(ForkedJvm jvm, FakeSidecar sidecar) throws Exception {
        String locks = TaskLocks.class.getName();
        Pattern waited = Pattern.compile("\"(\\d+)\":\\{\"method\":\"" + Pattern.quote(locks)
                + "#contended\",\"line\":\\d+,\"lock\":\"TaskLocks.FIRST\"");
        StringBuilder told = new StringBuilder();
        String report = Patience.until(
                latest -> latest.contains("\"holds\":\"TaskLocks.FIRST\"")
                        && latest.contains("\"takes\":\"TaskLocks.FIRST\"")
                        && saysThatOneWaited(waited, told),
                () -> {
                    for (String way : List.of("forth", "back", "contended")) {
                        assertThat(jvm.get("/" + way, TRACEPARENT)).isEqualTo("by " + way);
                    }
                    String latest = sidecar.report();
                    told.append(sidecar.observationsSoFar());
                    return latest;
                });
        assertThat(report).contains("\"method\":\"" + locks);
        assertThat(report.split("\"holds\"", -1)).as("one circle of two").hasSize(3);
    }

    /** For ten milliseconds, as the number of its place says. */
    private static boolean saysThatOneWaited(Pattern place, CharSequence told) {
        return place.matcher(told)
                .results()
                .anyMatch(found -> Pattern.compile("[\\[,]" + (Integer.parseInt(found.group(1)) * 16 + 2) + "[,\\]]")
                        .matcher(told)
                        .find());
    }

    @Test
    void switchedOff_noneIsFollowed() throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = start(ForkedJvm.java(), sidecar, ",executors=false,locks=off")) {
            sidecar.reportWith("\"state\":\"armed\"");
            for (String way : List.of("executor", "scheduled", "async", "stages", "queue")) {
                assertThat(jvm.get("/" + way, TRACEPARENT)).startsWith("by " + way);
            }
            assertThat(jvm.get("/contended", TRACEPARENT)).isEqualTo("by contended");
            String report = sidecar.reportWith("\"exchanges\":6,");
            assertThat(sidecar.observationsSoFar()).doesNotContain("\"lock\"");
            assertThat(report).contains("\"tasks\":{\"followed\":[],\"carried\":0,\"late\":0,\"lost\":0}");
        }
    }

    @Test
    void tasksThatNeverRun_areForgotten() throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = start(ForkedJvm.java(), sidecar, "")) {
            sidecar.reportWith("\"state\":\"armed\"");
            for (int i = 0; i < 300; i++) {
                assertThat(jvm.get("/never", TRACEPARENT)).isEqualTo("never");
            }
            assertThat(jvm.get("/executor", TRACEPARENT)).isEqualTo("by executor");
            assertThat(sidecar.reportWith("\"exchanges\":301,")).contains("\"lost\":0}");
        }
    }

    private static ForkedJvm start(Path java, FakeSidecar sidecar, String more) throws IOException {
        return ForkedJvm.start(java, "=" + settings(sidecar) + more, List.of(), List.of(TaskServer.class.getName()));
    }

    private static String settings(FakeSidecar sidecar) {
        return "debug=true,budget=1,service=tasks-debug,sidecar=" + sidecar.url();
    }
}
