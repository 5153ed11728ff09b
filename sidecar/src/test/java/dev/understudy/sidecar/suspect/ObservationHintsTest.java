package dev.understudy.sidecar.suspect;

import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class ObservationHintsTest {
    private final ObservationHints hints = new ObservationHints(
            new LabelRule(true, 500, true, true, Slow.NEVER, List.of(LabelRule.Also.of("404 GET /users/*")), 3));

    @Test
    void whereNothingIsObserved_theStepThatIsMissingIsNamed() {
        assertThat(hints.hints(0)).singleElement().asString().contains("no exchange has ended");
        hints.ended(TestEnding.of().end());
        assertThat(hints.hints(0)).singleElement().asString().contains("no agent has reported any");
        hints.reported(0, 1);
        assertThat(hints.hints(0)).singleElement().asString().contains("agents report none", "packages");
        hints.reported(7, 1);
        assertThat(hints.hints(0)).singleElement().asString().contains("another JVM");
        assertThat(hints.hints(1)).isEmpty();
    }

    @Test
    void aRuleThatMatchedNothing_saysWhatItsRequestsHadInstead() {
        for (int i = 0; i < ObservationHints.ENOUGH; i++) {
            hints.ended(TestEnding.of()
                    .request("GET /users/" + i)
                    .status(i % 2 == 0 ? 200 : 400)
                    .end());
        }

        assertThat(hints.hints(1))
                .containsExactly("the rule \"404 GET /users/*\" (suspects.also) matched none of 100 exchanges; 100 "
                        + "requests were such ones, with results {200=50, 400=50}");
        hints.ended(TestEnding.of().request("GET /users/7").status(404).end());
        assertThat(hints.hints(1)).isEmpty();
    }

    @Test
    void aRuleWhoseRequestsNobodySent_saysSo_afterEnoughExchanges() {
        for (int i = 0; i < ObservationHints.ENOUGH - 1; i++) {
            hints.ended(TestEnding.of().request("GET /orders").end());
        }
        assertThat(hints.hints(1)).isEmpty();
        hints.ended(TestEnding.of().request("GET /orders").end());

        assertThat(hints.hints(1)).singleElement().asString().endsWith("no request was such a one");
    }

    @Test
    void resultsAreBounded() {
        for (int i = 0; i < 500; i++) {
            hints.ended(TestEnding.of().request("GET /users/1").status(405 + i).end());
        }

        assertThat(hints.hints(1).get(0).split("=", -1)).hasSize(1 + ObservationHints.MOST_RESULTS);
    }
}
