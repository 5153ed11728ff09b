package dev.understudy.it.suites;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads what {@code go test -json} prints. A test that was running when its time was over has hung. One without an
 * end never really ran: it waited for its turn when the program ended, and is left out.
 */
final class GoTestReader {
    private static final String OUT_OF_TIME = "panic: test timed out";

    private final ObjectMapper json = new ObjectMapper();
    private final Map<String, Running> tests = new LinkedHashMap<>();

    private GoTestReader() {}

    static List<TestResult> read(List<String> lines) {
        GoTestReader reader = new GoTestReader();
        for (String line : lines) {
            // what the compiler says isn't JSON
            if (line.startsWith("{")) {
                reader.line(line);
            }
        }
        return reader.tests.values().stream()
                .map(Running::result)
                .flatMap(Optional::stream)
                .toList();
    }

    private void line(String line) {
        JsonNode event;
        try {
            event = json.readTree(line);
        } catch (JsonProcessingException cutShort) {
            return;
        }
        if (event.hasNonNull("Test")) {
            String name =
                    event.path("Package").asText() + " " + event.get("Test").asText();
            Running test = tests.computeIfAbsent(name, Running::new);
            test.add(
                    event.path("Action").asText(),
                    event.path("Output").asText(),
                    OffsetDateTime.parse(event.path("Time").asText()).toInstant());
        }
    }

    /** A test whose events are still coming. */
    private static final class Running {
        private final String name;
        private final StringBuilder text = new StringBuilder();
        private @Nullable TestState state;
        private @Nullable Instant begun;
        private @Nullable Instant ended;

        Running(String name) {
            this.name = name;
        }

        void add(String action, String output, Instant at) {
            begun = begun == null ? at : begun;
            ended = at;
            switch (action) {
                case "output" -> text.append(output);
                case "pass" -> state = TestState.PASSED;
                case "skip" -> state = TestState.SKIPPED;
                case "fail" -> state = TestState.FAILED;
                default -> {}
            }
        }

        Optional<TestResult> result() {
            boolean hung = text.indexOf(OUT_OF_TIME) >= 0;
            return Optional.ofNullable(hung ? TestState.HUNG : state)
                    .map(end -> new TestResult(name, end, text.toString(), begun, ended));
        }
    }
}
