package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.relay.ring.ControlBlock;
import dev.understudy.relay.ring.PublishedRelay;
import dev.understudy.relay.tap.Direction;
import dev.understudy.sidecar.command.Main;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.understudy.sidecar.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A sidecar in two processes, and what becomes of production when the one of them that it doesn't need is stopped or
 * dies.
 */
@Tag("process")
final class TapProcessTest {
    @TempDir
    Path folder;

    @Test
    void laneProcess_comparesWhatTheTapProcessRelays_andBothEndTogether() throws Exception {
        try (PlainServer production = PlainServer.open(TapProcessTest::answer);
                PlainServer debug = PlainServer.open(TapProcessTest::answer);
                SidecarProgram sidecar = SidecarProgram.start(settings(production, debug))) {
            try (Socket client = connect(sidecar)) {
                for (int n = 0; n < 10; n++) {
                    ask(client);
                }
                awaitStatus(sidecar, "/verdicts/SAME", 10);
            }
            JsonNode status = status(sidecar);
            assertThat(status.at("/connections/opened").asInt()).isEqualTo(1);
            assertThat(status.at("/production/0/up").asBoolean()).isTrue();
            assertThat(status.at("/address").asText()).isEqualTo(sidecar.address("shop"));
            ProcessHandle lanes = lanes(sidecar).orElseThrow();
            sidecar.terminate();
            sidecar.process.onExit().join();
            assertThat(sidecar.process.exitValue()).as(sidecar.log()).isZero();
            lanes.onExit().join();
            try (Stream<Path> left = Files.list(folder.resolve("tap"))) {
                assertThat(left).isEmpty();
            }
        }
    }

    @Test
    void healthPort_answersAlsoWithoutALaneProcess_andCrowdsStarveNobody() throws Exception {
        try (PlainServer production = PlainServer.open(TapProcessTest::answer);
                PlainServer debug = PlainServer.open(TapProcessTest::answer);
                SidecarProgram sidecar = SidecarProgram.start(settings(production, debug));
                Socket client = connect(sidecar)) {
            assertThat(health(sidecar)).startsWith("HTTP/1.1 200 OK").endsWith("ok\n");
            List<Socket> crowd = new ArrayList<>();
            for (int n = 0; n < 100; n++) {
                crowd.add(new Socket(InetAddress.getLoopbackAddress(), sidecar.port("health")));
            }
            ask(client);
            assertThat(health(sidecar)).startsWith("HTTP/1.1 200 OK");
            for (Socket one : crowd) {
                one.close();
            }
        }
    }

    @Test
    void tapCommand_readsWhatIsCounted_alsoWhenTheLaneProcessIsDead() throws Exception {
        try (PlainServer production = PlainServer.open(TapProcessTest::answer);
                PlainServer debug = PlainServer.open(TapProcessTest::answer);
                SidecarProgram sidecar = SidecarProgram.start(settings(production, debug));
                Socket client = connect(sidecar)) {
            ask(client);
            long lanes = lanes(sidecar).orElseThrow().pid();
            signal("STOP", lanes);
            ask(client);
            await("both requests").until(() -> published().bytes(Direction.REPLY) == 80);
            assertThat(tapCommand())
                    .contains("connections 1 (1 open)  bytes in 60 out 80  tap on")
                    .doesNotContain("dead");
            sidecar.process.destroyForcibly().onExit().join();
            signal("CONT", lanes);
        }
        assertThat(tapCommand()).contains("(its process is dead)").contains("bytes in 60 out 80");
    }

    /** What the tap process says of itself in its control block. */
    private PublishedRelay published() throws IOException {
        try (Stream<Path> taps = Files.list(folder.resolve("tap"))) {
            return new PublishedRelay(
                    ControlBlock.open(taps.findFirst().orElseThrow().resolve("control")), 0);
        }
    }

