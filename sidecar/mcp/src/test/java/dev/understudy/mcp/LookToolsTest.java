package dev.understudy.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.spec.McpSchema.GetPromptRequest;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceRequest;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What looking tools answer of a session in which some replies differ. */
final class LookToolsTest {
    private McpStage stage;
    private McpSyncClient client;

    @TempDir
    Path folder;

    @TempDir
    Path elsewhere;

    @BeforeEach
    void open() throws Exception {
        stage = new McpStage(folder);
        client = stage.overHttp(stage.dispatcher(McpStage.READER));
        stage.send("/same/1", "/orders/1", "/orders/2", "/orders/3", "/carts/1");
    }

    @AfterEach
    void close() {
        stage.close();
    }

    @Test
    void tools_haveDescriptionsAndClosedSchemas() {
        assertThat(client.listTools().tools())
                .extracting(Tool::name)
                .contains("status", "exchanges", "suspects", "apply_patch", "patch_verdict")
                .doesNotHaveDuplicates();
        assertThat(client.listTools().tools()).allSatisfy(tool -> {
            assertThat(tool.description()).isNotBlank();
            assertThat(tool.inputSchema().toString()).contains("additionalProperties=false");
        });
    }

    @Test
    void status_countsVerdicts_andLeadsToDivergences() {
        JsonNode status = McpStage.call(client, "status");

        assertThat(status.at("/listeners/0/debugs/0/verdicts/DIFFERENT").asInt())
                .isEqualTo(4);
        assertThat(status.path("next").asText()).startsWith("divergences: 4 replies differ");
    }

    @Test
    void exchanges_arePagedByCursor_withoutRepeats() {
        Set<Long> seen = new HashSet<>();
        JsonNode page = McpStage.call(client, "exchanges", "limit", 2);
        for (int pages = 1; page.has("cursor") && pages < 5; pages++) {
            page.path("exchanges").forEach(row -> seen.add(row.path("exchange").asLong()));
            page = McpStage.call(
                    client,
                    "exchanges",
                    "limit",
                    2,
                    "cursor",
                    page.path("cursor").asLong());
        }
        page.path("exchanges").forEach(row -> seen.add(row.path("exchange").asLong()));

        assertThat(seen).hasSize(5);
    }

    @Test
    void exchanges_canBeTheFailingOnes_withTheRule() {
        JsonNode rows = McpStage.call(client, "exchanges", "failing", true).path("exchanges");

        assertThat(rows)
                .hasSize(4)
                .allSatisfy(row -> assertThat(row.at("/failing/by").asText()).isEqualTo("DIFFERENT"));
    }

    @Test
    void exchange_showsBothReplies_redacted_andWithoutControlCharacters() {
        JsonNode rows = McpStage.call(client, "exchanges", "kind", "DIFFERENT", "text", "carts");
        assertThat(rows.path("exchanges")).hasSize(1);

        JsonNode one = McpStage.call(
                client, "exchange", "exchange", rows.at("/exchanges/0/exchange").asLong());

        assertThat(one.at("/production/body").asText()).contains("17", "[31mred");
        assertThat(one.at("/copy/body").asText()).contains("18");
        assertThat(one.at("/differences/0/path").asText()).isEqualTo("body.price");
        assertThat(one.toString()).doesNotContain("hunter2").doesNotContain("\u001b", "\u202e");
    }

    @Test
    void divergences_areGroupedByRoute() {
        JsonNode found = McpStage.call(client, "divergences", "limit", 1);

        assertThat(found.path("total").asInt()).isEqualTo(2);
        assertThat(found.at("/groups/0/route").asText()).isEqualTo("GET /orders/{n}");
        assertThat(found.at("/groups/0/count").asInt()).isEqualTo(3);
        assertThat(found.at("/groups/0/examples/0/differences/0/path").asText()).isEqualTo("body.price");
        JsonNode more = McpStage.call(
                client, "divergences", "cursor", found.path("cursor").asLong());
        assertThat(more.at("/groups/0/route").asText()).isEqualTo("GET /carts/{n}");
    }

    @Test
    void suspects_sayWhyNobodyIsSuspected() {
        assertThat(McpStage.call(client, "suspects").path("silence").asText()).isNotEmpty();
    }

