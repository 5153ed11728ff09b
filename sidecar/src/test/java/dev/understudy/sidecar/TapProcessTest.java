package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.relay.ring.ControlBlock;
import dev.understudy.relay.tap.Direction;
import dev.understudy.sidecar.command.Main;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.understudy.sidecar.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

/** Two processes, and what becomes of production when the one of them that it doesn't need is stopped or dies. */
@Tag("process")
final class TapProcessTest {
    @TempDir
    Path folder;

    @Test
    void laneProcess_comparesWhatTheTapProcessRelays_andBothEndTogether() throws Exception {
        try (SplitStage stage = open()) {
            try (Socket client = stage.connect()) {
                for (int n = 0; n < 10; n++) {
                    ask(client);
                }
                awaitSame(stage, 10);
            }
            assertThat(stage.text("/metrics"))
                    .containsPattern("understudy_tap_memory_bytes [1-9]\\d*\\.\\d+E[78]\n")
                    .containsPattern("understudy_tap_descriptors [1-9]\\d*\\.0\n");
            JsonNode status = stage.status();
            assertThat(status.at("/connections/opened").asInt()).isEqualTo(1);
            assertThat(status.at("/production/0/up").asBoolean()).isTrue();
            assertThat(status.at("/address").asText()).isEqualTo(stage.sidecar.address("shop"));
            ProcessHandle lanes = stage.lanes().orElseThrow();
            stage.sidecar.terminate();
            stage.sidecar.process.onExit().join();
            assertThat(stage.sidecar.process.exitValue())
                    .as(stage.sidecar.log())
                    .isZero();
            lanes.onExit().join();
            assertThat(stage.sidecar.lastLines()).containsExactly("shop: faithful: 10 of 10 exchanges");
            try (Stream<Path> left = Files.list(stage.rings())) {
                assertThat(left).isEmpty();
            }
        }
    }

    @Test
    void teeThatIsOff_takesNothingToTheRings_andIsOnAgainAtTheNextRequest() throws Exception {
        try (SplitStage stage = open();
                Socket client = stage.connect()) {
            ask(client);
            awaitSame(stage, 1);
            turn(stage, "off");
            assertThat(stage.control().wanted(0)).isEqualTo(ControlBlock.OFF);
            ask(client);
            turn(stage, "on");
            ask(client);
            awaitSame(stage, 2);
            assertThat(stage.status().at("/exchanges/production").asInt()).isEqualTo(2);
        }
    }

    @Test
    void healthPort_isKeptFromNobodyByACrowd() throws Exception {
        try (SplitStage stage = open();
                Socket client = stage.connect()) {
            assertThat(health(stage)).startsWith("HTTP/1.1 200 OK").endsWith("ok\n");
            List<Socket> crowd = new ArrayList<>();
            for (int n = 0; n < 100; n++) {
                crowd.add(new Socket(InetAddress.getLoopbackAddress(), stage.sidecar.port("health")));
            }
            ask(client);
            assertThat(health(stage)).startsWith("HTTP/1.1 200 OK");
            for (Socket one : crowd) {
                one.close();
            }
        }
    }

    @Test
    void tapCommand_readsWhatIsCounted_alsoWhenBothProcessesAreDead() throws Exception {
        try (SplitStage stage = open();
                Socket client = stage.connect()) {
            ask(client);
            long lanes = stage.signalLanes("STOP");
            ask(client);
            await("both requests").until(() -> stage.published().bytes(Direction.REPLY) == 80);
            assertThat(tapCommand(stage))
                    .contains("connections 1 (1 open)  bytes in 60 out 80  tap on")
                    .doesNotContain("dead");
            stage.sidecar.process.destroyForcibly().onExit().join();
            SplitStage.signal("CONT", lanes);
            assertThat(tapCommand(stage)).contains("(its process is dead)").contains("bytes in 60 out 80");
        }
    }

    @Test
    void laneProcess_thatIsKilled_isNoticedByNobody_andStartedAgain() throws Exception {
        try (SplitStage stage = open();
                Socket client = stage.connect()) {
            ask(client);
            awaitSame(stage, 1);
            long first = stage.signalLanes("KILL");
            for (int n = 0; n < 100; n++) {
                ask(client);
            }
            awaitOther(stage, first);
            await("verdicts again").ignoreExceptions().until(() -> {
                ask(client);
                return same(stage) > 0;
            });
            assertThat(stage.sidecar.log()).contains("the lane process ended with exit code 137; production goes on");
        }
    }