    private String tapCommand() throws Exception {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "tap",
                "--directory",
                folder.resolve("tap").toString());
        Process program = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        return new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    private static String health(SidecarProgram sidecar) throws IOException {
        try (Socket caller = new Socket(InetAddress.getLoopbackAddress(), sidecar.port("health"))) {
            caller.setSoTimeout(10_000);
            PlainServer.write(caller, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
            return new String(caller.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    @Test
    void laneProcess_thatIsKilled_isNoticedByNobody_andStartedAgain() throws Exception {
        try (PlainServer production = PlainServer.open(TapProcessTest::answer);
                PlainServer debug = PlainServer.open(TapProcessTest::answer);
                SidecarProgram sidecar = SidecarProgram.start(settings(production, debug));
                Socket client = connect(sidecar)) {
            ask(client);
            awaitStatus(sidecar, "/verdicts/SAME", 1);
            ProcessHandle first = lanes(sidecar).orElseThrow();
            first.destroyForcibly();
            first.onExit().join();
            for (int n = 0; n < 100; n++) {
                ask(client);
            }
            await("another lane process")
                    .until(() -> lanes(sidecar)
                            .filter(lanes -> lanes.pid() != first.pid())
                            .isPresent());
            await("verdicts again").ignoreExceptions().until(() -> {
                ask(client);
                return status(sidecar).at("/verdicts/SAME").asInt() > 0;
            });
            assertThat(sidecar.log()).contains("the lane process ended with exit code 137; production goes on");
        }
    }

    @Test
    void laneProcess_thatIsStopped_losesWhatTheRingsHaveNoRoomFor_andProductionNothing() throws Exception {
        try (PlainServer production = PlainServer.open(TapProcessTest::answer);
                PlainServer debug = PlainServer.open(TapProcessTest::answer);
                SidecarProgram sidecar = SidecarProgram.start(settings(production, debug));
                Socket client = connect(sidecar)) {
            ask(client);
            awaitStatus(sidecar, "/verdicts/SAME", 1);
            long lanes = lanes(sidecar).orElseThrow().pid();
            signal("STOP", lanes);
            for (int n = 0; n < 3000; n++) {
                ask(client);
            }
            signal("CONT", lanes);
            await("the loss")
                    .until(() ->
                            status(sidecar).at("/losses/OVERFLOW_RING/events").asInt() > 0);
            int before = status(sidecar).at("/verdicts/SAME").asInt();
            await("verdicts again").until(() -> {
                ask(client);
                return status(sidecar).at("/verdicts/SAME").asInt() > before;
            });
        }
    }

    @Test
    void tapProcess_thatIsKilled_takesTheLaneProcessWithIt() throws Exception {
        try (PlainServer production = PlainServer.open(TapProcessTest::answer);
                PlainServer debug = PlainServer.open(TapProcessTest::answer);
                SidecarProgram sidecar = SidecarProgram.start(settings(production, debug))) {
            ProcessHandle lanes = lanes(sidecar).orElseThrow();
            sidecar.process.destroyForcibly().onExit().join();
            lanes.onExit().join();
        }
    }

    private Path settings(PlainServer production, PlainServer debug) throws IOException {
        return Files.writeString(
                folder.resolve("sidecar.yaml"),
                "listeners: [{name: shop, listen: '127.0.0.1:0', protocol: http, production: '127.0.0.1:"
                        + production.address().getPort() + "', debug: '127.0.0.1:"
                        + debug.address().getPort() + "'}]\n"
                        + "tap: {carrier: ring, ring: 64KiB, directory: '" + folder.resolve("tap")
                        + "', health: '127.0.0.1:0', lane-nice: 0, lane-java-options: '-Xmx128m -XX:TieredStopAtLevel=1'}\n"
                        + "window: {overflow: shed}\n"
                        + "control: {listen: '127.0.0.1:0'}\ndrain: 2s\n");
    }

    private static void signal(String name, long pid) throws IOException, InterruptedException {
        List<String> command = List.of("kill", "-" + name, Long.toString(pid));
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }

    private static Optional<ProcessHandle> lanes(SidecarProgram sidecar) {
        return sidecar.process.toHandle().children().findFirst();
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

    private static Socket connect(SidecarProgram sidecar) throws IOException {
        Socket client = new Socket(InetAddress.getLoopbackAddress(), sidecar.port("shop"));
        client.setSoTimeout(10_000);
        return client;
    }

    private static void awaitStatus(SidecarProgram sidecar, String what, int count) {
        await(what).until(() -> status(sidecar).at(what).asInt() == count);
    }

    private static JsonNode status(SidecarProgram sidecar) throws IOException {
        URI status = URI.create("http://" + sidecar.address("control") + "/v1/status");
        return new ObjectMapper().readTree(status.toURL().openStream()).at("/listeners/0");
    }
}
