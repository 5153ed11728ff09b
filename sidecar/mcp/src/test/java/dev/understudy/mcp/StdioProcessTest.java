package dev.understudy.mcp;

import dev.understudy.mcp.carrier.MessageDispatcher;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** The command as a process, and the SDK's client at its standard input and output. */
@Tag("process")
final class StdioProcessTest {
    @TempDir
    Path folder;

    @Test
    void tools_areCalledOverStandardInputAndOutput() throws Exception {
        try (McpStage stage = new McpStage(folder)) {
            stage.send("/orders/1");
            ServerParameters command = ServerParameters.builder(Path.of(System.getProperty("java.home"), "bin", "java")
                            .toString())
                    .args(
                            "-Xmx128m",
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            "dev.understudy.mcp.command.Main",
                            "mcp",
                            "--url",
                            stage.control().toString())
                    .addEnvVar("UNDERSTUDY_CONTROL_TOKEN", McpStage.READER)
                    .build();
            McpSyncClient client = stage.client(new StdioClientTransport(command, new MessageDispatcher().mapper()));

            assertThat(client.getServerInfo().name()).isEqualTo("understudy");
            assertThat(client.listTools().tools()).noneMatch(tool -> tool.name().equals("apply_patch"));
            assertThat(McpStage.call(client, "status")
                            .at("/listeners/0/debugs/0/verdicts/DIFFERENT")
                            .asInt())
                    .isEqualTo(1);
            assertThat(McpStage.failure(client, "exchanges", "limit", 0)).startsWith("limit: 0");
        }
    }
}
