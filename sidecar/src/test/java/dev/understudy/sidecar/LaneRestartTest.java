package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.relay.config.Overrides;
import dev.understudy.relay.config.Problems;
import dev.understudy.sidecar.config.SidecarConfig;
import dev.understudy.sidecar.tap.TapProcess;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What a lane process that follows another one knows of it: tap and lane process in one JVM. */
final class LaneRestartTest {
    private final List<AutoCloseable> open = new ArrayList<>();
    private PlainServer production;
    private PlainServer debug;

    @TempDir
    Path folder;

    @BeforeEach
    void open() throws IOException {
        production = PlainServer.open(LaneRestartTest::answer);
        debug = PlainServer.open(LaneRestartTest::answer);
    }

    @AfterEach
    void close() throws Exception {
        for (int n = open.size() - 1; n >= 0; n--) {
            open.get(n).close();
        }
        production.close();
        debug.close();
    }

    @Test
    void settingsOfOtherListeners_areRefused_untilTheSidecarIsStartedAgain() throws Exception {
        TapProcess tap = tap(settings(listener("a"), listener("b")));
        assertThatThrownBy(() -> LaneProcess.start(settings(listener("b"), listener("a")), tap.directory()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the settings were changed since the sidecar was started: listener b on")
                .hasMessageContaining("start the sidecar again");
        assertThatThrownBy(() -> LaneProcess.start(settings(listener("a")), tap.directory()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("1 listeners (expected: 2, as the tap process has)");
        lanes(settings(listener("a"), listener("b")), tap);
    }

    @Test
    void aHundredListeners_haveRoomInTheControlBlock() throws Exception {
        String[] all =
                IntStream.range(0, 100).mapToObj(n -> listener("shop-" + n)).toArray(String[]::new);
        TapProcess tap = tap(settings(all));
        LaneProcess lanes = lanes(settings(all), tap);
        assertThat(status(lanes).get("listeners")).hasSize(100);
        assertThat(tap.addresses()).hasSize(100);
    }

    private TapProcess tap(SidecarConfig config) throws IOException {
        TapProcess tap = TapProcess.start(config);
        open.add(tap);
        return tap;
    }

    private LaneProcess lanes(SidecarConfig config, TapProcess tap) throws IOException {
        LaneProcess lanes = LaneProcess.start(config, tap.directory());
        open.add(lanes);
        return lanes;
    }

    private String listener(String name) {
        return "{name: %s, listen: '127.0.0.1:0', production: '127.0.0.1:%d', debug: '127.0.0.1:%d'}"
                .formatted(name, production.address().getPort(), debug.address().getPort());
    }

    private SidecarConfig settings(String... listeners) throws IOException {
        Path file = Files.writeString(
                folder.resolve("sidecar.yaml"), """
                listeners: [%s]
                tap: {carrier: ring, ring: 64KiB, directory: '%s'}
                control: {listen: '127.0.0.1:0', anonymous: admin}
                drain: 10ms
                """.formatted(String.join(",\n  ", listeners), folder.resolve("tap")));
        Problems problems = new Problems();
        return SidecarConfig.read(file, new Overrides(Map.of(), List.of(), problems), problems);
    }

    private static JsonNode status(LaneProcess lanes) throws IOException {
        return new ObjectMapper().readTree(uri(lanes, "/v1/status").toURL().openStream());
    }

    private static URI uri(LaneProcess lanes, String path) {
        return URI.create("http://127.0.0.1:" + lanes.controlAddress().getPort() + path);
    }

    private static void answer(Socket socket) throws IOException {
        while (PlainServer.readUntil(socket, "\r\n\r\n").endsWith("\r\n\r\n")) {
            PlainServer.write(socket, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
        }
    }
}
