package dev.understudy.sidecar.command.live;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What stands there before the suspects, and behind each. */
final class SuspectsCommandLinesTest {
    @Test
    void whyExchangesFailed_standsInTheFirstLine_withHowManyDid() throws Exception {
        String answer = """
                {"exchanges": {"failing": 12, "successful": 240, "unknown": 3, "unlabelled": 4, "unnamed": 1},
                "failingBy": {"STATUS": 7, "SLOW": 5, "DIFFERENT": 0}, "suspects": []}""";

        assertThat(SuspectsCommand.lines(new ObjectMapper().readTree(answer)))
                .containsExactly(
                        "observed  12 failing (7 STATUS, 5 SLOW), 240 successful; 3 without a reply that tells,"
                                + " 5 of unknown end");
    }

    @Test
    void aRuleThatFitsNothing_isNamed() throws Exception {
        String answer = """
                {"exchanges": {"failing": 0, "successful": 240}, "rules": {"404 GET /a": 0, "404 GET /b": 3}}""";
        assertThat(SuspectsCommand.lines(new ObjectMapper().readTree(answer)))
                .contains("the rule \"404 GET /a\" has held of no exchange yet (suspects.also)")
                .noneMatch(line -> line.contains("/b"));
    }

    @Test
    void whoCallsEverything_standsInOneLine_behindWhatMayBeTheCause() throws Exception {
        String answer = """
                {"suspects": [{"rank": 1, "method": "A#b", "predicate": "threw", "example": {"request": "GET /a"},
                "alike": [{"method": "A#c", "predicate": "was called"}], "context": ["B#serve", "Main#run"]}]}""";

        assertThat(SuspectsCommand.lines(new ObjectMapper().readTree(answer)))
                .containsSubsequence(
                        "#1 failing: A#b threw",
                        "   in nearly the same: A#c was called",
                        "   called by way of what runs in nearly every exchange: B#serve, from Main#run");
    }

    @Test
    void listenersWhoseRepliesDifferTooOften_areNamed_withWhatCanBeDone() throws Exception {
        String answer = """
                {"exchanges": {"failing": 60, "successful": 240}, "failingBy": {"DIFFERENT": 60}, "suspects": [],
                "silence": "replies differ too often to tell what fails: zk", "tooDifferent": {"zk": 0.931}}""";

        assertThat(SuspectsCommand.lines(new ObjectMapper().readTree(answer)))
                .contains(
                        "replies differ too often to tell what fails: zk",
                        "zk: 93 % of the replies differ, so that differing isn't taken for "
                                + "failing; name what may differ"
                                + " (noise; not in protocol: tcp), or what fails (suspects.also)");
    }
}
