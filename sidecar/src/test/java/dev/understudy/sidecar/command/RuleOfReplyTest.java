package dev.understudy.sidecar.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
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

    private static JsonNode read(RunningSidecar sidecar) throws Exception {
        return new ObjectMapper()
                .readTree(Ran.run("suspects", "--json", "--url", sidecar.controlUrl())
                        .out());
    }
}
