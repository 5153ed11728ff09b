package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.sidecar.config.WindowConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Peers that are slow, endless, or gone at the wrong moment: every byte of the others is right, and the verdicts are
 * honest.
 */
@Tag("slow")
final class SidecarPeersTest {
    private static final int REQUESTS = 40;
    private static final int LONGEST = 60_000;
    private static final long MUCH = 256L << 20;
    private static final int BEYOND_SOCKETS = 40_000_000;

    @Test
    void debug_thatIsBlackHoled_isUnreachable() throws Exception {
        List<Socket> queue = new ArrayList<>();
        try (ServerSocket hole = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                PlainServer production = PlainServer.open(HashingService::serve)) {
            InetSocketAddress address = (InetSocketAddress) hole.getLocalSocketAddress();
            fill(address, queue);
            try (Stage stage = Stage.open(production.address(), address, waiting(Duration.ofMillis(300)));
                    Socket client = stage.connect()) {
                askOften(client, 1);
                stage.awaitNotCompared("DEBUG_UNREACHABLE", REQUESTS);
                assertThat(stage.status().at("/losses/DEBUG_UNREACHABLE/bytes").asLong())
                        .isEqualTo(stage.status().at("/bytes/request").asLong());
            }
        } finally {
            for (Socket waiting : queue) {
                waiting.close();
            }
        }
    }

    /** Connects until nobody is answered any more: the kernel's queue is full, and nobody accepts. */
    private static void fill(InetSocketAddress address, List<Socket> queue) throws IOException {
        try {
            while (queue.size() < 50) {
                Socket socket = new Socket();
                queue.add(socket);
                socket.connect(address, 300);
            }
            throw new AssertionError("50 connections were queued (expected: fewer)");
        } catch (SocketTimeoutException full) {
            assertThat(queue).isNotEmpty();
        }
    }

    @Test
    void debug_thatReadsAByteASecond_slowsNobody() throws Exception {
        CompletableFuture<Void> over = new CompletableFuture<>();
        try (PlainServer production = PlainServer.open(HashingService::serve);
                PlainServer debug = PlainServer.open(socket -> {
                    socket.setReceiveBufferSize(4096);
                    while (socket.getInputStream().read() >= 0 && !ended(over)) {
                        // one a second
                    }
                });
                Stage stage = Stage.open(production.address(), debug.address(), waiting(Duration.ofSeconds(60)));
                Socket client = stage.connect()) {
            long begun = System.nanoTime();
            askOften(client, 2);
            byte[] large = new byte[BEYOND_SOCKETS];
            assertThat(stage.post("/hash", large).statusCode()).isEqualTo(200);
            assertThat(System.nanoTime() - begun)
                    .as("nanoseconds; debug took less than a byte in each second of them")
                    .isLessThan(Duration.ofSeconds(60).toNanos());
            JsonNode status = stage.awaitStatus(
                    "the overflow", s -> s.at("/losses/OVERFLOW_LANE/events").asInt() > 0);
            assertThat(status.at("/verdicts/SAME").asInt())
                    .as(status.toPrettyString())
                    .isZero();
            assertThat(status.at("/fidelity").asText()).startsWith("faithful up to exchange ");
            over.complete(null);
        }
    }

    @Test
    void debug_thatStands_hasFewRequestsFramedForIt() throws Exception {
        CompletableFuture<Void> over = new CompletableFuture<>();
        try (PlainServer production = PlainServer.open(HashingService::serve);
                PlainServer debug = PlainServer.open(socket -> over.join());
                Stage stage = Stage.open(production.address(), debug.address());
                Socket client = stage.connect()) {
            askOften(client, 3);
            try {
                long sent = stage.status().at("/bytes/request").asLong();
                stage.awaitStatus(
                        "the window to hold what was sent",
                        s -> stage.control("/v1/status")
                                        .at("/window/occupancyBytes")
                                        .asLong()
                                >= sent);
                JsonNode fidelity = stage.control("/v1/fidelity").at("/listeners/0");
                assertThat(fidelity.get("arrived").asInt())
                        .as(fidelity.toPrettyString())
                        .isBetween(1, REQUESTS / 2);
            } finally {
                over.complete(null);
            }
        }
    }

    private static boolean ended(CompletableFuture<Void> over) throws Exception {
        try {
            over.get(1, TimeUnit.SECONDS);
            return true;
        } catch (TimeoutException notYet) {
            return false;
        }
    }