    @Test
    void methodsAndFlame_sayThatNoAgentIsThere() {
        assertThat(McpStage.call(client, "methods").path("next").asText()).contains("no agent");
        assertThat(McpStage.call(client, "flame").path("next").asText()).contains("agent");
        assertThat(McpStage.call(client, "flame", "allocation", true)
                        .path("next")
                        .asText())
                .contains("agent");
    }

    @Test
    void report_hasASentence_andRoutesByPage() {
        JsonNode report = McpStage.call(client, "report", "limit", 2);

        assertThat(report.at("/copies/0/sentence").asText()).contains("1 of 5");
        assertThat(report.path("routes")).hasSize(2);
        assertThat(report.path("cursor").asInt()).isEqualTo(2);
    }

    @Test
    void source_isReadBelowItsFolderOnly() throws Exception {
        Path file = folder.resolve("src/main/java/com/shop/Cart.java");
        Files.createDirectories(file.getParent());
        Files.writeString(file, "package com.shop;\nclass Cart {\n  int total(int n) {\n    return n;\n  }\n}\n");
        Path outside = Files.writeString(elsewhere.resolve("Out.java"), "secret");
        Files.createSymbolicLink(folder.resolve("Out.java"), outside);

        assertThat(McpStage.call(client, "source", "method", "com.shop.Cart#total")
                        .path("lines")
                        .toString())
                .contains("3:   int total(int n) {");
        assertThat(McpStage.failure(client, "source", "method", "Out")).contains("no source of Out");
        assertThat(McpStage.failure(client, "source", "method", "../../etc/passwd"))
                .startsWith("method: ");
    }

    @Test
    void source_isTheSidecars_whereTheServerHasNone() throws Exception {
        Path file = stage.sources().resolve("com/shop/Till.java");
        Files.createDirectories(file.getParent());
        Files.writeString(
                file,
                "package com.shop;\nclass Till {\n  int open() {\n" + "    count();\n".repeat(90)
                        + "    return 7;\n  }\n}\n");
        McpSyncClient with = stage.overHttp(stage.dispatcher(McpStage.OPERATOR));
        McpSyncClient without = stage.overHttp(stage.dispatcher(
                McpStage.OPERATOR, stage.control(), stage.control(), McpStage.PATIENCE, null, List.of()));

        for (McpSyncClient each : List.of(with, without)) {
            JsonNode found = McpStage.call(each, "source", "method", "com.shop.Till#open");
            assertThat(found.path("file").asText()).isEqualTo(file.toRealPath().toString());
            assertThat(found.path("lines").toString()).contains("3:   int open() {");
            String goesOn = found.path("next").asText();
            assertThat(goesOn).matches("source with line \\d+ goes on");
            JsonNode rest = McpStage.call(
                    each,
                    "source",
                    "method",
                    "com.shop.Till#open",
                    "line",
                    Integer.parseInt(goesOn.replaceAll("\\D", "")));
            int seen = Integer.parseInt(found.path("lines")
                    .get(found.path("lines").size() - 1)
                    .asText()
                    .replaceAll(":.*", ""));
            assertThat(rest.at("/lines/0").asText()).startsWith((seen + 1) + ":");
            assertThat(rest.toString()).contains("return 7;");
        }
        assertThat(McpStage.failure(without, "source", "method", "com.shop.Nobody"))
                .contains("no source of com.shop.Nobody", "--sources", "setting sources");
        assertThat(McpStage.failure(client, "source", "method", "com.shop.Till"))
                .as("who may only read")
                .contains("no source of com.shop.Till in", "needs the role operate");
    }

    @Test
    void flame_isOfTheRoute_andOfTheLastSecondsIfTheyAreNamed() throws Exception {
        stage.tell("/v1/stacks", "{\"names\":[],\"stacks\":[]}"); // from now on, routes are kept for stacks
        stage.debug.spans.clear();
        stage.send("/orders/4", "/orders/5", "/carts/6");
        String stacks = stage.debug.spans.stream()
                .map(span -> "{\"span\":\"" + span + "\",\"frames\":[0,1]}")
                .collect(Collectors.joining(","));
        stage.tell(
                "/v1/stacks",
                "{\"name\":\"a\",\"names\":[\"run\",\"com.shop.Cart.total\"],\"stacks\":[" + stacks + "]}");

        JsonNode recent = McpStage.call(client, "flame", "last", 300, "route", "GET /orders/{n}");
        assertThat(recent.path("routes")).hasSize(1);
        assertThat(recent.at("/routes/0/route").asText()).startsWith("GET /orders/{n} ");
        assertThat(recent.at("/routes/0/hottest/0").asText()).isEqualTo("100.0 % com.shop.Cart.total");
        await("a second without samples").atMost(McpStage.PATIENCE).untilAsserted(() -> {
            JsonNode none = McpStage.call(client, "flame", "last", 1);
            assertThat(none.path("routes")).isEmpty();
            assertThat(none.path("next").asText()).startsWith("flame without last");
        });
        assertThat(McpStage.call(client, "flame").path("routes")).hasSize(2);
        assertThat(McpStage.failure(client, "flame", "last", -1)).startsWith("last: -1");
    }

