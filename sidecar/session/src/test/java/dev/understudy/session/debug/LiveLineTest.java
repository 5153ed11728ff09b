package dev.understudy.session.debug;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class LiveLineTest {
    @Test
    void verdictsOfAllPorts_areAdded_andTheWindowIsShown() throws Exception {
        assertThat(LiveLine.of(new ObjectMapper().readTree("""
                {"listeners": [
                   {"exchanges": {"production": 5}, "debugs": [{"verdicts": {"SAME": 3, "DIFFERENT": 1}}]},
                   {"exchanges": {"production": 2}, "debugs": [{"verdicts": {"SAME": 1, "NOT_COMPARED": 1}}]}],
                 "windows": [{"utilisation": 0.127, "lagMillis": 41.6}]}
                """), 0))
                .isEqualTo("7 exchanges  4 SAME  0 EQUIVALENT  1 DIFFERENT  1 NOT_COMPARED  window 13 %  lag 42 ms");
    }

    @Test
    void missedReplies_areShownOnceThereAreSome() throws Exception {
        assertThat(LiveLine.of(new ObjectMapper().readTree("{}"), 3)).endsWith("0 NOT_COMPARED  3 missed upstream");
    }
}
