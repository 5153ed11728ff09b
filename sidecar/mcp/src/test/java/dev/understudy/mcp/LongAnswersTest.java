package dev.understudy.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.mcp.tool.AnswerLimits;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** What is too long for one answer: each is bounded, and the rest of it can be had by asking on. */
final class LongAnswersTest {
    private McpStage stage;
    private McpSyncClient client;

    @TempDir
    Path folder;

    @BeforeEach
    void open() throws Exception {
        stage = new McpStage(folder);
        client = stage.overHttp(stage.dispatcher(McpStage.READER));
    }

    @AfterEach
    void close() {
        stage.close();
    }

    @Test
    void differencesOfOneExchange_areReadByCursor() throws Exception {
        stage.send("/wide/1");
        long exchange = newest();
        Set<String> seen = new HashSet<>();
        JsonNode page = McpStage.call(client, "exchange", "exchange", exchange, "limit", 20);
        int total = page.path("total").asInt();
        assertThat(total).as("with a Date that may differ").isGreaterThan(50);
        assertThat(page.path("differences")).hasSize(20);
        while (page.has("cursor")) {
            page.path("differences").forEach(one -> seen.add(one.path("path").asText()));
            page = McpStage.call(
                    client,
                    "exchange",
                    "exchange",
                    exchange,
                    "limit",
                    20,
                    "cursor",
                    page.path("cursor").asLong());
            assertThat(page.has("production")).as("once is enough").isFalse();
        }
        page.path("differences").forEach(one -> seen.add(one.path("path").asText()));

        assertThat(seen).hasSize(total);
    }

    @Test
    void longBodies_areReadPartByPart() throws Exception {
        stage.send("/wide/1");
        long exchange = newest();
        assertThat(McpStage.call(client, "exchange", "exchange", exchange)
                        .path("bodies")
                        .asText())
                .contains("body_from 0");
        StringBuilder production = new StringBuilder();
        StringBuilder copy = new StringBuilder();
        JsonNode part;
        do {
            part = McpStage.call(client, "exchange", "exchange", exchange, "body_from", production.length());
            production.append(part.at("/production/body").asText());
            copy.append(part.at("/copy/body").asText());
        } while (part.path("next").asText().contains("body_from " + production.length() + " goes on"));

        assertThat(production.toString())
                .hasSize(part.at("/production/bodyCharacters").asInt())
                .hasSizeGreaterThan(2 * AnswerLimits.TEXT)
                .contains("\"price0\" : 17,", "\"price249\" : 266");
        assertThat(copy.toString()).contains("\"price0\" : 18,", "\"price249\" : 267");
    }

    @Test
    void noAnswerIsLongerThanItsBound() throws Exception {
        stage.send("/wide/1", "/wide/2", "/wide/3");
        hits(120, "x".repeat(1_500));
        for (Map<String, Object> wanted : List.<Map<String, Object>>of(
                Map.of("exchange", newest(), "limit", 100), Map.of("exchange", newest(), "body_from", 0))) {
            assertThat(text("exchange", wanted)).hasSizeLessThanOrEqualTo(AnswerLimits.CHARACTERS);
        }
        for (String tool : List.of("exchanges", "hits")) {
            assertThat(text(tool, Map.of("limit", 50))).hasSizeLessThanOrEqualTo(AnswerLimits.CHARACTERS);
        }
        assertThat(text("divergences", Map.of("limit", 20))).hasSizeLessThanOrEqualTo(AnswerLimits.CHARACTERS);
    }

