package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.relay.config.Overrides;
import dev.understudy.relay.config.Problems;
import dev.understudy.relay.loop.EventLoops;
import dev.understudy.relay.ring.ControlBlock;
import dev.understudy.relay.split.TapProcess;
import dev.understudy.sidecar.config.SidecarConfig;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
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

import static dev.understudy.sidecar.Patience.await;
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
                .hasMessageContaining("the settings were changed since the start: listener b on")
                .hasMessageContaining("start again");
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

    @Test
    void teeThatAnOperatorSet_staysSoInTheNextLaneProcess() throws Exception {
        SidecarConfig settings = settings(listener("shop"), listener("stock"));
        TapProcess tap = tap(settings);
        LaneProcess first = lanes(settings, tap);
        put(first, "/v1/listeners/shop/tee", "{\"mode\": \"off\"}");
        put(first, "/v1/listeners/stock/tee", "{\"sample\": {\"connections\": \"20%\", \"paths\": [\"/a\"]}}");
        end(first);
        LaneProcess second = lanes(settings, tap);
        assertThat(get(second, "/v1/listeners/shop/tee").get("mode").asText()).isEqualTo("off");
        assertThat(control(tap).wanted(0)).isEqualTo(ControlBlock.OFF);
        JsonNode stock = get(second, "/v1/listeners/stock/tee");
        assertThat(stock.get("mode").asText()).isEqualTo("on");
        assertThat(stock.at("/sample/connections").asText()).isEqualTo("20%");
        assertThat(stock.at("/sample/paths/0").asText()).isEqualTo("/a");
        put(second, "/v1/listeners/shop/tee", "{\"mode\": \"on\"}");
        end(second);
        assertThat(get(lanes(settings, tap), "/v1/listeners/shop/tee")
                        .get("mode")
                        .asText())
                .isEqualTo("on");
    }

    @Test
    void teeThatAwaitsASnapshot_awaitsItInTheNextLaneProcess() throws Exception {
        SidecarConfig settings = settings(listener("shop"));
        TapProcess tap = tap(settings);
        LaneProcess first = lanes(settings, tap);
        put(first, "/v1/listeners/shop/tee", "{\"mode\": \"paused\", \"snapshot\": \"awaited\"}");
        end(first);
        LaneProcess second = lanes(settings, tap);
        assertThat(get(second, "/v1/listeners/shop/tee").get("mode").asText()).isEqualTo("paused");
        assertThat(control(tap).kept(0)).contains("\"awaitsSnapshot\":true");
    }

    @Test
    void whatIsKept_holdsTheSettingsWhereItCantBeRead() throws Exception {
        SidecarConfig settings = settings(listener("shop"));
        TapProcess tap = tap(settings);
        for (String hostile : List.of(
                "{",
                "[]",
                "{\"mode\": \"sideways\"}",
                "{\"mode\": \"off\", \"sample\": {\"connections\": \"200%\"}}",
                "[".repeat(4000),
                "nothing")) {
            assertThat(control(tap).keep(0, hostile)).isTrue();
            LaneProcess lanes = LaneProcess.start(settings, tap.directory());
            assertThat(get(lanes, "/v1/listeners/shop/tee").get("mode").asText())
                    .as(hostile)
                    .isEqualTo("on");
            lanes.close();
        }
    }

    @Test
    void sampleThatIsTooLongToBeKept_leavesTheModeKept() throws Exception {
        SidecarConfig settings = settings(listener("shop"));
        TapProcess tap = tap(settings);
        LaneProcess first = lanes(settings, tap);
        String body = "{\"mode\": \"off\", \"sample\": {\"paths\": [\"/%s\"]}}".formatted("x".repeat(5000));
        put(first, "/v1/listeners/shop/tee", body);
        end(first);
        JsonNode tee = get(lanes(settings, tap), "/v1/listeners/shop/tee");
        assertThat(tee.get("mode").asText()).isEqualTo("off");
        assertThat(tee.at("/sample/paths")).isEmpty();
    }

    @Test
    void recordingThatALaneProcessTookWithIt_isToldOf() throws Exception {
        SidecarConfig settings = settings(listener("shop"));
        TapProcess tap = tap(settings);
        LaneProcess first = lanes(settings, tap);
        put(first, "/v1/listeners/shop/recording", "{\"mode\": \"on\"}");
        await("the file's name").until(() -> control(tap).kept(0).contains(".understudy"));
        String killed = control(tap).kept(0);
        end(first);
        assertThat(control(tap).keep(0, killed)).isTrue();
        JsonNode recording = get(lanes(settings, tap), "/v1/listeners/shop/recording");
        assertThat(recording.get("state").asText()).isEqualTo("off");
        assertThat(recording.get("ended").asText()).isEqualTo("the lane process ended");
        assertThat(Path.of(recording.get("file").asText()))
                .hasSize(recording.get("bytes").asLong());
    }

    private TapProcess tap(SidecarConfig config) throws IOException {
        TapProcess tap = TapProcess.start(config.tap(), Listeners.all(config), EventLoops.open(config.transport()));
        open.add(tap);
        return tap;
    }

    private LaneProcess lanes(SidecarConfig config, TapProcess tap) throws IOException {
        LaneProcess lanes = LaneProcess.start(config, tap.directory());
        open.add(lanes);
        return lanes;
    }

    private void end(LaneProcess lanes) {
        open.remove(lanes);
        lanes.close();
    }

    private String listener(String name) {
        return "{name: %s, listen: '127.0.0.1:0', production: '127.0.0.1:%d', debug: '127.0.0.1:%d'}"
                .formatted(name, production.address().getPort(), debug.address().getPort());
    }

    private SidecarConfig settings(String... listeners) throws IOException {
        Path file = Files.writeString(folder.resolve("sidecar.yaml"), """
                listeners: [%s]
                tap: {carrier: ring, ring: 64KiB, directory: '%s'}
                control: {listen: '127.0.0.1:0', anonymous: admin}
                record: {directory: '%s'}
                drain: 10ms
                """.formatted(
                        String.join(",\n  ", listeners), folder.resolve("tap"), folder.resolve("recordings")));
        Problems problems = new Problems();
        return SidecarConfig.read(file, new Overrides(Map.of(), List.of(), problems), problems);
    }

    private static JsonNode status(LaneProcess lanes) throws IOException {
        return get(lanes, "/v1/status");
    }

    private static JsonNode get(LaneProcess lanes, String path) throws IOException {
        return new ObjectMapper().readTree(uri(lanes, path).toURL().openStream());
    }

    private static void put(LaneProcess lanes, String path, String body) throws Exception {
        HttpRequest put = HttpRequest.newBuilder(uri(lanes, path))
                .header("Content-Type", "application/json")
                .PUT(HttpRequest.BodyPublishers.ofString(body))
                .build();
        HttpResponse<String> reply = HttpClient.newHttpClient().send(put, BodyHandlers.ofString());
        assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
    }

    private static ControlBlock control(TapProcess tap) throws IOException {
        return ControlBlock.open(tap.directory().resolve(TapProcess.CONTROL));
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
