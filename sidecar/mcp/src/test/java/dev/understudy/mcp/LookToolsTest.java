package dev.understudy.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.spec.McpSchema.GetPromptRequest;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceRequest;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

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
    void resources_areStatusAndReport() {
        assertThat(client.listResources().resources()).hasSize(2);
        for (String name : new String[] {"status", "report"}) {
            var contents = client.readResource(ReadResourceRequest.builder("understudy://session/" + name)
                            .build())
                    .contents();
            assertThat(((TextResourceContents) contents.get(0)).text()).contains("DIFFERENT");
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
}
