package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.relay.config.ConfigException;
import dev.understudy.relay.config.Overrides;
import dev.understudy.relay.config.Problems;
import dev.understudy.sidecar.config.SidecarConfig;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** Replies in Protocol Buffers, with and without the descriptors of what they hold. */
final class SidecarProtobufTest {
    @TempDir
    Path folder;

    @Test
    void differingField_isNamedByTheDescriptors() throws Exception {
        assertThat(firstDifference(descriptors())).isEqualTo("body.id");
    }

    @Test
    void differingField_hasItsNumberWithoutDescriptors() throws Exception {
        assertThat(firstDifference("")).isEqualTo("body[\"#1\"][0]");
    }

    @Test
    void fileThatHoldsNoDescriptors_isRefused() throws IOException {
        Path file = Files.writeString(folder.resolve("wrong.desc"), "syntax = \"proto3\";");
        ConfigException refused = catchThrowableOfType(ConfigException.class, () -> config(1, 2, file.toString()));

        assertThat(refused.problems()).anyMatch(line -> line.contains("not a FileDescriptorSet"));
    }

    private String firstDifference(String descriptors) throws Exception {
        try (HttpService production = answering(7);
                HttpService debug = answering(8);
                Stage stage = Stage.of(
                        config(production.address().getPort(), debug.address().getPort(), descriptors))) {
            stage.get("/order");
            stage.awaitVerdicts("DIFFERENT", 1);
            JsonNode verdict = stage.verdicts("DIFFERENT").get(0);
            assertThat(verdict.at("/differences/0/production").asText()).isEqualTo("7");
            return verdict.at("/differences/0/path").asText();
        }
    }

    private static HttpService answering(int id) throws IOException {
        return HttpService.answering((asked, exchange) -> {
            exchange.getResponseHeaders().add("Content-Type", "application/x-protobuf; messageType=shop.Order");
            exchange.sendResponseHeaders(200, 2);
            exchange.getResponseBody().write(new byte[] {8, (byte) id});
            exchange.close();
        });
    }

    private SidecarConfig config(int production, int debug, String descriptors) throws IOException {
        Path file = Files.writeString(folder.resolve("sidecar.yaml"), """
                listeners: [{name: orders, listen: '127.0.0.1:0', production: '127.0.0.1:%d', debug: '127.0.0.1:%d'}]
                control: {listen: '127.0.0.1:0', anonymous: admin}
                comparison: {protobuf: {descriptors: '%s'}}
                """.formatted(production, debug, descriptors));
        Problems problems = new Problems();
        return SidecarConfig.read(file, new Overrides(Map.of(), List.of(), problems), problems);
    }

    /** {@code package shop; message Order { int64 id = 1; }}. */
    private String descriptors() throws IOException {
        byte[] field = joined(text(1, "id"), new byte[] {3 << 3, 1, 4 << 3, 1, 5 << 3, 3});
        byte[] message = joined(text(1, "Order"), counted(2, field));
        byte[] file = joined(text(1, "shop.proto"), text(2, "shop"), counted(4, message));
        return Files.write(folder.resolve("shop.desc"), counted(1, file)).toString();
    }

    private static byte[] text(int number, String text) {
        return counted(number, text.getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] counted(int number, byte[] bytes) {
        return joined(new byte[] {(byte) (number << 3 | 2), (byte) bytes.length}, bytes);
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }
}
