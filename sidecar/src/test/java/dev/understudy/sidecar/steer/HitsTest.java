package dev.understudy.sidecar.steer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class HitsTest {
    private final ObjectMapper json = new ObjectMapper();
    private final HitStore hits = new HitStore();

    @Test
    void newestHits_areKept() throws Exception {
        for (int n = 0; n < 3_000; n++) {
            take("{\"point\":\"p1\",\"text\":\"t" + n + "\"}");
        }

        List<HitStore.Hit> newest = hits.newest("p1", 0, 5_000);
        assertThat(newest).hasSize(2_000);
        assertThat(newest.get(1_999).text()).isEqualTo("t2999");
        assertThat(hits.last()).isEqualTo(3_000);
    }

    @Test
    void hitsOfManySmallTexts_takeNoMoreThanTheirRoom() throws Exception {
        String values =
                IntStream.range(0, 100).mapToObj(n -> "\"" + n + "\":\"v\"").collect(Collectors.joining(","));
        for (int n = 0; n < 1_000; n++) {
            take("{\"point\":\"p1\",\"values\":{" + values + "}}");
        }

        assertThat(hits.newest("p1", 0, 5_000).size()).as("of some 20 KB each").isBetween(300, 500);
    }

    private void take(String hit) throws Exception {
        JsonNode batch = json.readTree("{\"name\":\"a\",\"hits\":[" + hit + "]}");
        assertThat(hits.take(batch)).isEqualTo(1);
    }
}