    @Test
    void debug_thatSendsFarMoreThanFits_isReadAndKeptNowhere() throws Exception {
        CompletableFuture<Long> sent = new CompletableFuture<>();
        try (PlainServer production = PlainServer.open(HashingService::serve);
                PlainServer debug = PlainServer.open(socket -> {
                    HashingService.head(socket);
                    PlainServer.write(socket, "HTTP/1.1 200 OK\r\nContent-Length: " + MUCH + "\r\n\r\n");
                    byte[] piece = new byte[1 << 20];
                    for (long n = 0; n < MUCH; n += piece.length) {
                        socket.getOutputStream().write(piece);
                    }
                    sent.complete(MUCH);
                    PlainServer.readAll(socket);
                });
                Stage stage = Stage.open(production.address(), debug.address());
                Socket client = stage.connect()) {
            askOften(client, 3);
            sent.get(60, TimeUnit.SECONDS);
            JsonNode status = stage.awaitStatus("a verdict", s -> Stage.total(s) > 0);
            assertThat(status.at("/verdicts/SAME").asInt())
                    .as(status.toPrettyString())
                    .isZero();
            assertThat(stage.control("/v1/status").at("/window/peakBytes").asLong())
                    .isLessThanOrEqualTo(Stage.WINDOW.laneMemory());
            askOften(client, 4);
        }
    }

    @Test
    void production_thatWritesByteByByte_isComparedAllTheSame() throws Exception {
        PlainServer.Script bytewise = socket -> {
            socket.setTcpNoDelay(true);
            for (String head = HashingService.head(socket); !head.isEmpty(); head = HashingService.head(socket)) {
                for (char each :
                        HashingService.reply(HashingService.body(socket, head)).toCharArray()) {
                    PlainServer.write(socket, String.valueOf(each));
                }
            }
        };
        try (PlainServer production = PlainServer.open(bytewise);
                PlainServer debug = PlainServer.open(HashingService::serve);
                Stage stage = Stage.open(production.address(), debug.address());
                Socket client = stage.connect()) {
            askOften(client, 5);
            assertAllSame(stage, REQUESTS);
        }
    }

    @Test
    void production_thatIsSlow_isWaitedFor() throws Exception {
        CompletableFuture<Void> never = new CompletableFuture<>();
        try (PlainServer production = PlainServer.open(socket -> {
                    String answer = HashingService.reply(HashingService.body(socket, HashingService.head(socket)));
                    ended(never);
                    PlainServer.write(socket, answer.substring(0, 20));
                    ended(never);
                    PlainServer.write(socket, answer.substring(20));
                    PlainServer.readAll(socket);
                });
                PlainServer debug = PlainServer.open(HashingService::serve);
                Stage stage = Stage.open(production.address(), debug.address());
                Socket client = stage.connect()) {
            HashingService.ask(client, new Random(6), LONGEST);
            assertAllSame(stage, 1);
        }
    }

