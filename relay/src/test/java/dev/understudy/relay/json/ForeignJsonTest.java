package dev.understudy.relay.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ForeignJsonTest {
    @Test
    void document_isRead() throws Exception {
        assertThat(read("{\"a\": [1, 2.5, \"x\", null, true], \"b\": {}}")
                        .at("/a/1")
                        .asDouble())
                .isEqualTo(2.5);
        assertThat(read("[" + "1,".repeat(90_000) + "1]")).hasSize(90_001);
    }

    @Test
    void manyTokens_areRefused_whateverTheirBytes() {
        assertRefused("[" + "[],".repeat(60_000) + "[]]", "Token count");
        assertRefused("{" + "\"a\":{},".repeat(60_000) + "\"a\":1}", "Token count");
        assertRefused("[" + "1,".repeat(110_000) + "1]", "Token count");
    }

    @Test
    void deepNesting_longNamesAndTexts_areRefused() throws Exception {
        assertThat(read("[".repeat(60) + "]".repeat(60))).hasSize(1);
        assertRefused("[".repeat(100) + "]".repeat(100), "nesting depth");
        assertRefused("{\"" + "n".repeat(1_001) + "\":1}", "Name");
        assertRefused("\"" + "t".repeat((1 << 20) + 1) + "\"", "String value");
        assertRefused("1".repeat(500), "Number value");
    }

    @Test
    void whatFollowsADocument_isRefused() {
        assertRefused("{} {\"more\":1}", "Trailing token");
    }

    private static void assertRefused(String document, String message) {
        assertThatThrownBy(() -> read(document))
                .isInstanceOf(JsonProcessingException.class)
                .hasMessageContaining(message);
    }

    private static JsonNode read(String document) throws Exception {
        return ForeignJson.mapper().readTree(document.getBytes(StandardCharsets.UTF_8));
    }
}