    @Test
    void hits_areReadByCursor_withoutRepeats_howeverLongTheyAre() throws Exception {
        hits(120, "x".repeat(1_500));
        List<Long> seen = new ArrayList<>();
        long cursor = 0;
        JsonNode page;
        do {
            page = McpStage.call(client, "hits", "limit", 50, "cursor", cursor);
            page.path("hits").forEach(hit -> seen.add(hit.path("number").asLong()));
            assertThat(page.has("cut")).as(page.toString()).isFalse();
            cursor = page.path("cursor").asLong();
        } while (page.path("left").asInt() > 0);

        assertThat(seen)
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, 120).mapToObj(n -> (long) n).toList());
        assertThat(McpStage.call(client, "hits", "cursor", cursor).path("hits")).isEmpty();
        hits(1, "late");
        assertThat(McpStage.call(client, "hits", "cursor", cursor)
                        .at("/hits/0/text")
                        .asText())
                .isEqualTo("late");
    }

    @Test
    void methodsThatAreAsSuspicious_areAsManyAsWanted() throws Exception {
        observe(12, 6, "");

        JsonNode one = McpStage.call(client, "suspects", "alike", 1).at("/suspects/0");
        assertThat(one.path("alike")).as(one.toString()).hasSize(1);
        int all = one.path("alikeCount").asInt();
        assertThat(all).isGreaterThan(1);
        JsonNode more = McpStage.call(client, "suspects", "alike", all).at("/suspects/0");
        assertThat(more.path("alike")).hasSize(all);
        assertThat(more.has("alikeCount")).isFalse();
    }

    @Test
    void whatFollowsFromAFirstCause_isListed_andPaged() throws Exception {
        stage.send("/code", "/carts/1", "/code/a", "/code/b", "/code/c");

        JsonNode groups = McpStage.call(client, "divergences").path("groups");
        JsonNode first = groups.get(0);
        int followers = first.path("followers").asInt();
        assertThat(followers).as(groups.toString()).isEqualTo(3);
        long exchange = first.path("exchange").asLong();
        JsonNode page = McpStage.call(client, "divergences", "followers_of", exchange, "limit", 2);
        assertThat(page.path("followers"))
                .hasSize(2)
                .allSatisfy(one -> assertThat(one.path("mayFollow").asText()).contains("as in exchange " + exchange));
        assertThat(McpStage.call(
                                client,
                                "divergences",
                                "followers_of",
                                exchange,
                                "cursor",
                                page.path("cursor").asLong())
                        .path("followers"))
                .hasSize(followers - 2);
        assertThat(McpStage.failure(client, "divergences", "followers_of", 99)).startsWith("followers_of: 99");
    }

    @Test
    void secrets_areInNoAnswer() throws Exception {
        stage.send("/login/1?password=hunter2-and-more");
        observe(12, 1, "?password=hunter2-and-more");

        JsonNode groups = McpStage.call(client, "divergences");
        assertThat(groups.toString()).contains("body.password", "GET /login/").doesNotContain("hunter2");
        JsonNode suspects = McpStage.call(client, "suspects");
        assertThat(suspects.at("/suspects/0/method").asText()).isEqualTo("com.shop.Cart#m0");
        assertThat(suspects.at("/suspects/0/example").toString())
                .contains("/orders/")
                .doesNotContain("hunter2");
        assertThat(McpStage.call(client, "exchanges", "limit", 50).toString()).doesNotContain("hunter2");
    }

    /** Good and bad exchanges by turns; an agent tells that these methods were called in the bad ones. */
    private void observe(int each, int methods, String query) throws Exception {
        stage.debug.spans.clear();
        for (int n = 0; n < each; n++) {
            observe("/same/" + n, methods, false);
            observe("/orders/" + n + query, methods, true);
        }
    }

    private void observe(String path, int methods, boolean called) throws Exception {
        stage.send(path);
        String names = IntStream.range(0, methods)
                .mapToObj(n -> "\"" + (n + 1) + "\":\"com.shop.Cart#m" + n + "\"")
                .collect(Collectors.joining(","));
        String held = IntStream.rangeClosed(1, called ? methods : 0)
                .mapToObj(n -> String.valueOf(16 * n))
                .collect(Collectors.joining(","));
        stage.tell(
                "/v1/observations",
                "{\"name\":\"a\",\"run\":1,\"closed\":[],\"methods\":{" + names + "},\"exchanges\":[{\"span\":\""
                        + stage.debug.spans.remove() + "\",\"whole\":true,\"held\":[" + held + "]}]}");
    }

    private void hits(int count, String text) throws Exception {
        String hits = IntStream.range(0, count)
                .mapToObj(n -> "{\"point\":\"p1\",\"place\":\"com.shop.Cart.total(Cart.java:8)\",\"millis\":1,"
                        + "\"thread\":\"main\",\"text\":\"" + text + "\"}")
                .collect(Collectors.joining(","));
        stage.tell("/v1/hits", "{\"name\":\"a\",\"points\":[],\"hits\":[" + hits + "]}");
    }

    private long newest() {
        return McpStage.call(client, "exchanges").at("/exchanges/0/exchange").asLong();
    }

    private String text(String tool, Map<String, Object> arguments) {
        return McpStage.text(client.callTool(
                CallToolRequest.builder(tool).arguments(arguments).build()));
    }
}
