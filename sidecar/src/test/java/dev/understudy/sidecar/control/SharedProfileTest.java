package dev.understudy.sidecar.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class SharedProfileTest {
    private final ObjectMapper json = new ObjectMapper();

    @Test
    void eachMethod_isToldByThoseThatLookAtIt_withWhatOthersFoundBefore() throws Exception {
        JsonNode first = json.readTree("""
                {"name": "a", "methods": [
                  {"method": "Cart#total", "hits": 100, "hitsPerSecond": 10, "samples": 30, "rate": 0.5, \
                "costNanos": 400,
                   "meanMicros": 20, "maxMicros": 90, "counted": true},
                  {"method": "Money#add", "hits": 7, "hitsPerSecond": 5, "samples": 1, "rate": 0.1, "costNanos": 200,
                   "meanMicros": 8, "maxMicros": 8, "counted": false}]}
                """);
        JsonNode second = json.readTree("""
                {"name": "b", "methods": [
                  {"method": "Money#add", "hits": 900, "hitsPerSecond": 300, "samples": 3, "rate": 0.01, \
                "costNanos": 400,
                   "meanMicros": 4, "maxMicros": 5, "counted": true}]}
                """);

        SharedProfile profile = new SharedProfile();
        profile.add(first);
        profile.add(second);
        JsonNode shared = json.readTree(json.writeValueAsBytes(profile.spell()));

        assertThat(shared.path("agents").toString()).isEqualTo("[\"a\",\"b\"]");
        assertThat(shared.path("methods")).hasSize(2);
        JsonNode money = shared.at("/methods/0");
        assertThat(money).isEqualTo(json.readTree("""
                        {"method": "Money#add", "agents": ["b"], "hits": 907, "hitsPerSecond": 300.0, "samples": 4, \
                        "rate": 0.01,
                         "costNanos": 350.0, "meanMicros": 5.0, "maxMicros": 8.0}
                        """));
        assertThat(shared.at("/methods/1/agents").toString()).isEqualTo("[\"a\"]");
    }
}
