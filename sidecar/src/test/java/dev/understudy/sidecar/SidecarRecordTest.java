package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.relay.TinyDisk;
import dev.understudy.relay.config.Overrides;
import dev.understudy.relay.config.Problems;
import dev.understudy.relay.stream.BlockReader;
import dev.understudy.relay.stream.RecordingReader;
import dev.understudy.relay.stream.StreamEvent;
import dev.understudy.sidecar.config.SidecarConfig;
import dev.understudy.sidecar.record.Contents;
import dev.understudy.sidecar.record.RequestLines;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.understudy.sidecar.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/** Recording inside a running sidecar, beside the tee. */
final class SidecarRecordTest {
    @TempDir
    Path folder;

    private HttpService production;
    private HttpService debug;

    @BeforeEach
    void open() throws Exception {
        production = HttpService.saying("{\"n\":1}");
        debug = HttpService.saying("{\"n\":1}");
    }

    @AfterEach
    void close() {
        debug.close();
        production.close();
    }

    @Test
    void recording_beginsAndEndsWhileItRuns_andTheTeeNoticesNothing() throws Exception {
        try (Stage stage = stage("", "64MiB");
                Socket client = stage.connect()) {
            ask(client, "/before");
            JsonNode begun = turn(stage, "on");
            assertThat(begun.get("state").asText()).isEqualTo("on");
            ask(client, "/joined/1");
            ask(client, "/joined/2");
            stage.get("/new");
            JsonNode ended = stopped(stage);
            ask(client, "/after");

            Path file = Path.of(ended.get("file").asText());
            assertThat(file).isEqualTo(Path.of(begun.get("file").asText()));
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
            Contents contents = Contents.read(file);
            assertThat(contents.torn()).isNull();
            assertThat(contents.connections().stream()
                            .flatMap(summary -> summary.requests().stream())
                            .map(RequestLines.Line::target))
                    .containsExactlyInAnyOrder("/joined/1", "/joined/2", "/new");
            assertThat(contents.connections()).extracting(Contents.Summary::end).containsOnly("UNTAPPED");
            assertThat(ended.get("lostBytes").asLong()).isZero();

            awaitAgreed(stage, 5);
            assertThat(stage.status().get("losses")).isEmpty();
            assertThat(stage.status().get("joinedConnections").asInt()).isZero();
            assertThat(stage.status().at("/recording/state").asText()).isEqualTo("off");
        }
    }

    @Test
    void recording_goesOnWhileTheTeeIsOff_andEachStartIsANewFile() throws Exception {
        try (Stage stage = stage("tee: off", "64MiB");
                Socket client = stage.connect()) {
            for (int round = 0; round < 3; round++) {
                turn(stage, "on");
                ask(client, "/" + round);
                ask(client, "/" + round);
                String file = stopped(stage).get("file").asText();
                assertThat(Contents.read(Path.of(file)).connections())
                        .singleElement()
                        .extracting(summary -> summary.requests().size())
                        .isEqualTo(2);
            }
            try (Stream<Path> files = Files.list(folder.resolve("recordings"))) {
                assertThat(files).hasSize(3);
            }
            assertThat(debug.asked).isEmpty();
        }
    }

    @Test
    void recording_endsAtItsGreatestSize_andSaysSo_andNothingElseEnds() throws Exception {
        try (Stage stage = stage("record: on", "1MiB")) {
            for (int n = 0; n < 20; n++) {
                assertThat(stage.post("/" + n, new byte[100_000]).statusCode()).isEqualTo(200);
            }
            JsonNode status = stage.awaitStatus(
                    "ended", s -> s.at("/recording/state").asText().equals("off"));
            assertThat(status.at("/recording/ended").asText()).isEqualTo("it has its greatest size, 1048576 bytes");
            assertThat(status.at("/recording/bytes").asLong()).isBetween(100_000L, 1L << 20);
            assertThat(status.at("/recording/lostBytes").asLong()).isPositive();
            assertThat(stage.controlText("/metrics").body()).contains("understudy_recording_on{listener=\"orders\"} 0");
            awaitAgreed(stage, 20);
            assertThat(stage.status().get("losses")).isEmpty();
            assertThat(turn(stage, "on").get("state").asText())
                    .as("another one")
                    .isEqualTo("on");
        }
    }

