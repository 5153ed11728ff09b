package dev.understudy.it.suites;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class GoTestReaderTest {
    @Test
    void endOfEachTest_isItsState() {
        List<TestResult> results = GoTestReader.read(List.of(
                event(1, "run", "TestOne"),
                event(2, "pass", "TestOne"),
                event(3, "run", "TestTwo/part"),
                event(4, "fail", "TestTwo/part"),
                event(5, "skip", "TestThree"),
                // of the package
                "{\"Time\":\"2026-01-01T00:00:06Z\",\"Action\":\"fail\",\"Package\":\"p\"}"));

        assertThat(results).extracting(TestResult::name).containsExactly("p TestOne", "p TestTwo/part", "p TestThree");
        assertThat(results)
                .extracting(TestResult::state)
                .containsExactly(TestState.PASSED, TestState.FAILED, TestState.SKIPPED);
    }

    @Test
    void interval_isThatOfItsEvents() {
        TestResult result = GoTestReader.read(List.of(event(1, "run", "TestOne"), event(4, "pass", "TestOne")))
                .get(0);

        assertThat(result.spans(Instant.parse("2026-01-01T00:00:02Z"))).isTrue();
        assertThat(result.spans(Instant.parse("2026-01-01T00:00:05Z"))).isFalse();
    }

    @Test
    void testThatRunsWhenTheTimeIsOver_hasHung() {
        List<TestResult> results = GoTestReader.read(List.of(
                event(1, "run", "TestSlow"),
                "{\"Time\":\"2026-01-01T00:00:06Z\",\"Action\":\"output\",\"Package\":\"p\",\"Test\":\"TestSlow\","
                        + "\"Output\":\"panic: test timed out after 2m0s\\n\"}",
                event(7, "fail", "TestSlow")));

        assertThat(results).extracting(TestResult::state).containsExactly(TestState.HUNG);
    }

    @Test
    void testThatStillWaitsForItsTurnAtTheEnd_isLeftOut() {
        assertThat(GoTestReader.read(List.of(event(1, "run", "TestOne"), event(2, "pause", "TestOne"))))
                .isEmpty();
    }

    @Test
    void linesThatAreNoEvents_arePassedOver() {
        assertThat(GoTestReader.read(
                        List.of("# p", "FAIL p [build failed]", "{\"Time\":\"2026-", event(1, "pass", "T"))))
                .hasSize(1);
    }

    private static String event(int second, String action, String test) {
        return "{\"Time\":\"2026-01-01T00:00:0%dZ\",\"Action\":\"%s\",\"Package\":\"p\",\"Test\":\"%s\"}"
                .formatted(second, action, test);
    }
}
