package dev.understudy.session.debug;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.session.program.AggregatorProgram.CopyCalls;
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
                """), CopyCalls.NONE))
                .isEqualTo("7 exchanges  4 SAME  0 EQUIVALENT  1 DIFFERENT  1 NOT_COMPARED  window 13 %  lag 42 ms");
    }

    @Test
    void missesAndLiveReads_areShownOnceThereAreSome() throws Exception {
        assertThat(LiveLine.of(new ObjectMapper().readTree("{}"), new CopyCalls(3, 2, 1)))
                .endsWith("0 NOT_COMPARED  2 read live  3 missed upstream");
    }
}
