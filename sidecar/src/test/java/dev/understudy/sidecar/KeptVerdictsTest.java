package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** How many verdicts can still be read, and what is said of the others. */
@Tag("process")
final class KeptVerdictsTest {
    @Test
    void olderOnes_areCountedByKind_andTheSettingThatKeepsMoreIsNamed() throws Exception {
        try (HttpService production = HttpService.saying("{\"n\":1}");
                HttpService debug = HttpService.saying("{\"n\":2}");
                Stage stage = Stage.open(production.address(), debug.address())) {
            stage.get("/first");
            stage.awaitStatus(
                    "a verdict", status -> status.at("/verdicts/DIFFERENT").asInt() == 1);
            JsonNode one = stage.control("/v1/verdicts?limit=1");
            assertThat(one.get("keptOfEachKind").asInt()).isEqualTo(200);
            assertThat(one.at("/dropped/DIFFERENT").asInt(-1)).isZero();
            assertThat(one.get("remedy").asText()).isEmpty();

            for (int n = 0; n < 204; n++) {
                stage.get("/" + n);
            }
            stage.awaitStatus(
                    "verdicts", status -> status.at("/verdicts/DIFFERENT").asInt() == 205);

            JsonNode many = stage.control("/v1/verdicts?limit=10000&kind=DIFFERENT");
            assertThat(many.get("verdicts")).hasSize(200);
            assertThat(many.at("/dropped/DIFFERENT").asInt()).isEqualTo(5);
            assertThat(many.at("/dropped/SAME").asInt(-1)).isZero();
            assertThat(many.get("remedy").asText())
                    .isEqualTo("comparison.keep-verdicts: 200 (at most 10000) keeps more");
            assertThat(stage.control("/v1/status")
                            .at("/verdictsKept/0/dropped/DIFFERENT")
                            .asInt())
                    .isEqualTo(5);
        }
    }
}
