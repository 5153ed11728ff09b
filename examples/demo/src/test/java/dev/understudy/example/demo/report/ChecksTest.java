package dev.understudy.example.demo.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.example.demo.load.Tally;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class ChecksTest {
    private static final String STATUS = """
            {"listeners":[{"bytes":{"request":0,"reply":0},"exchanges":{"production":0,"debug":0},
              "verdicts":{"SAME":0,"EQUIVALENT":0,"DIFFERENT":0,"NOT_COMPARED":0},"losses":{},"fidelity":"faithful"}],
             "window":{"peakBytes":10,"capacityBytes":10}}
            """;
    private static final String AGENTS = "[{\"pid\":7,\"spent\":0.1,\"budgetMax\":0.2}]";

    @Test
    void everything_holdsWhenAllFiguresAgree() {
        assertThat(Checks.judge(findings(STATUS, AGENTS, upstreams(0, 0, 0), Set.of(), List.of())))
                .isNotEmpty()
                .allMatch(Check::held);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    "request":0      | "request":1      | bytes relayed are the clients' own
                    "debug":0        | "debug":1        | the debug JVM lived through all of it
                    "losses":{}      | "losses":{"OVERFLOW_LANE":{"events":1,"bytes":9}} | nothing was lost on the way
                    "DIFFERENT":0    | "DIFFERENT":1    | every exchange has a verdict
                    "peakBytes":10   | "peakBytes":11   | the window stayed within its memory
                    """)
    void sidecarsFigure_thatIsOffFailsItsCheckAlone(String good, String bad, String check) {
        assertFailsAlone(check, findings(STATUS.replace(good, bad), AGENTS, upstreams(0, 0, 0), Set.of(), List.of()));
    }

    @Test
    void oneRowTooMany_isASideEffect() {
        assertFailsAlone(
                "rows in the real database are the clients' writes",
                findings(STATUS, AGENTS, upstreams(1, 0, 0), Set.of(), List.of()));
    }

    @Test
    void oneCommandTooMany_isASideEffect() {
        assertFailsAlone(
                "Redis ran production's commands only",
                findings(STATUS, AGENTS, upstreams(0, 1, 0), Set.of(), List.of()));
    }

    @Test
    void onePriceTooMany_isASideEffect() {
        assertFailsAlone(
                "pricing answered production only", findings(STATUS, AGENTS, upstreams(0, 0, 1), Set.of(), List.of()));
    }

    @Test
    void connectionToAnUpstream_fails() {
        assertFailsAlone(
                "the debug JVM is connected to no upstream",
                findings(STATUS, AGENTS, upstreams(0, 0, 0), Set.of(5432), List.of()));
    }

    @Test
    void endedProcess_fails() {
        assertFailsAlone("nothing died", findings(STATUS, AGENTS, upstreams(0, 0, 0), Set.of(), List.of("sidecar")));
    }

    @Test
    void agentElsewhere_fails() {
        String elsewhere = AGENTS.replace("\"pid\":7", "\"pid\":8");
        assertFailsAlone(
                "the agent is in the debug JVM only",
                findings(STATUS, elsewhere, upstreams(0, 0, 0), Set.of(), List.of()));
    }

    @Test
    void overspentBudget_fails() {
        String overspent = AGENTS.replace("\"spent\":0.1", "\"spent\":0.21");
        assertFailsAlone(
                "the agent kept to its budget", findings(STATUS, overspent, upstreams(0, 0, 0), Set.of(), List.of()));
    }

    private static void assertFailsAlone(String name, Findings found) {
        assertThat(Checks.judge(found))
                .filteredOn(check -> !check.held())
                .extracting(Check::name)
                .containsExactly(name);
    }

    private static Upstreams upstreams(long rows, long commands, long prices) {
        return new Upstreams(
                Map.of("orders", rows, "order_lines", 0L, "attachments", 0L),
                Map.of("cents", 0L, "pieces", 0L, "gone from stock", 0L, "attached bytes", 0L),
                Map.of(
                        "INSERT INTO orders",
                        0L,
                        "INSERT INTO order_lines",
                        0L,
                        "INSERT INTO attachments",
                        0L,
                        "UPDATE products",
                        0L),
                Map.of(),
                Map.of("get", commands),
                prices);
    }

    private static Findings findings(
            String status, String agents, Upstreams upstreams, Set<Integer> strangers, List<String> ended) {
        JsonNode nothing = json("{}");
        return new Findings(
                new Tally(),
                1,
                1,
                json(status),
                nothing,
                json(agents),
                nothing,
                nothing,
                upstreams,
                true,
                strangers,
                ended,
                List.of(),
                7);
    }

    private static JsonNode json(String text) {
        try {
            return new ObjectMapper().readTree(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }
}
