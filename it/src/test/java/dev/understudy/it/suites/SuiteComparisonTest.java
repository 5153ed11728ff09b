package dev.understudy.it.suites;

import dev.understudy.it.fidelity.server.RefusedCall;
import dev.understudy.it.suites.SuiteComparison.Difference;
import dev.understudy.it.suites.SuiteComparison.Kind;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SuiteComparisonTest {
    private static final Instant BEGUN = Instant.ofEpochSecond(100);
    private static final Instant ENDED = Instant.ofEpochSecond(110);

    @Test
    void equalStates_areTheSame() throws IOException {
        SuiteComparison comparison = compare(test(TestState.FAILED, "assert"), test(TestState.FAILED, "other words"));

        assertThat(comparison.same()).isEqualTo(1);
        assertThat(comparison.failing()).isEqualTo(1);
        assertThat(comparison.share()).isEqualTo(1);
        assertThat(comparison.differences()).isEmpty();
    }

    @Test
    void failureThatSpeaksOfAMiss_isMissed() throws IOException {
        SuiteComparison comparison =
                compare(test(TestState.PASSED, ""), test(TestState.FAILED, "ERROR: … (SQLSTATE UD001)"));

        assertThat(kinds(comparison)).containsExactly(Kind.MISSED);
        assertThat(comparison.share()).isZero();
    }

    @Test
    void failureWithoutAMiss_isAWrongAnswer() throws IOException {
        SuiteComparison comparison = compare(
                test(TestState.PASSED, ""),
                test(TestState.FAILED, "expected 1, got 2"),
                missedAt(ENDED.plusSeconds(1)));

        assertThat(kinds(comparison)).containsExactly(Kind.WRONG);
    }

    @Test
    void testThatOnlyDebugPasses_isAWrongAnswer() throws IOException {
        assertThat(kinds(compare(test(TestState.FAILED, "refused"), test(TestState.PASSED, ""))))
                .containsExactly(Kind.WRONG);
    }

    @Test
    void missWithinTheTest_explainsIt() throws IOException {
        SuiteComparison comparison =
                compare(test(TestState.PASSED, ""), test(TestState.FAILED, "no rows"), missedAt(BEGUN.plusSeconds(1)));

        assertThat(kinds(comparison)).containsExactly(Kind.MISSED);
        assertThat(comparison.differences().get(0).why()).contains("select 1 (not recorded)");
    }

    @Test
    void testBeyondItsTime_isAHangWhateverWasMissed() throws IOException {
        SuiteComparison comparison =
                compare(test(TestState.PASSED, ""), test(TestState.HUNG, "UD001"), missedAt(BEGUN.plusSeconds(1)));

        assertThat(kinds(comparison)).containsExactly(Kind.HUNG);
    }

    @Test
    void testThatNeverRan_isCountedAsSuch() throws IOException {
        SuiteComparison comparison = SuiteComparison.of(
                "suite", List.of(test(TestState.PASSED, "")), List.of(), List.of(), ExcludedTests.parse(""));

        assertThat(kinds(comparison)).containsExactly(Kind.NOT_RUN);
    }

    @Test
    void excludedTest_countsNeitherWay() throws IOException {
        SuiteComparison comparison = SuiteComparison.of(
                "suite",
                List.of(test(TestState.PASSED, "")),
                List.of(test(TestState.FAILED, "later than now")),
                List.of(),
                ExcludedTests.parse("suite\tTest\tclock: reads it"));

        assertThat(comparison.excluded()).isEqualTo(1);
        assertThat(comparison.same()).isZero();
        assertThat(comparison.differences()).isEmpty();
    }

    private static SuiteComparison compare(TestResult production, TestResult debug, RefusedCall... refused)
            throws IOException {
        return SuiteComparison.of(
                "suite", List.of(production), List.of(debug), List.of(refused), ExcludedTests.parse(""));
    }

    private static List<Kind> kinds(SuiteComparison comparison) {
        return comparison.differences().stream().map(Difference::kind).toList();
    }

    private static TestResult test(TestState state, String text) {
        return new TestResult("Test", state, text, BEGUN, ENDED);
    }

    private static RefusedCall missedAt(Instant at) {
        return new RefusedCall(at, "select 1", "not recorded");
    }
}