    @Test
    void production_thatHalfClosesFirst_stillHearsTheClient() throws Exception {
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        PlainServer.Script closingFirst = socket -> {
            HashingService.head(socket);
            PlainServer.write(socket, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nall of it");
            socket.shutdownOutput();
            heard.add(PlainServer.readAll(socket));
        };
        try (PlainServer production = PlainServer.open(closingFirst);
                PlainServer debug = PlainServer.open(closingFirst);
                Stage stage = Stage.open(production.address(), debug.address());
                Socket client = stage.connect()) {
            PlainServer.write(client, "GET /all HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(PlainServer.readAll(client)).endsWith("all of it");
            PlainServer.write(client, "what nobody asked for");
            client.shutdownOutput();
            assertThat(heard.poll(60, TimeUnit.SECONDS)).isEqualTo("what nobody asked for");
            stage.awaitVerdicts("SAME", 1);
        }
    }

    @Test
    void production_thatResetsInMidReply_isAResetForTheClient_andNotCompared() throws Exception {
        try (PlainServer production = PlainServer.open(socket -> {
                    HashingService.head(socket);
                    PlainServer.write(socket, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf");
                    PlainServer.reset(socket);
                });
                PlainServer debug = PlainServer.open(HashingService::serve);
                Stage stage = Stage.open(production.address(), debug.address());
                Socket client = stage.connect()) {
            client.getOutputStream().write(HashingService.request(new Random(7), 100));
            assertThatThrownBy(() -> PlainServer.readAll(client)).hasMessageContaining("reset");
            stage.awaitVerdicts("NOT_COMPARED", 1);
        }
    }

    @Test
    void clients_thatSendByteByByte_holdBackNobody() throws Exception {
        try (PlainServer production = PlainServer.open(HashingService::serve);
                PlainServer debug = PlainServer.open(HashingService::serve);
                Stage stage = Stage.open(production.address(), debug.address());
                Socket client = stage.connect()) {
            List<Socket> slow = new ArrayList<>();
            byte[] request = HashingService.request(new Random(8), 50);
            for (int n = 0; n < 20; n++) {
                Socket socket = stage.connect();
                socket.setTcpNoDelay(true);
                slow.add(socket);
            }
            Random random = new Random(9);
            for (byte each : request) {
                for (Socket socket : slow) {
                    socket.getOutputStream().write(each);
                }
                HashingService.ask(client, random, 1000);
            }
            for (Socket socket : slow) {
                String expected = HashingService.answerTo(request);
                assertThat(PlainServer.readUntil(socket, expected)).isEqualTo(expected);
                socket.close();
            }
            assertAllSame(stage, request.length + slow.size());
        }
    }

    @Test
    void clients_thatLeaveAtAnyPointOfAnExchange_takeOnlyThatExchangeWithThem() throws Exception {
        BlockingQueue<Integer> lengths = new LinkedBlockingQueue<>();
        PlainServer.Script counting = socket -> {
            byte[] all = socket.getInputStream().readAllBytes();
            lengths.add(all.length);
        };
        byte[] request = HashingService.request(new Random(10), 40);
        try (PlainServer production = PlainServer.open(counting);
                PlainServer debug = PlainServer.open(PlainServer::readAll);
                Stage stage = Stage.open(production.address(), debug.address())) {
            for (int at = 1; at <= request.length; at++) {
                try (Socket client = stage.connect()) {
                    client.getOutputStream().write(request, 0, at);
                }
                assertThat(lengths.poll(60, TimeUnit.SECONDS)).as("left after").isEqualTo(at);
            }
            JsonNode status =
                    stage.awaitStatus("no lane", s -> s.at("/lanes/open").asInt() == 0);
            assertThat(status.get("losses")).as(status.toPrettyString()).isEmpty();
            assertThat(status.at("/verdicts/DIFFERENT").asInt()).isZero();
        }
        try (PlainServer production = PlainServer.open(HashingService::serve);
                PlainServer debug = PlainServer.open(HashingService::serve);
                Stage stage = Stage.open(production.address(), debug.address())) {
            int reply = HashingService.answerTo(request).length();
            for (int at = 1; at <= reply; at += 3) {
                try (Socket client = stage.connect()) {
                    client.getOutputStream().write(request);
                    client.getInputStream().readNBytes(at);
                    PlainServer.reset(client);
                }
                try (Socket client = stage.connect()) {
                    HashingService.ask(client, new Random(at), 1000);
                }
            }
            JsonNode status =
                    stage.awaitStatus("no lane", s -> s.at("/lanes/open").asInt() == 0);
            assertThat(status.at("/verdicts/DIFFERENT").asInt())
                    .as(status.toPrettyString())
                    .isZero();
            assertThat(status.at("/verdicts/SAME").asInt())
                    .as(status.toPrettyString())
                    .isGreaterThanOrEqualTo((reply + 2) / 3);
        }
    }

    private static void askOften(Socket client, long seed) throws Exception {
        Random random = new Random(seed);
        for (int n = 0; n < REQUESTS; n++) {
            HashingService.ask(client, random, LONGEST);
        }
    }

    private static void assertAllSame(Stage stage, int exchanges) {
        stage.awaitVerdicts("SAME", exchanges);
        JsonNode status = stage.status();
        assertThat(status.get("losses")).as(status.toPrettyString()).isEmpty();
        assertThat(status.get("fidelity").asText())
                .isEqualTo("faithful: " + exchanges + " of " + exchanges + " exchanges");
    }

    private static WindowConfig waiting(Duration connect) {
        return new WindowConfig(16L << 20, 256L << 20, Duration.ofSeconds(30), Duration.ofSeconds(10), connect);
    }
}