    @Tag("process")
    @Test
    void fullDisk_endsTheRecording_whichIsReadableUpToThere_andNothingElse() throws Exception {
        try (TinyDisk disk = TinyDisk.mount(folder.resolve("recordings"));
                Stage stage = stage("record: on", "64MiB");
                EventsTest.Follower events = EventsTest.follow(stage)) {
            for (int n = 0; n < 40; n++) {
                assertThat(stage.post("/" + n, new byte[100_000]).body()).isEqualTo("{\"n\":1}");
            }
            JsonNode status = stage.awaitStatus(
                    "ended", s -> s.at("/recording/state").asText().equals("off"));
            assertThat(status.at("/recording/ended").asText())
                    .isEqualTo("it can't be written: No space left on device");
            assertThat(status.at("/recording/lostBytes").asLong()).isPositive();
            JsonNode told =
                    events.until("recording", e -> e.get("state").asText().equals("off"));
            assertThat(told.get("ended").asText()).contains("No space left on device");

            Contents contents =
                    Contents.read(Path.of(status.at("/recording/file").asText()));
            assertThat(contents.torn()).isNull();
            assertThat(status.at("/recording/bytes").asLong()).isBetween(1_000_000L, 2L << 20);
            assertThat(contents.connections().stream()
                            .flatMap(summary -> summary.requests().stream())
                            .map(RequestLines.Line::target))
                    .contains("/0", "/5");

            awaitAgreed(stage, 40);
            assertThat(stage.status().get("losses")).isEmpty();
            assertThat(disk.folder).isNotEmptyDirectory();
        }
    }

    @Test
    void nextFile_missesNoRequest_andTheOneBeforeIsWhole() throws Exception {
        try (Stage stage = stage("tee: off", "64MiB");
                Socket client = stage.connect()) {
            List<Path> files = new ArrayList<>();
            List<String> asked = new ArrayList<>();
            for (int round = 0; round < 5; round++) {
                files.add(Path.of(turn(stage, "next").get("file").asText()));
                for (int n = 0; n < 4; n++) {
                    ask(client, "/" + round + n);
                    asked.add("/" + round + n);
                }
            }
            stopped(stage);
            List<String> recorded = new ArrayList<>();
            for (Path file : files) {
                Contents contents = Contents.read(file);
                assertThat(contents.torn()).isNull();
                contents.connections().stream()
                        .flatMap(summary -> summary.requests().stream())
                        .map(RequestLines.Line::target)
                        .forEach(recorded::add);
            }
            assertThat(recorded).isEqualTo(asked);
        }
    }

