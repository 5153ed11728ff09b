package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.relay.config.Overrides;
import dev.understudy.relay.config.Problems;
import dev.understudy.sidecar.config.SidecarConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** What isn't shown of exchanges because the operator named it, by the whole way from the client to the report. */
final class SidecarRedactTest {
    @TempDir
    Path folder;

    @Test
    void namedFields_areShownNowhere_andAgentsAreTold() throws Exception {
        try (HttpService production = HttpService.saying("{\"patient\":{\"diagnosis\":\"influenza\",\"bed\":4711}}");
                HttpService debug = HttpService.saying("{\"patient\":{\"diagnosis\":\"bronchitis\",\"bed\":4712}}");
                Stage stage = Stage.of(config(production, debug, "redact: [diagnosis, base-salary]"))) {
            stage.get("/patients/7?baseSalary=93000&page=2");
            stage.awaitVerdicts("DIFFERENT", 1);

            JsonNode verdict = stage.verdicts("DIFFERENT").get(0);
            assertThat(verdict.toString())
                    .contains("/patients/7?baseSalary=[masked]&page=2", "4711", "4712", "body.patient.diagnosis")
                    .doesNotContain("influenza", "bronchitis", "93000");
            assertThat(stage.controlText("/v1/report").body())
                    .contains("4711", "diagnosis")
                    .doesNotContain("influenza", "bronchitis", "93000");
            assertThat(stage.control("/v1/orders").at("/orders/redact").toString())
                    .isEqualTo("{\"names\":[\"base-salary\",\"diagnosis\"]}");
        }
    }

    @Test
    void chosenForms_areShownNowhere() throws Exception {
        try (HttpService production = HttpService.saying("{\"note\":\"influenza\"}");
                HttpService debug = HttpService.saying("{\"note\":\"bronchitis\"}");
                Stage stage =
                        Stage.of(config(production, debug, "redact-values: ['flu[a-z]*|in.*za|bron.+is', '93\\d+']"))) {
            stage.get("/patients/93000?page=2");
            stage.awaitVerdicts("DIFFERENT", 1);

            assertThat(stage.verdicts("DIFFERENT").toString())
                    .contains("/patients/[masked]?page=2", "body.note")
                    .doesNotContain("influenza", "bronchitis", "93000");
            assertThat(stage.controlText("/v1/report").body()).doesNotContain("influenza", "bronchitis", "93000");
            assertThat(stage.control("/v1/orders").toString()).contains("\"revision\":0", "\"orders\":{}");
        }
    }

    @Test
    void withoutTheSetting_fieldsAreShown_andAgentsAreToldNothing() throws Exception {
        try (HttpService production = HttpService.saying("{\"diagnosis\":\"influenza\"}");
                HttpService debug = HttpService.saying("{\"diagnosis\":\"bronchitis\"}");
                Stage stage = Stage.of(config(production, debug, ""))) {
            stage.get("/patients/7?baseSalary=93000");
            stage.awaitVerdicts("DIFFERENT", 1);

            assertThat(stage.verdicts("DIFFERENT").toString()).contains("influenza", "bronchitis", "93000");
            assertThat(stage.control("/v1/orders").toString()).contains("\"revision\":0", "\"orders\":{}");
        }
    }

    private SidecarConfig config(HttpService production, HttpService debug, String settings) throws Exception {
        Path file = Files.writeString(folder.resolve("sidecar.yaml"), """
                listeners:
                  - {name: wards, listen: 127.0.0.1:0, production: "127.0.0.1:%d", debug: "127.0.0.1:%d"}
                control: {listen: 127.0.0.1:0, anonymous: admin}
                telemetry: {otlp: ""}
                drain: 1s
                %s
                """.formatted(
                        production.address().getPort(), debug.address().getPort(), settings));
        Problems problems = new Problems();
        return SidecarConfig.read(file, new Overrides(Map.of(), List.of(), problems), problems);
    }
}