    @Test
    void teeThatIsOff_staysOff_whenTheLaneProcessIsKilled() throws Exception {
        try (SplitStage stage = open();
                Socket client = stage.connect()) {
            ask(client);
            awaitSame(stage, 1);
            turn(stage, "off");
            awaitOther(stage, stage.signalLanes("KILL"));
            await("status")
                    .ignoreExceptions()
                    .until(() -> stage.status().at("/tee").asText().equals("off"));
            ask(client);
            assertThat(stage.control().wanted(0)).isEqualTo(ControlBlock.OFF);
        }
    }

    @Test
    void settingsOfAnotherListener_keepALaneProcessFromStarting_untilTheyAreBack() throws Exception {
        try (SplitStage stage = open();
                Socket client = stage.connect()) {
            Path settings = folder.resolve("sidecar.yaml");
            String before = Files.readString(settings);
            Files.writeString(settings, before.replace("name: shop", "name: stock"));
            stage.signalLanes("KILL");
            String refusal = "the settings were changed since the start: listener stock";
            await("the refusal").until(() -> stage.sidecar.log().contains(refusal));
            ask(client);
            Files.writeString(settings, before);
            await("verdicts").ignoreExceptions().until(() -> {
                ask(client);
                return same(stage) > 0;
            });
        }
    }

    @Test
    void requestsAroundAKill_areToldToTheByte_andNothingIsCalledFaithful() throws Exception {
        try (SplitStage stage = open();
                Socket client = stage.connect()) {
            ask(client);
            awaitSame(stage, 1);
            assertThat(stage.status().at("/fidelity").asText()).isEqualTo("faithful: 1 of 1 exchanges");
            long lanes = stage.signalLanes("STOP");
            for (int n = 0; n < 50; n++) {
                ask(client);
            }
            SplitStage.signal("KILL", lanes);
            awaitOther(stage, lanes);
            await("what was lost")
                    .ignoreExceptions()
                    .until(() -> stage.status().at("/tap/unknownBytes").asLong() == 3500);
            JsonNode status = stage.status();
            assertThat(status.at("/fidelity").asText())
                    .isEqualTo("not faithful: the lane process was started again 1 time;"
                            + " 3 500 bytes of connections that it hadn't seen begin; since then 0 of 0 exchanges");
            assertThat(status.at("/tap/restarts").asInt()).isEqualTo(1);
            assertThat(status.at("/tap/requestBytesBefore").asInt()).isEqualTo(51 * 30);
            assertThat(stage.get("/v1/report").at("/copies/0/faithful").asBoolean(true))
                    .isFalse();
            assertThat(stage.get("/v1/fidelity")
                            .at("/listeners/0/tap/unknownBytes")
                            .asInt())
                    .isEqualTo(3500);
            assertThat(stage.text("/metrics"))
                    .contains("understudy_tap_restarts_total 1.0")
                    .contains("understudy_tap_unknown_bytes_total{listener=\"shop\"} 3500.0");
            await("the event").until(() -> stage.text("/v1/timeline").contains("\"restarts\":1"));
            assertThat(tapCommand(stage)).contains("child processes 2").contains("unknown 3500");
        }
    }

    private static void awaitOther(SplitStage stage, long killed) {
        await("another lane process")
                .until(() ->
                        stage.lanes().filter(lanes -> lanes.pid() != killed).isPresent());
    }

    @Test
    void laneProcess_thatIsStopped_losesWhatTheRingsHaveNoRoomFor_andProductionNothing() throws Exception {
        try (SplitStage stage = open();
                Socket client = stage.connect()) {
            ask(client);
            awaitSame(stage, 1);
            long lanes = stage.signalLanes("STOP");
            for (int n = 0; n < 3000; n++) {
                ask(client);
            }
            SplitStage.signal("CONT", lanes);
            await("the loss")
                    .until(() ->
                            stage.status().at("/losses/OVERFLOW_RING/events").asInt() > 0);
            int before = same(stage);
            await("verdicts again").until(() -> {
                ask(client);
                return same(stage) > before;
            });
        }
    }

    @Test
    void twoProcesses_areTheDefault_andShareNoPortOfTheirJvms() throws Exception {
        Path settings = Files.writeString(folder.resolve("sidecar.yaml"), """
                listeners: [{name: shop, listen: '127.0.0.1:0', production: '127.0.0.1:1', debug: '127.0.0.1:2'}]
                control: {listen: '127.0.0.1:0', anonymous: admin}
                """);
        String options =
                "-XX:+UseSerialGC -agentlib:jdwp=transport=dt_socket,server=y,suspend=n,quiet=y,address=" + freePort();
        try (SidecarProgram sidecar =
                SidecarProgram.start(settings, program -> program.environment().put("JDK_JAVA_OPTIONS", options))) {
            ProcessHandle lanes =
                    sidecar.process.toHandle().children().findFirst().orElseThrow();
            assertThat(Path.of("/proc", Long.toString(lanes.pid()), "oom_score_adj"))
                    .hasContent("1000");
            assertThat(Path.of("/proc", Long.toString(sidecar.process.pid()), "oom_score_adj"))
                    .content()
                    .isNotEqualTo("1000\n");
        }
    }

