package dev.understudy.relay;

import dev.understudy.relay.loop.EventLoops;
import dev.understudy.relay.loop.Transport;
import dev.understudy.relay.tap.Direction;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

/** The bytes of a relayed connection, and who waits for whom. */
final class RelayTest {
    private static final int MIB = 1024 * 1024;
    /** Netty reads a socket up to sixteen times in one turn of a loop. */
    private static final int ONE_TURN = 16 * EventLoops.LARGEST_READ;

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
    void bigReply_reachesASlowClientThatHasHalfClosed(Transport transport) throws Exception {
        try (RelayStage stage = RelayStage.open(transport)) {
            Socket client = stage.client();
            Socket production = stage.accepted();
            client.shutdownOutput();
            assertThat(production.getInputStream().read()).isEqualTo(-1);

            CompletableFuture<String> sent = Bytes.async(() -> Bytes.send(production.getOutputStream(), 8, 20L * MIB));
            RelayStage.await("a full socket", () -> stage.listener.bytes(Direction.REPLY) > 2 * MIB && stage.settled());
            assertThat(sent).isNotDone();
            CompletableFuture<String> got = Bytes.async(() -> Bytes.hash(client.getInputStream(), 20L * MIB));
            assertThat(got(got)).isEqualTo(got(sent));
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
            RelayStage.await("a full socket", () -> stage.listener.bytes(Direction.REQUEST) > 0 && stage.settled());
            assertThat(sent).isNotDone();
            assertThat(stage.loops.heldBytes()).isLessThan(ONE_TURN);
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
            RelayStage.await("a full socket", () -> stage.listener.bytes(Direction.REQUEST) > 0 && stage.settled());
            assertThat(stage.loops.heldBytes()).isLessThan(ONE_TURN);
            assertThat(Bytes.hash(production.getInputStream(), -1)).isEqualTo(got(sent));
        }
    }
}
