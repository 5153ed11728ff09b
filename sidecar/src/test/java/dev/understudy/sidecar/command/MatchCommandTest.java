package dev.understudy.sidecar.command;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The command against a control port that answers as the aggregator does; the end-to-end tests have a real one. */
final class MatchCommandTest {
    private static final String HIT = """
            {"id":7,"at":"2026-11-21T13:57:21Z","upstream":"db","form":"SELECT a",
            "rule":"method; target; body","trace":"4bf9","outcome":"REPLAYED",
            "waitMillis":12.25,"by":"INTERVAL","ambiguous":true,"candidates":2,"inbound":31,
            "recorded":{"exchange":90,"connection":5}}""";
    private static final String MISS = """
            {"id":8,"at":"2026-11-21T13:57:22Z","upstream":"db","form":"GET \
            cart:17","outcome":"MISSED","waitMillis":1000,
            "why":"production has not sent this request lately",
            "nearest":[{"form":"GET cart:2","asked":"17","recorded":"2",\
            "differs":["path","body.sku"]}]}""";

    private static final String KINDS = """
            {"matches":[],"kinds":[
            {"upstream":"db","form":"GET cart:N","outcome":"MISSED","why":"production has not sent this request lately",
            "count":1200,"first":"2026-11-21T13:57:21Z","last":"2026-11-21T14:57:21Z","examples":[9,8,7]},
            {"upstream":"db","form":"SELECT a","outcome":"REPLAYED","why":"ORDER?",
            "count":7,"first":"2026-11-21T13:57:21Z","last":"2026-11-21T14:57:21Z","examples":[1]}]}""";

    private ControlStub aggregator;

    @BeforeEach
    void start() throws IOException {
        aggregator = new ControlStub(uri -> switch (uri) {
            case "/v1/matches/7" -> HIT;
            case "/v1/matches/8" -> MISS;
            case "/v1/matches?limit=20&kinds=0" -> "{\"matches\":[" + MISS + "," + HIT + "]}";
            case "/v1/matches?limit=20&kinds=2000" -> KINDS;
            default -> uri.contains("?") ? "{\"matches\":[]}" : null;
        });
    }

    @AfterEach
    void stop() {
        aggregator.close();
    }

    @Test
    void list_namesAllOutcomes() {
        assertThat(Ran.run("match", "list", "--help").out().replaceAll("\\s+", " "))
                .contains("REPLAYED, REPEATED, BACKGROUND, STUBBED, LIVE, STANDIN, FAULT or MISSED");
    }

    @Test
    void calls_areListed() {
        assertThat(match("list").out().lines())
                .containsExactly(
                        "8      MISSED    -             1000.0 ms  db           GET cart:17",
                        "7      REPLAYED  INTERVAL?       12.3 ms  db           SELECT a");
        assertThat(match("list", "--ambiguous", "--outcome", "REPLAYED", "--limit", "3")
                        .out())
                .isEqualTo("no such calls are kept\n");
        assertThat(aggregator.asked).endsWith("GET /v1/matches?limit=3&kinds=0&ambiguous=true&outcome=REPLAYED ");
    }

    @Test
    void kindsOfTheWholeRun_areListedWithTheirExamples() {
        assertThat(match("list", "--kinds").out().lines())
                .containsExactly(
                        "    1200  MISSED     db           GET cart:N",
                        "          production has not sent this request lately; newest: 9, 8, 7",
                        "       7  REPLAYED   db           SELECT a",
                        "          ORDER?; newest: 1");
    }

    @Test
    void hit_isExplained() {
        assertThat(match("explain", "7").out().lines())
                .containsExactly(
                        "call        7 to db, at 2026-11-21T13:57:21Z",
                        "form        SELECT a",
                        "counting    method; target; body",
                        "trace       4bf9",
                        "made for    inbound exchange 31",
                        "outcome     REPLAYED, production's exchange 90, on its connection 5",
                        "waited      12.3 ms",
                        "candidates  2 unused recorded replies of this form, the one it got included",
                        "decided by  INTERVAL: production made its call while it served an inbound exchange that debug"
                                + " was serving",
                        "            a guess: others with other answers were as good, for all that is known");
    }

    @Test
    void miss_isExplainedByWhatIsNearest() {
        assertThat(match("explain", "8").out().lines())
                .containsSubsequence(
                        "outcome     MISSED",
                        "why         production has not sent this request lately",
                        "nearest     GET cart:2",
                        "            differs in 2 of 11 characters: asked for '17', recorded '2'",
                        "            differs in path, body.sku");
        assertThat(match("explain", "8", "--json").out()).contains("\"outcome\" : \"MISSED\"");
    }

    @Test
    void whatCantBeTold_is2() {
        assertThat(match("explain", "9").code()).isEqualTo(2);
        assertThat(match("explain", "9").err()).contains("there is no /v1/matches/9");
        assertThat(match("explain", "x").code()).isEqualTo(2);
        assertThat(Ran.run("match").code()).isEqualTo(2);
    }

    private Ran match(String command, String... more) {
        return aggregator.run("match", command, more);
    }
}
