package dev.understudy.sidecar.config;

import dev.understudy.relay.config.ConfigException;
import dev.understudy.relay.config.Overrides;
import dev.understudy.relay.config.Problems;
import dev.understudy.relay.tls.CallerTlsConfig;
import dev.understudy.relay.tls.KeyFiles;
import dev.understudy.relay.tls.TerminateConfig;
import dev.understudy.sidecar.inbound.LinkConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class ControlTlsConfigTest {
    private static final String LEAST = "listeners: [{name: a, listen: 127.0.0.1:0, production: 127.0.0.1:8081}]\n";

    @TempDir
    Path folder;

    @Test
    void example_withItsTlsTurnedOn_isRight() throws IOException {
        String example = Files.readString(Path.of("sidecar.example.yaml"));

        SidecarConfig config = read(example.replace("  # tls: {", "  tls: {")
                .replace("url: \"\" ", "url: https://aggregator:9091 ")
                .replace("  # ca: ", "  ca: ")
                .replace("  # certificate: own.crt", "  certificate: own.crt")
                .replace("  # key: own.key", "  key: own.key"));

        KeyFiles own = new KeyFiles(Path.of("own.crt"), Path.of("own.key"));
        assertThat(config.control().tls())
                .isEqualTo(new TerminateConfig(
                        List.of(new KeyFiles(Path.of("control.crt"), Path.of("control.key"))),
                        List.of("http/1.1"),
                        Path.of("callers.crt")));
        assertThat(config.link())
                .isEqualTo(new LinkConfig(
                        "https://aggregator:9091", "", "", new CallerTlsConfig(Path.of("authorities.crt"), own)));
    }

    @Test
    void withoutTls_thePortAndTheLinkSpeakPlainText() throws IOException {
        assertThat(read(LEAST).control().tls()).isNull();
        assertThat(read(LEAST).link().tls().isEmpty()).isTrue();
    }

    @Test
    void tls_stillNeedsTokensOffLoopback() {
        assertThatThrownBy(() -> read(
                        LEAST + "control: {listen: 0.0.0.0:9090, tls: {certificates: [{certificate: a, key: b}]}}\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("without a token");
    }

    @Test
    void whatIsWrong_isToldTogether() {
        assertThatThrownBy(() -> read(LEAST + "control: {tls: {clients: a.crt, alpn: h2}}\n"
                        + "aggregator: {url: 'http://a', ca: a.crt, certificate: b.crt}\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("control.tls: certificates: missing")
                .hasMessageContaining("control.tls.alpn: unknown key")
                .hasMessageContaining("aggregator.key: missing")
                .hasMessageContaining("url: http://a with ca or certificate (expected: an https:// address)");
    }

    private SidecarConfig read(String yaml) throws IOException {
        Problems problems = new Problems();
        Path file = Files.writeString(folder.resolve("sidecar.yaml"), yaml);
        return SidecarConfig.read(file, new Overrides(Map.of(), List.of(), problems), problems);
    }
}
