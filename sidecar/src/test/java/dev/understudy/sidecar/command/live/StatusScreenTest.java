package dev.understudy.sidecar.command.live;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What somebody sees who looks at a sidecar that isn't well. */
final class StatusScreenTest {
    @Test
    void orders_areToldOnceThereAreAny_withHowFarEachAgentIs() throws Exception {
        assertThat(String.join(
                        "\n", StatusScreen.lines(json("{'orders': {'revision': 0, 'agents': [{'name': 'd-1'}]}}"))))
                .doesNotContain("orders");
        assertThat(StatusScreen.lines(json("{'orders': {'revision': 2, 'agents': []}}")))
                .contains("  orders          revision 2; no agent is there to follow them");
        assertThat(StatusScreen.lines(json("{'orders': {'revision': 2, 'agents': ["
                        + "{'name': 'd-1', 'revision': 2, 'standing': {'probes': '3 armed'}, "
                        + "'problems': ['probes: odd']},"
                        + "{'name': 'd-2', 'revision': 1}, {'name': 'd-3', 'revision': -1}]}}")))
                .contains(
                        "  orders          revision 2; d-1 follows it: probes 3 armed",
                        "    problem       probes: odd",
                        "  orders          revision 2; d-2 still follows 1",
                        "  orders          revision 2; d-3 follows none yet");
    }

    @Test
    void agents_standThere_withWhatTheyMaySpendAndWhy() throws Exception {
        assertThat(StatusScreen.lines(
                        json("{'agents': [{'name': 'd-1', 'budget': 0.125, 'budgetMax': 0.2, 'spent': 0.1,"
                                + " 'nu': 0.5, 'samplesPerSecond': 1234.4, 'why': 'holding'}]}")))
                .contains("  agent           d-1: budget 0.125 of 0.200 cores, spent 0.100, "
                        + "1234 samples/s at a price of 0.50; holding");
    }

    @Test
    void refusedConnections_standThere_whereAnAgentIsToRefuseAny() throws Exception {
        assertThat(StatusScreen.lines(
                        json("{'agents': [{'name': 'd-1', 'egress': {'state': 'failed', 'refused': 12}}]}")))
                .contains("    egress        failed; 12 connections refused");
        assertThat(String.join("\n", StatusScreen.lines(json("{'agents': [{'name': 'd-1'}]}"))))
                .doesNotContain("egress");
    }

    @Test
    void verdictsThatWereDropped_areCounted_withTheSettingThatKeepsMore() throws Exception {
        String kept = "{'verdictsKept': [{'debug': 'd-1', 'keptOfEachKind': 200, 'dropped': {'SAME': 1500,"
                + " 'DIFFERENT': 0}, 'remedy': '%s'}]}";
        assertThat(StatusScreen.lines(json(kept.formatted("comparison.keep-verdicts: 200 keeps more"))))
                .contains("  verdicts kept   d-1: the last 200 of each kind; dropped 1 500 SAME, 0 DIFFERENT;"
                        + " comparison.keep-verdicts: 200 keeps more");
        assertThat(String.join("\n", StatusScreen.lines(json(kept.formatted("")))))
                .doesNotContain("verdicts kept");
    }

    @Test
    void transport_standsThere_withTheReasonIfItIsntTheOneThatIsSet() throws Exception {
        assertThat(StatusScreen.lines(json("{'transport': 'epoll', 'transportMissing': ''}")))
                .containsExactly("sockets by epoll");
        assertThat(StatusScreen.lines(json("{'transport': 'epoll', 'transportMissing': 'io_uring is forbidden'}")))
                .containsExactly("sockets by epoll: io_uring is forbidden");
    }

    @Test
    void lossThatGoesOn_standsOutFromOneThatIsOver() throws Exception {
        JsonNode before = losing(2, 1024);
        assertThat(String.join("\n", StatusScreen.lines(losing(3, 3072), before)))
                .contains("OVERFLOW_LANE on 3 connections, 3.0 KiB (2.0 KiB just now)");
        assertThat(String.join("\n", StatusScreen.lines(before, before)))
                .contains("OVERFLOW_LANE on 2 connections, 1.0 KiB")
                .doesNotContain("just now");
        assertThat(String.join("\n", StatusScreen.lines(before))).doesNotContain("just now");
    }

    @Test
    void top_tellsWhatWasLostSinceItsLastLook() throws Exception {
        TopCommand top = new TopCommand();
        assertThat(String.join("\n", top.look(losing(2, 1024)))).doesNotContain("just now");
        assertThat(String.join("\n", top.look(losing(2, 3072)))).contains("3.0 KiB (2.0 KiB just now)");
        assertThat(String.join("\n", top.look(losing(2, 3072)))).doesNotContain("just now");
    }

    @Test
    void connectionsWithoutALane_areCounted_whileTheTeeIsOn() throws Exception {
        String listener = "{'listeners': [{'tee': '%s', 'connections': {'open': 12, 'opened': 20},"
                + " 'debugs': [{'debug': 'debug', 'lanes': {'open': 5}}]}]}";
        assertThat(String.join("\n", StatusScreen.lines(json(listener.formatted("on")))))
                .contains("5 lanes open", "7 connections without a lane");
        assertThat(String.join("\n", StatusScreen.lines(json(listener.formatted("off")))))
                .doesNotContain("without a lane");
    }

    @Test
    void addressOfProductionThatIsDown_isNamed() throws Exception {
        String shop = "{'listeners': [{'production': [{'set': 'a:1', 'up': false, 'failed': 3}, "
                + "{'set': 'b:2', 'up': true}]}]}";
        assertThat(String.join("\n", StatusScreen.lines(json(shop))))
                .contains("a:1, failed 3 clients")
                .doesNotContain("b:2");
    }

    private static JsonNode losing(int events, int bytes) throws JsonProcessingException {
        return json("{'listeners': [{'debugs': [{'losses': {'OVERFLOW_LANE': {'events': %d, 'bytes': %d}}}]}]}"
                .formatted(events, bytes));
    }

    private static JsonNode json(String text) throws JsonProcessingException {
        return new ObjectMapper().readTree(text.replace('\'', '"'));
    }
}
