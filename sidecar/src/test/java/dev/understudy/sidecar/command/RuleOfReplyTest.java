package dev.understudy.sidecar.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.understudy.sidecar.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

/** A rule that asks for what a reply shows, through a lane. */
final class RuleOfReplyTest {
    private static final String RULE = "200 GET /order/* where json /total < 0";

    @TempDir
    Path folder;

    @Test
    void repliesThatShowIt_areCounted_othersAreNot() throws Exception {
        try (RunningSidecar sidecar =
                RunningSidecar.labelling(folder, RULE, path -> "{\"total\":" + (path.endsWith("7") ? -3 : 3) + "}")) {
            assertThat(Ran.run("suspects", "--url", sidecar.controlUrl()).out())
                    .contains("the rule \"" + RULE + "\" has held of no exchange yet");
            for (String path : new String[] {"/order/1", "/order/7", "/order/8", "/other/7", "/order/17"}) {
                sidecar.get(path);
            }
            await().untilAsserted(() ->
                    assertThat(read(sidecar).at("/rules").path(RULE).asInt()).isEqualTo(2));
        }
    }

    @Test
    void aRuleThatIsSetWhileTheSidecarRuns_isAskedOfLaterReplies() throws Exception {
        try (RunningSidecar sidecar = RunningSidecar.labelling(
                folder, "404 GET /", path -> "{\"total\":" + (path.endsWith("7") ? -3 : 3) + "}")) {
            sidecar.get("/order/7");

            assertThat(labels(sidecar, "set", "--also", RULE, "--slow", "p99", "--status", "400"))
                    .contains(
                            "status     from 400 on",
                            "also       " + RULE,
                            "slow       p99",
                            "not as the settings say (edition 1)");
            sidecar.get("/order/17");
            sidecar.get("/order/8");

            await().untilAsserted(() ->
                    assertThat(read(sidecar).at("/rules").path(RULE).asInt()).isEqualTo(1));
            assertThat(Ran.run("suspects", "--url", sidecar.controlUrl()).out())
                    .contains("only exchanges since the rules were changed");
            assertThat(labels(sidecar, "reset"))
                    .contains("also       404 GET /", "slow       never", "\nas the settings say");
            assertThat(labels(sidecar, "show")).contains("status     from 500 on", "different  fails");
        }
    }

    @Test
    void whatIsNoRule_isRefusedByItsName() throws Exception {
        try (RunningSidecar sidecar = RunningSidecar.labelling(folder, RULE, path -> "{}")) {
            assertThat(Ran.run("labels", "set", "--url", sidecar.controlUrl()).err())
                    .contains("nothing to change");
            Ran ran = Ran.run("labels", "set", "--slow", "soon", "--url", sidecar.controlUrl());
            assertThat(ran.code()).isEqualTo(2);
            assertThat(ran.err()).contains("slow: soon (expected: a time such as 250ms");
            assertThat(labels(sidecar, "set", "--also", "")).contains("also       none");
        }
    }

    private static String labels(RunningSidecar sidecar, String... command) {
        List<String> line = new ArrayList<>(List.of("labels"));
        line.addAll(List.of(command));
        line.addAll(List.of("--url", sidecar.controlUrl()));
        Ran ran = Ran.run(line.toArray(String[]::new));
        assertThat(ran.code()).as(ran.err()).isZero();
        return ran.out();
    }

    private static JsonNode read(RunningSidecar sidecar) throws Exception {
        return new ObjectMapper()
                .readTree(Ran.run("suspects", "--json", "--url", sidecar.controlUrl())
                        .out());
    }
}