    @Test
    void measurements_areTimes_rates_windows_budgets_andLosses_withoutVerdicts() throws Exception {
        stage.tell(
                "/v1/agent",
                "{\"name\":\"shop-1\",\"budget\":0.15,\"budgetMax\":0.2,\"spent\":0.01,\"nu\":3,"
                        + "\"samplesPerSecond\":20,\"why\":\"the window\"}");

        JsonNode all = new ObjectMapper().readTree(resource("measurements"));

        JsonNode copy = all.at("/listeners/0/debugs/0");
        assertThat(copy.at("/exchanges/production").asInt()).isEqualTo(5);
        for (String side : new String[] {"production", "debug"}) {
            assertThat(copy.at("/latencyMillis/" + side + "/p99").asDouble()).isPositive();
        }
        assertThat(copy.path("verdicts").isMissingNode()).isTrue();
        assertThat(all.at("/windows/0").properties())
                .extracting(Map.Entry::getKey)
                .contains("utilisation", "lagMillis", "arrivalRate", "serviceRate", "stopMillis");
        assertThat(all.at("/agents/0/name").asText()).isEqualTo("shop-1");
        assertThat(all.at("/agents/0/budget").asDouble()).isEqualTo(0.15);
        assertThat(all.at("/agents/0/spent").asDouble()).isEqualTo(0.01);
    }

    @Test
    void measurements_nameWhatWasLost() throws Exception {
        stage.tee("paused");
        stage.sendUnjudged("/orders/9");
        await("production's reply")
                .atMost(McpStage.PATIENCE)
                .untilAsserted(() ->
                        assertThat(measured("/exchanges/production").asInt()).isEqualTo(6));
        stage.tee("off");

        await("a loss")
                .atMost(McpStage.PATIENCE)
                .untilAsserted(
                        () -> assertThat(measured("/losses/SWITCHED_OFF/events").asInt())
                                .isPositive());
    }

    private JsonNode measured(String place) throws Exception {
        return new ObjectMapper().readTree(resource("measurements")).at("/listeners/0/debugs/0" + place);
    }

    private String resource(String name) {
        var contents = client.readResource(ReadResourceRequest.builder("understudy://session/" + name)
                        .build())
                .contents();
        return ((TextResourceContents) contents.get(0)).text();
    }

    @Test
    void resources_areStatus_measurements_andReport() {
        assertThat(client.listResources().resources())
                .extracting(Resource::name)
                .containsExactlyInAnyOrder("status", "measurements", "report");
        for (String name : new String[] {"status", "report"}) {
            assertThat(resource(name)).contains("DIFFERENT");
        }
    }

    @Test
    void prompts_nameTheTools() {
        assertThat(client.listPrompts().prompts()).hasSize(2);
        var request = GetPromptRequest.builder("find_defect")
                .arguments(Map.of("failures", "prices are wrong"))
                .build();
        assertThat(client.getPrompt(request).messages().get(0).content().toString())
                .contains("divergences", "suspects", "failures: prices are wrong");
    }

    @Test
    void thePromptForAPatch_namesItsTools_inTheirOrder_andTheFolder() {
        var request = GetPromptRequest.builder("verify_patch")
                .arguments(Map.of("classes", "target/classes"))
                .build();
        String text = client.getPrompt(request).messages().get(0).content().toString();

        assertThat(text)
                .containsSubsequence("patch_verdict", "apply_patch", "patch_verdict", "exchanges", "take_back_patch")
                .contains("--allow-patch", "classes: target/classes");
        Set<String> tools = new HashSet<>();
        client.listTools().tools().forEach(tool -> tools.add(tool.name()));
        assertThat(tools).contains("patch_verdict", "apply_patch", "exchanges", "exchange", "take_back_patch");
    }
}
