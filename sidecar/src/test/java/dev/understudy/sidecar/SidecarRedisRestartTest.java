package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.relay.lane.LossReason;
import dev.understudy.sidecar.config.ListenerConfig;
import dev.understudy.sidecar.config.WindowConfig;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static dev.understudy.sidecar.RedisService.command;
import static org.assertj.core.api.Assertions.assertThat;

/** Redis connections that go on while their debug copy ends: its session is set up again. */
@Tag("process")
final class SidecarRedisRestartTest {
    private static final String OK = "+OK\r\n";

    @Test
    void debugRedis_thatIsKilledAndStartedAgain_isToldTheSessionFirst() throws Exception {
        String[] login = {"--requirepass", "hunter2"};
        try (RedisProgram production = RedisProgram.open(login);
                RedisProgram debug = RedisProgram.open(login);
                Stage stage = open(production, debug);
                Socket plain = stage.connect();
                Socket modern = stage.connect()) {
            ask(plain, command("AUTH", "hunter2"), OK);
            ask(plain, command("SELECT", "3"), OK);
            ask(plain, command("SET", "before", "1"), OK);
            PlainServer.write(modern, command("HELLO", "3", "AUTH", "default", "hunter2", "SETNAME", "shop"));
            PlainServer.readUntil(modern, "modules\r\n*0\r\n");
            ask(modern, command("SELECT", "5"), OK);
            ask(modern, command("HSET", "h", "f", "v"), ":1\r\n");
            stage.awaitStatus("six verdicts", s -> Stage.total(s) == 6);

            debug.kill();
            stage.awaitStatus("it is gone", s -> s.at("/lanes/connected").asInt() == 0);
            ask(plain, command("SET", "meanwhile", "2"), OK);
            debug.startAgain();
            ask(plain, command("SET", "after", "3"), OK);
            ask(plain, command("GET", "after"), "$1\r\n3\r\n");
            // before that, the debug side's back-off may keep a connection from being copied again
            stage.awaitStatus("nine verdicts", s -> Stage.total(s) == 9);
            ask(modern, command("HSET", "h2", "f", "v"), ":1\r\n");
            ask(modern, command("HGETALL", "h2"), "%1\r\n$1\r\nf\r\n$1\r\nv\r\n");

            JsonNode status = stage.awaitStatus("all verdicts", s -> Stage.total(s) == 11);
            // HELLO tells the connection's number, which may differ
            int same = status.at("/verdicts/SAME").asInt();
            assertThat(same + status.at("/verdicts/EQUIVALENT").asInt())
                    .as(said(stage))
                    .isEqualTo(11);
            assertThat(same).isGreaterThanOrEqualTo(10);
            assertThat(status.at("/verdicts/NOT_COMPARED").asInt()).isZero();
            assertThat(status.get("losses")).isEmpty();
            assertThat(status.get("rejoinedConnections").asInt()).isEqualTo(2);
            assertThat(status.get("fidelity").asText()).isEqualTo("faithful: 11 of 11 exchanges");
            assertThat(debug.says("AUTH hunter2", "SELECT 3", "MGET before meanwhile after"))
                    .endsWith("*3\r\n$-1\r\n$1\r\n2\r\n$1\r\n3\r\n");
            assertThat(debug.says("AUTH hunter2", "SELECT 5", "KEYS *")).endsWith("*1\r\n$2\r\nh2\r\n");
            assertThat(debug.says("AUTH hunter2", "SELECT 0", "DBSIZE")).endsWith(":0\r\n");
            assertThat(debug.says("AUTH hunter2", "CLIENT LIST")).contains("name=shop");
            assertThat(said(stage)).doesNotContain("hunter2");
        }
    }

    @Test
    void connection_withinATransaction_isCopiedAgainAfterIt() throws Exception {
        try (RedisProgram production = RedisProgram.open();
                RedisProgram debug = RedisProgram.open();
                Stage stage = open(production, debug);
                Socket client = stage.connect()) {
            ask(client, command("SELECT", "3"), OK);
            ask(client, command("WATCH", "k"), OK);
            ask(client, command("MULTI"), OK);
            stage.awaitStatus("three verdicts", s -> Stage.total(s) == 3);
            debug.kill();
            stage.awaitStatus("it is gone", s -> s.at("/lanes/connected").asInt() == 0);
            debug.startAgain();
            ask(client, command("SET", "torn", "1"), "+QUEUED\r\n");
            ask(client, command("EXEC"), "*1\r\n+OK\r\n");
            ask(client, command("SET", "whole", "2"), OK);

            JsonNode status = stage.awaitStatus("six verdicts", s -> Stage.total(s) == 6);
            assertThat(status.at("/verdicts/SAME").asInt()).as(said(stage)).isEqualTo(4);
            assertThat(status.at("/notCompared/DEBUG_CLOSED").asInt())
                    .as(said(stage))
                    .isEqualTo(2);
            int lost = command("SET", "torn", "1").length() + command("EXEC").length();
            assertThat(status.at("/losses/DEBUG_RESET/bytes").asInt()
                            + status.at("/losses/DEBUG_CLOSED/bytes").asInt())
                    .as(status.toPrettyString())
                    .isEqualTo(lost);
            assertThat(debug.says("SELECT 3", "KEYS *")).endsWith("*1\r\n$5\r\nwhole\r\n");
        }
    }