    @Test
    void tapProcess_thatIsKilled_takesTheLaneProcessWithIt() throws Exception {
        try (SplitStage stage = open()) {
            ProcessHandle lanes = stage.lanes().orElseThrow();
            stage.sidecar.process.destroyForcibly().onExit().join();
            lanes.onExit().join();
        }
    }

    @Test
    void tapProcess_thatIsKilled_takesTheLaneProcessWithItAtOnce_whateverStillWaits() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        try (PlainServer production = PlainServer.open(TapProcessTest::answer);
                PlainServer debug = PlainServer.open(socket -> over.await())) {
            Path settings = Files.writeString(folder.resolve("sidecar.yaml"), """
                    listeners: [{name: shop, listen: '127.0.0.1:0', production: '127.0.0.1:%d', debug: '127.0.0.1:%d'}]
                    control: {listen: '127.0.0.1:0', anonymous: admin}
                    tap: {directory: '%s'}
                    drain: 10m
                    """.formatted(
                            production.address().getPort(), debug.address().getPort(), folder.resolve("tap")));
            try (SidecarProgram sidecar = SidecarProgram.start(settings);
                    Socket client = new Socket(InetAddress.getLoopbackAddress(), sidecar.port("shop"))) {
                ask(client);
                ProcessHandle lanes =
                        sidecar.process.toHandle().children().findFirst().orElseThrow();
                sidecar.process.destroyForcibly().onExit().join();
                lanes.onExit().get(60, TimeUnit.SECONDS);
            } finally {
                over.countDown();
            }
        }
    }

    @Test
    void laneProcess_takesNoNoticeOfATerminalsSignals() throws Exception {
        try (SplitStage stage = open();
                Socket client = stage.connect()) {
            ask(client);
            awaitSame(stage, 1);
            for (String name : List.of("HUP", "INT", "TERM")) {
                stage.signalLanes(name);
            }
            ask(client);
            awaitSame(stage, 2);
        }
    }

    @Test
    void directoryThatCannotBeWritten_isNamed_withTheWayOut() throws Exception {
        Path settings = Files.writeString(folder.resolve("sidecar.yaml"), """
                listeners: [{name: shop, listen: '127.0.0.1:0', production: '127.0.0.1:1', debug: '127.0.0.1:2'}]
                control: {listen: '127.0.0.1:0', anonymous: admin}
                tap: {directory: /proc/nope}
                """);
        Process sidecar = SidecarProgram.program(settings, List.of("-Xmx64m"))
                .redirectErrorStream(true)
                .start();
        assertThat(new String(sidecar.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .startsWith("understudy sidecar: tap.directory /proc/nope: can't be written")
                .contains("tap.carrier: inline");
        assertThat(sidecar.waitFor()).isEqualTo(2);
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            return free.getLocalPort();
        }
    }

    private SplitStage open() throws IOException {
        return SplitStage.open(folder, TapProcessTest::answer, "64KiB");
    }

    private static void answer(Socket socket) throws IOException {
        while (PlainServer.readUntil(socket, "\r\n\r\n").endsWith("\r\n\r\n")) {
            PlainServer.write(socket, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
        }
    }

    private static void ask(Socket client) throws IOException {
        PlainServer.write(client, "GET / HTTP/1.1\r\nHost: shop\r\n\r\n");
        assertThat(PlainServer.readUntil(client, "{}")).endsWith("Content-Length: 2\r\n\r\n{}");
    }

    private static void awaitSame(SplitStage stage, int count) {
        await(count + " verdicts").until(() -> same(stage) == count);
    }

    private static int same(SplitStage stage) throws IOException {
        return stage.status().at("/verdicts/SAME").asInt();
    }

    private static void turn(SplitStage stage, String mode) throws IOException, InterruptedException {
        URI tee = URI.create("http://" + stage.sidecar.address("control") + "/v1/listeners/shop/tee");
        HttpRequest turn = HttpRequest.newBuilder(tee)
                .header("Content-Type", "application/json")
                .PUT(HttpRequest.BodyPublishers.ofString("{\"mode\": \"" + mode + "\"}"))
                .build();
        assertThat(HttpClient.newHttpClient()
                        .send(turn, BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(200);
    }

    private static String health(SplitStage stage) throws IOException {
        try (Socket caller = new Socket(InetAddress.getLoopbackAddress(), stage.sidecar.port("health"))) {
            caller.setSoTimeout(10_000);
            PlainServer.write(caller, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
            return new String(caller.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    private static String tapCommand(SplitStage stage) throws IOException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "tap",
                "--directory",
                stage.rings().toString());
        Process program = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        return new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