    @Test
    void recording_thatCantBeWritten_isRefused() throws Exception {
        try (Stage stage = Stage.open(production.address(), debug.address())) {
            assertThat(put(stage, "{\"mode\":\"on\"}").statusCode()).isEqualTo(409);
            assertThat(put(stage, "{\"mode\":\"on\"}").body()).contains("record.directory");
        }
        try (Stage stage = stage("", "1GiB")) {
            Files.delete(folder.resolve("recordings"));
            assertThat(put(stage, "{\"mode\":\"on\"}").statusCode()).isEqualTo(409);
            assertThat(put(stage, "{\"mode\":\"sideways\"}").body())
                    .contains("sideways (expected: one of on, next, off)");
            assertThat(stage.get("/a").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void preface_isPartOfTheRecording() throws Exception {
        try (PlainServer echo =
                PlainServer.open(socket -> socket.getInputStream().transferTo(socket.getOutputStream()))) {
            Path settings = Files.writeString(
                    folder.resolve("tcp.yaml"), """
                    listeners:
                      - name: orders
                        listen: 127.0.0.1:0
                        production: 127.0.0.1:%d
                        protocol: tcp
                        proxy-protocol: {mode: out, version: v1}
                        record: on
                    record: {directory: %s}
                    control: {listen: '127.0.0.1:0', anonymous: admin}
                    drain: 100ms
                    """.formatted(echo.address().getPort(), folder.resolve("recordings")));
            try (Stage stage = Stage.of(read(settings));
                    Socket client = stage.connect()) {
                client.getOutputStream().write(Stage.ascii("hello"));
                assertThat(client.getInputStream().readNBytes(10)).startsWith(Stage.ascii("PROXY TCP4"));
                assertThat(PlainServer.readUntil(client, "hello")).endsWith("\r\nhello");
                Path file = Path.of(stopped(stage).get("file").asText());
                assertThat(texts(file, StreamEvent.PREFACE))
                        .singleElement()
                        .asString()
                        .startsWith("PROXY TCP4 127.0.0.1");
                assertThat(texts(file, StreamEvent.REQUEST)).containsExactly("hello");
            }
        }
    }

    @Test
    void settings_wantADirectoryToRecordTo() throws Exception {
        Path settings = Files.writeString(folder.resolve("wrong.yaml"), """
                listeners: [{name: a, listen: 127.0.0.1:0, production: 127.0.0.1:1, record: on}]
                record: {max-size: 1KiB}
                """);
        assertThat(catchThrowable(() -> read(settings)))
                .hasMessageContaining("record: on (expected: off, as long as record.directory names none)")
                .hasMessageContaining("max-size: 1024 (expected: at least 1MiB)");
    }

    private Stage stage(String more, String size) throws IOException {
        Path settings = Files.writeString(folder.resolve("sidecar.yaml"), """
                listeners:
                  - {name: orders, listen: '127.0.0.1:0', production: '127.0.0.1:%d', debug: '127.0.0.1:%d', %s}
                record: {directory: %s, max-size: %s}
                control: {listen: '127.0.0.1:0', anonymous: admin}
                drain: 100ms
                """.formatted(
                production.address().getPort(), debug.address().getPort(), more, folder.resolve("recordings"), size));
        return Stage.of(read(settings));
    }

    private static SidecarConfig read(Path settings) {
        Problems problems = new Problems();
        return SidecarConfig.read(settings, new Overrides(Map.of(), List.of(), problems), problems);
    }

    private static List<String> texts(Path file, StreamEvent event) throws IOException {
        List<String> texts = new ArrayList<>();
        try (RecordingReader reader = RecordingReader.open(file)) {
            for (BlockReader block = reader.next(); block != null; block = reader.next()) {
                for (; block.hasRecord(); block.skip()) {
                    ByteBuf data = block.data();
                    if (block.event() == event) {
                        texts.add(data.toString(StandardCharsets.ISO_8859_1));
                    }
                    data.release();
                }
                block.release();
            }
        }
        return texts;
    }

    /** Replies of different seconds differ in their date, and are EQUIVALENT. */
    private static void awaitAgreed(Stage stage, int count) {
        JsonNode status = stage.awaitStatus(count + " verdicts", s -> Stage.total(s) == count);
        assertThat(status.at("/verdicts/SAME").asInt()
                        + status.at("/verdicts/EQUIVALENT").asInt())
                .isEqualTo(count);
    }

    private static JsonNode turn(Stage stage, String mode) throws Exception {
        assertThat(put(stage, "{\"mode\":\"" + mode + "\"}").statusCode()).isEqualTo(200);
        return stage.control("/v1/listeners/orders/recording");
    }

    private static JsonNode stopped(Stage stage) throws Exception {
        turn(stage, "off");
        await().until(() -> stage.control("/v1/listeners/orders/recording")
                .get("state")
                .asText()
                .equals("off"));
        return stage.control("/v1/listeners/orders/recording");
    }

    private static HttpResponse<String> put(Stage stage, String json) throws Exception {
        return stage.client.send(
                HttpRequest.newBuilder(stage.controlUri("/v1/listeners/orders/recording"))
                        .header("Content-Type", "application/json")
                        .PUT(HttpRequest.BodyPublishers.ofString(json))
                        .build(),
                BodyHandlers.ofString());
    }

    private static void ask(Socket client, String target) throws IOException {
        client.getOutputStream().write(Stage.ascii("GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n"));
        StringBuilder reply = new StringBuilder();
        while (reply.indexOf("{\"n\":1}") < 0) {
            int next = client.getInputStream().read();
            assertThat(next).as("reply to " + target + " so far: " + reply).isNotNegative();
            reply.append((char) next);
        }
    }
}
