package dev.understudy.agent.fork;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Requests that are followed into Kotlin's coroutines, in a JVM of its own. */
@Tag("any-jdk") // its JVMs are of all JDKs wherever it runs
final class CoroutinesIT {
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e47";
    private static final String SERVER = CoroutineServer.class.getName();

    static Stream<Path> javas() throws IOException {
        return ForkedJvm.javas();
    }

    @ParameterizedTest
    @MethodSource("javas")
    void aCoroutinesCalls_areSpansOfTheRequestThatHasItGoOn(Path java) throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = ForkedJvm.start(java, "=" + settings(sidecar), List.of(), List.of(SERVER))) {
            askAll(jvm, sidecar);
        }
    }

    @Test
    void threadsThatAreThereAlready_areFollowed() throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = ForkedJvm.start(ForkedJvm.java(), null, List.of(), List.of(SERVER))) {
            for (String way : ways().keySet()) {
                assertThat(jvm.get("/" + way, "")).startsWith("by " + way);
            }
            jvm.attach(settings(sidecar));
            askAll(jvm, sidecar);
        }
    }

    /** By the path that is asked for: the methods that coroutines run then. */
    private static Map<String, List<String>> ways() {
        Map<String, List<String>> ways = new LinkedHashMap<>();
        ways.put("steps", List.of("onDefault", "afterDelay", "onIo", "backAgain"));
        ways.put("channel", List.of("ordered", "delivered"));
        ways.put("executor", List.of("inExecutor"));
        ways.put("limited", List.of("inLimited"));
        return ways;
    }

    /** Twice for each way, and waits for the spans of all its methods, each in the trace of a request of its own. */
    private static void askAll(ForkedJvm jvm, FakeSidecar sidecar) throws Exception {
        sidecar.awaitWideOpen();
        Set<String> missing = new TreeSet<>();
        int asked = 10;
        for (int i = 0; i < 2; i++) {
            for (Map.Entry<String, List<String>> way : ways().entrySet()) {
                String trace = TRACE + asked++;
                assertThat(jvm.get("/" + way.getKey(), "00-" + trace + "-00f067aa0ba902b7-01"))
                        .startsWith("by " + way.getKey());
                way.getValue().forEach(method -> missing.add(trace + " CoroutineServer." + method));
            }
        }
        while (!missing.isEmpty()) {
            OtlpSpan span = next(sidecar, missing);
            missing.remove(span.trace() + " " + span.name());
        }
    }

    private static OtlpSpan next(FakeSidecar sidecar, Set<String> missing) throws InterruptedException {
        try {
            return sidecar.span();
        } catch (AssertionError none) {
            throw new AssertionError("missing: " + missing, none);
        }
    }

    private static String settings(FakeSidecar sidecar) {
        return "debug=true,budget=1,service=tasks-debug,sidecar=" + sidecar.url();
    }
}