    @Test
    void debugRedis_thatRefusesTheSession_endsTheCopyByName() throws Exception {
        try (RedisProgram production = RedisProgram.open();
                RedisProgram debug = RedisProgram.open();
                Stage stage = open(production, debug);
                Socket client = stage.connect()) {
            ask(client, command("SELECT", "3"), OK);
            stage.awaitVerdicts("SAME", 1);
            debug.says("CONFIG SET requirepass another");
            assertThat(debug.says("AUTH another", "CLIENT KILL TYPE normal")).contains(":1\r\n");
            stage.awaitStatus("it is gone", s -> s.at("/lanes/connected").asInt() == 0);
            ask(client, command("SET", "k", "1"), OK);
            stage.awaitStatus("two verdicts", s -> Stage.total(s) == 2);
            ask(client, command("SET", "k", "2"), OK);

            JsonNode status = stage.awaitStatus("three verdicts", s -> Stage.total(s) == 3);
            int lost = 2 * command("SET", "k", "1").length();
            assertThat(status.at("/notCompared/NOT_JOINED").asInt())
                    .as(said(stage))
                    .isEqualTo(2);
            assertThat(status.at("/losses/" + LossReason.SESSION_REFUSED + "/bytes")
                            .asInt())
                    .isEqualTo(lost);
            assertThat(status.get("unjoinedConnections").asInt()).isEqualTo(1);
        }
    }

    @Test
    void debugRedis_thatHadRefusedTheLoginBefore_goesOnWithoutIt() throws Exception {
        try (RedisProgram production = RedisProgram.open("--requirepass", "hunter2");
                RedisProgram debug = RedisProgram.open();
                Stage stage = open(production, debug);
                Socket client = stage.connect()) {
            ask(client, command("AUTH", "hunter2"), OK);
            ask(client, command("SELECT", "3"), OK);
            stage.awaitStatus("two verdicts", s -> Stage.total(s) == 2);
            debug.kill();
            stage.awaitStatus("it is gone", s -> s.at("/lanes/connected").asInt() == 0);
            debug.startAgain();
            ask(client, command("SET", "k", "1"), OK);

            JsonNode status = stage.awaitStatus("three verdicts", s -> Stage.total(s) == 3);
            assertThat(status.at("/verdicts/SAME").asInt()).as(said(stage)).isEqualTo(2);
            assertThat(debug.says("SELECT 3", "GET k")).endsWith("$1\r\n1\r\n");
        }
    }

    @Test
    void debugServer_thatNeverAnswersTheOpening_isGivenUp() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        RedisService production = RedisService.agreeing();
        WindowConfig impatient = new WindowConfig(
                16L << 20, 64L << 20, Duration.ofMillis(300), Duration.ofMillis(300), Duration.ofSeconds(60));
        AtomicBoolean begun = new AtomicBoolean();
        try (PlainServer productionServer = PlainServer.open(production::serve);
                PlainServer debugServer = PlainServer.open(socket -> {
                    if (begun.getAndSet(true)) {
                        over.await();
                    }
                    PlainServer.readUntil(socket, command("SELECT", "3"));
                    PlainServer.write(socket, OK);
                });
                Stage stage = Stage.open(
                        productionServer.address(),
                        debugServer.address(),
                        impatient,
                        ListenerConfig.Framing.REDIS,
                        "");
                Socket client = stage.connect()) {
            ask(client, command("SELECT", "3"), OK);
            stage.awaitStatus(
                    "it is gone",
                    s -> Stage.total(s) == 1 && s.at("/lanes/connected").asInt() == 0);
            ask(client, command("GET", "k"), OK);

            stage.awaitStatus("given up", s -> s.at("/notCompared/TIMED_OUT").asInt() == 1);
            assertThat(stage.status().at("/losses/DEBUG_STALLED/bytes").asInt())
                    .isEqualTo(command("GET", "k").length());
            over.countDown();
        }
    }

    private static Stage open(RedisProgram production, RedisProgram debug) throws IOException {
        return Stage.open(production.address(), debug.address(), Stage.WINDOW, ListenerConfig.Framing.REDIS, "");
    }

    private static void ask(Socket client, String command, String reply) throws IOException {
        PlainServer.write(client, command);
        byte[] read = client.getInputStream().readNBytes(reply.length());
        assertThat(new String(read, StandardCharsets.ISO_8859_1)).isEqualTo(reply);
    }

    private static String said(Stage stage) {
        return stage.status().toPrettyString() + stage.verdicts("");
    }
}
