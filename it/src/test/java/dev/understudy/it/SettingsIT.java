package dev.understudy.it;

import dev.understudy.it.stage.Child;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("any-jdk")
class SettingsIT {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @TempDir
    Path folder;

    @Test
    void sidecarOnATakenPort_endsWithCodeTwoAndNamesIt() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String settings = """
                    listeners:
                      - { name: shop, listen: "127.0.0.1:%d", production: "127.0.0.1:1", protocol: http }
                    control: { listen: "127.0.0.1:0", anonymous: admin }
                    """.formatted(taken.getLocalPort());

            assertRefused("sidecar", settings, String.valueOf(taken.getLocalPort()));
        }
    }

    @Test
    void aggregatorOnATakenPort_endsWithCodeTwoAndNamesIt() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String settings = """
                    upstreams:
                      - name: cache
                        protocol: redis
                        production: { listen: "127.0.0.1:%d", upstream: "127.0.0.1:1" }
                        debug: { listen: "127.0.0.1:0" }
                    control: { listen: "127.0.0.1:0", anonymous: admin }
                    """.formatted(taken.getLocalPort());

            assertRefused("aggregator", settings, String.valueOf(taken.getLocalPort()));
        }
    }

    @Test
    void wrongSidecarFile_getsAllItsProblemsWithTheirPlaces() throws Exception {
        String settings = "listners: []\nwindow: { memory: lots }\n";

        assertRefused("sidecar", settings, ":1:1: listners: unknown key", "did you mean listeners?", ":2:19:", "lots");
    }

    @Test
    void wrongAggregatorFile_getsAllItsProblemsWithTheirPlaces() throws Exception {
        String settings = "upstreems: []\njournal: { memory: lots }\n";

        assertRefused("aggregator", settings, ":1:1: upstreems: unknown key", ":2:20:", "lots");
    }

    private void assertRefused(String command, String settings, String... words) throws Exception {
        Path file = Files.writeString(folder.resolve("settings.yaml"), settings);
        List<String> line = List.of("./understudy", command, "--config", file.toString());
        try (Child child = Child.start(folder.resolve("out.log"), line)) {
            assertThat(child.exitCode(PATIENCE)).as(child.output()).isEqualTo(2);
            assertThat(child.output()).contains(words);
        }
    }
}
