package dev.understudy.standin.model;

import dev.understudy.relay.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class ModelFileTest {
    private static final String MODEL = """
            format: 1
            service: orders
            exchanges: 100
            seconds: 10
            arrivals: {rate: 10, gaps-ms: 100, connections: 2, requests-per-connection: 50}
            routes:
            - route: GET /orders/{}
              share: 1
              parts:
              - {type: number, from: 1, to: 500, distinct: 400}
              request: {size: 0}
              time-ms: 2.5
              replies:
              - status: 200
                share: 1
                content-type: application/json
                size: 12
                body:
                  type: object
                  members:
                  - name: id
                    value: {type: text, of: digits, length: 5, distinct: 9}
            """;

    private static final int MUTATIONS = 3000;

    @TempDir
    private Path folder;

    private ServiceModel read(String text) throws IOException {
        return ModelFile.read(Files.writeString(folder.resolve("model.yaml"), text));
    }

    @Test
    void modelByHand_isRead() throws IOException {
        ServiceModel model = read(MODEL);
        assertThat(model.routes()).singleElement().satisfies(route -> {
            assertThat(route.request().route()).isEqualTo("GET /orders/{}");
            assertThat(route.timeMillis().at(0.99)).isEqualTo(2.5);
        });
        assertThat(read(ModelFile.text(model))).isEqualTo(model);
    }

    @Test
    void mistakes_areToldTogetherWithTheirPlace() {
        String wrong = MODEL.replace("share: 1\n  parts", "share: 7\n  parts")
                .replace("time-ms: 2.5", "time-ms: [1, 2]")
                .replace("of: digits", "of: runes")
                .replace("status: 200", "statsu: 200");
        assertThatThrownBy(() -> read(wrong))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("model.yaml:8:10: routes[0].share: 7 (expected: above 0, at most 1)")
                .hasMessageContaining("2 quantiles (expected: 1, or 18")
                .hasMessageContaining("runes (expected: one of digits, hex, uuid, time, name, words)")
                .hasMessageContaining("routes[0].replies[0].statsu: unknown key");
    }

    @Test
    void partsThatDontFitThePath_areTold() {
        assertThatThrownBy(() -> read(MODEL.replace("/orders/{}", "/orders/{}/{}")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("parts: 1 (expected: 2, as in /orders/{}/{})");
        assertThatThrownBy(() -> read(MODEL.replace("GET /orders/{}", "orders")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("expected: a method and a path");
    }

    @Test
    void versionOfTomorrow_isRefused() {
        assertThatThrownBy(() -> read(MODEL.replace("format: 1", "format: 2")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("format: 2 (expected: 1 to 1)");
    }

    @Test
    void missingFile_isToldByName() {
        assertThatThrownBy(() -> ModelFile.read(folder.resolve("none")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("none: no such file");
    }

    @Test
    void damagedModels_areReadOrRefused() throws IOException {
        SplittableRandom random = new SplittableRandom(5);
        int refused = 0;
        for (int i = 0; i < MUTATIONS; i++) {
            StringBuilder text = new StringBuilder(MODEL);
            for (int j = random.nextInt(1, 4); j > 0; j--) {
                int place = random.nextInt(text.length());
                switch (random.nextInt(3)) {
                    case 0 -> text.setCharAt(place, (char) random.nextInt(1, 300));
                    case 1 -> text.deleteCharAt(place);
                    default -> text.insert(place, MODEL, place / 2, place / 2 + 9);
                }
            }
            try {
                read(text.toString());
            } catch (ConfigException told) {
                refused++;
                assertThat(told.getMessage()).contains("model.yaml");
            }
        }
        assertThat(refused).isBetween(MUTATIONS / 2, MUTATIONS);
    }
}
