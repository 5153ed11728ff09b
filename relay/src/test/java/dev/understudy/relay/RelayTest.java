package dev.understudy.relay;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class RelayTest {
    private static final int MIB = 1024 * 1024;

    @ParameterizedTest
    @EnumSource(Transport.class)
    void bytes_areIdenticalInBothDirectionsAtOnce(Transport transport) throws Exception {
        try (RelayStage stage = RelayStage.open(transport)) {
            for (long seed = 1; seed <= 4; seed++) {
                Socket client = stage.client();
                Socket production = stage.accepted();
                long up = seed * 2;
                long down = seed * 2 + 1;
                CompletableFuture<String> sentUp =
                        Bytes.async(() -> Bytes.send(client.getOutputStream(), up, 5L * MIB));
                CompletableFuture<String> sentDown =
                        Bytes.async(() -> Bytes.send(production.getOutputStream(), down, 5L * MIB));
                CompletableFuture<String> gotDown = Bytes.async(() -> Bytes.hash(client.getInputStream(), 5L * MIB));
                CompletableFuture<String> gotUp = Bytes.async(() -> Bytes.hash(production.getInputStream(), 5L * MIB));
                assertThat(got(gotUp)).as("seed " + seed).isEqualTo(got(sentUp));
                assertThat(got(gotDown)).as("seed " + seed).isEqualTo(got(sentDown));
            }
            assertThat(stage.listener.bytes(Direction.REQUEST)).isEqualTo(20L * MIB);
            assertThat(stage.listener.bytes(Direction.REPLY)).isEqualTo(20L * MIB);
        }
    }

    private static String got(CompletableFuture<String> hash) throws Exception {
        return hash.get(RelayStage.PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void clientsHalfClose_reachesProductionWhichStillAnswers(Transport transport) throws Exception {
        try (RelayStage stage = RelayStage.open(transport)) {
            Socket client = stage.client();
            Socket production = stage.accepted();
            client.getOutputStream().write("question".getBytes(US_ASCII));
            client.shutdownOutput();
            assertThat(production.getInputStream().readAllBytes()).asString().isEqualTo("question");

            String sent = Bytes.send(production.getOutputStream(), 7, MIB);
            production.close();
            assertThat(Bytes.hash(client.getInputStream(), -1)).isEqualTo(sent);
            RelayStage.await("end", () -> stage.listener.endings(CloseReason.FINISHED) == 1);
        }
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void bigReply_reachesASlowClientThatHasHalfClosed(Transport transport) throws Exception {
        try (RelayStage stage = RelayStage.open(transport)) {
            Socket client = stage.client();
            Socket production = stage.accepted();
            client.shutdownOutput();
            assertThat(production.getInputStream().read()).isEqualTo(-1);

            CompletableFuture<String> sent = Bytes.async(() -> Bytes.send(production.getOutputStream(), 8, 20L * MIB));
            RelayStage.await("a full socket", () -> stage.listener.bytes(Direction.REPLY) > 2 * MIB && settled(stage));
            assertThat(sent).isNotDone();
            CompletableFuture<String> got = Bytes.async(() -> Bytes.hash(client.getInputStream(), 20L * MIB));
            assertThat(got(got)).isEqualTo(got(sent));
        }
    }

    private static long relayed(RelayStage stage) {
        return stage.listener.bytes(Direction.REQUEST) + stage.listener.bytes(Direction.REPLY);
    }

    private static boolean settled(RelayStage stage) {
        long before = relayed(stage);
        long begun = System.nanoTime();
        RelayStage.await("time", () -> relayed(stage) != before || System.nanoTime() - begun > 100_000_000L);
        return relayed(stage) == before;
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void productionsHalfClose_reachesTheClientWhichStillSends(Transport transport) throws Exception {
        try (RelayStage stage = RelayStage.open(transport)) {
            Socket client = stage.client();
            Socket production = stage.accepted();
            production.getOutputStream().write("greeting".getBytes(US_ASCII));
            production.shutdownOutput();
            assertThat(client.getInputStream().readAllBytes()).asString().isEqualTo("greeting");

            CompletableFuture<String> got = Bytes.async(() -> Bytes.hash(production.getInputStream(), -1));
            String sent = Bytes.send(client.getOutputStream(), 9, 3L * MIB);
            client.close();
            assertThat(got(got)).isEqualTo(sent);
            RelayStage.await("end", () -> stage.listener.endings(CloseReason.FINISHED) == 1);
        }
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void clientsReset_reachesProductionAsReset(Transport transport) throws Exception {
        try (RelayStage stage = RelayStage.open(transport)) {
            Socket client = stage.client();
            Socket production = stage.accepted();
            client.getOutputStream().write(1);
            assertThat(production.getInputStream().read()).isEqualTo(1);
            RelayStage.reset(client);
            assertReset(production);
            RelayStage.await("end", () -> stage.listener.endings(CloseReason.RESET_BY_CLIENT) == 1);
        }
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void productionsReset_reachesTheClientAsReset(Transport transport) throws Exception {
        try (RelayStage stage = RelayStage.open(transport)) {
            Socket client = stage.client();
            Socket production = stage.accepted();
            client.getOutputStream().write(1);
            assertThat(production.getInputStream().read()).isEqualTo(1);
            RelayStage.reset(production);
            assertReset(client);
            RelayStage.await("end", () -> stage.listener.endings(CloseReason.RESET_BY_PRODUCTION) == 1);
        }
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void replyBeforeAReset_reachesTheClient(Transport transport) throws Exception {
        for (int round = 0; round < 20; round++) {
            try (RelayStage stage = RelayStage.open(transport)) {
                Socket client = stage.client();
                Socket production = stage.accepted();
                CompletableFuture<Boolean> upload = Bytes.async(() -> upload(client));
                assertThat(production.getInputStream().read()).isNotNegative();
                String sent = Bytes.send(production.getOutputStream(), round, 4000);
                // Closing with unread input makes the kernel send a reset.
                production.close();
                assertThat(Bytes.hash(client.getInputStream(), 4000))
                        .as("round " + round)
                        .isEqualTo(sent);
                // Which call of the client hears of the reset is its kernel's choice; its upload never succeeds.
                assertThat(client.getInputStream()).satisfies(RelayTest::ends);
                assertThat(upload.get(RelayStage.PATIENCE_MILLIS, TimeUnit.MILLISECONDS))
                        .isFalse();
                RelayStage.await("end", () -> stage.listener.endings(CloseReason.RESET_BY_PRODUCTION) == 1);
            }
        }
    }

    private static void ends(InputStream in) {
        try {
            assertThat(in.read()).isEqualTo(-1);
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("reset");
        }
    }

    private static boolean upload(Socket client) {
        try {
            Bytes.send(client.getOutputStream(), 1, 20L * MIB);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void refusedConnect_isAResetForTheClient(Transport transport) throws Exception {
        try (RelayStage stage = RelayStage.open(transport)) {
            stage.production.close();
            assertReset(stage.client());
            RelayStage.await("end", () -> stage.listener.endings(CloseReason.CONNECT_FAILED) == 1);
        }
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void requestSentAndEndedBeforeProductionAccepts_arrivesWhole(Transport transport) throws Exception {
        try (RelayStage stage = RelayStage.open(transport)) {
            for (int round = 0; round < 50; round++) {
                try (Socket client = stage.client()) {
                    client.getOutputStream().write("all at once".getBytes(US_ASCII));
                    client.shutdownOutput();
                    try (Socket production = stage.accepted()) {
                        assertThat(production.getInputStream().readAllBytes())
                                .asString()
                                .isEqualTo("all at once");
                        production.getOutputStream().write("done".getBytes(US_ASCII));
                    }
                    assertThat(client.getInputStream().readAllBytes())
                            .asString()
                            .isEqualTo("done");
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void stalledProduction_stopsTheClientWithoutFillingMemory(Transport transport) throws Exception {
        try (RelayStage stage = RelayStage.open(transport)) {
            Socket client = stage.client();
            Socket production = stage.accepted();
            CompletableFuture<String> sent = Bytes.async(() -> {
                String hash = Bytes.send(client.getOutputStream(), 10, 20L * MIB);
                client.shutdownOutput();
                return hash;
            });
            RelayStage.await("a full socket", () -> stage.listener.bytes(Direction.REQUEST) > 0 && settled(stage));
            assertThat(sent).isNotDone();
            assertThat(stage.loops.heldBytes()).isLessThan(MIB);
            CompletableFuture<String> got = Bytes.async(() -> Bytes.hash(production.getInputStream(), -1));
            assertThat(got(got)).isEqualTo(got(sent));
        }
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void clientsFin_doesNotEndBackPressure(Transport transport) throws Exception {
        try (RelayStage stage = RelayStage.open(transport)) {
            // What fits in the kernel's buffers alone, so that the FIN comes while production stalls.
            Socket client = stage.client();
            Socket production = stage.accepted();
            client.setSendBufferSize(4 * MIB);
            CompletableFuture<String> sent = Bytes.async(() -> {
                String hash = Bytes.send(client.getOutputStream(), 11, 6L * MIB);
                client.shutdownOutput();
                return hash;
            });
            RelayStage.await("a full socket", () -> stage.listener.bytes(Direction.REQUEST) > 0 && settled(stage));
            assertThat(stage.loops.heldBytes()).isLessThan(MIB);
            assertThat(Bytes.hash(production.getInputStream(), -1)).isEqualTo(got(sent));
        }
    }

    @Test
    void resetAfterTheClientsFin_reachesProduction() throws Exception {
        try (RelayStage stage = RelayStage.open(Transport.best())) {
            Socket client = stage.client();
            Socket production = stage.accepted();
            client.shutdownOutput();
            assertThat(production.getInputStream().read()).isEqualTo(-1);
            RelayStage.reset(client);
            RelayStage.await("end", () -> stage.listener.endings(CloseReason.RESET_BY_CLIENT) == 1);
        }
    }

    private static void assertReset(Socket socket) {
        assertThatThrownBy(() -> {
                    while (socket.getInputStream().read() >= 0) {
                        Thread.onSpinWait();
                    }
                })
                .isInstanceOf(SocketException.class)
                .hasMessageContaining("reset");
    }
}
