package dev.understudy.relay;

import dev.understudy.relay.deliver.DebugPeer;
import dev.understudy.relay.lane.Lane;
import dev.understudy.relay.lane.LaneMetrics;
import dev.understudy.relay.lane.LossReason;
import dev.understudy.relay.lane.MemoryBudget;
import dev.understudy.relay.loop.EventLoops;
import dev.understudy.relay.tap.Direction;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

/** From the client's socket to the debug JVM's: the copy is exact, and production never feels the debug side. */
final class TeeTest {
    private static final int MIB = 1024 * 1024;

    private final MemoryBudget all = new MemoryBudget(64L * MIB, null);
    private final List<TestLane> lanes = new CopyOnWriteArrayList<>();
    private final LaneMetrics metrics = new LaneMetrics(new SimpleMeterRegistry(), "test");
    private ServerSocket debug;
    private RelayStage stage;
    private long laneMemory = 16L * MIB;

    @BeforeEach
    void open() throws IOException {
        debug = new ServerSocket(Ports.free(), 50, InetAddress.getLoopbackAddress());
        debug.setSoTimeout(RelayStage.PATIENCE_MILLIS);
        DebugPeer peer = new DebugPeer(debug.getLocalSocketAddress(), Duration.ofSeconds(1));
        // The factory runs only once the stage is there.
        EventLoops[] loops = new EventLoops[1];
        stage = RelayStage.open(
                connection -> Lane.open(
                        connection, loops[0].nextInbox(), new MemoryBudget(laneMemory, all), metrics, lane -> {
                            TestLane above = new TestLane(loops[0], lane, peer);
                            lanes.add(above);
                            return above;
                        }),
                100);
        loops[0] = stage.loops;
    }

    @AfterEach
    void nothing_isLeft() throws IOException {
        debug.close();
        stage.listener.close();
        for (TestLane lane : lanes) {
            lane.lane.loop().execute(lane.deliverer::close);
            RelayStage.await("debug end", () -> lane.debugOver);
        }
        RelayStage.await("budget given back", () -> all.used() == 0);
        stage.close();
    }

    private TestLane lane(int index) {
        RelayStage.await("lane " + index, () -> lanes.size() > index);
        return lanes.get(index);
    }

    private static String got(CompletableFuture<String> hash) throws Exception {
        return hash.get(RelayStage.PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void exchange(Socket client, Socket production, long seed, int size) throws Exception {
        CompletableFuture<String> request = Bytes.async(() -> Bytes.send(client.getOutputStream(), seed, size));
        assertThat(Bytes.hash(production.getInputStream(), size))
                .as("seed " + seed)
                .isEqualTo(got(request));
        CompletableFuture<String> reply = Bytes.async(() -> Bytes.send(production.getOutputStream(), -seed, size));
        assertThat(Bytes.hash(client.getInputStream(), size)).as("seed " + seed).isEqualTo(got(reply));
    }

    @Test
    void copy_isIdenticalWithItsLifeCycle() throws Exception {
        for (long seed = 1; seed <= 3; seed++) {
            Socket client = stage.client();
            Socket production = stage.accepted();
            Socket understudy = debug.accept();
            long up = seed;
            CompletableFuture<String> sent = Bytes.async(() -> Bytes.send(client.getOutputStream(), up, 4L * MIB));
            CompletableFuture<String> copied = Bytes.async(() -> Bytes.hash(understudy.getInputStream(), -1));
            CompletableFuture<String> replied =
                    Bytes.async(() -> Bytes.send(understudy.getOutputStream(), -up, 2L * MIB));
            assertThat(Bytes.hash(production.getInputStream(), 4L * MIB)).isEqualTo(got(sent));
            client.shutdownOutput();
            production.close();
            assertThat(got(copied)).as("seed " + seed).isEqualTo(got(sent));
            String reply = got(replied);
            understudy.close();
            TestLane lane = lane((int) seed - 1);
            RelayStage.await("debug end", () -> lane.debugOver);
            assertThat(lane.replyHash()).as("seed " + seed).isEqualTo(reply);
            assertThat(lane.debugEnd).isEqualTo(LossReason.NONE);
            assertThat(lane.events).contains("delivered EndOfInput", "replyEnd").endsWith("closed NONE");
        }
        assertThat(metrics.losses()).isEmpty();
        assertThat(metrics.bytes(Direction.REQUEST)).isEqualTo(12L * MIB);
    }

    @Test
    void resetOfTheClient_isAResetForDebug() throws Exception {
        Socket client = stage.client();
        stage.accepted();
        Socket understudy = debug.accept();
        client.getOutputStream().write(1);
        assertThat(understudy.getInputStream().read()).isEqualTo(1);
        RelayStage.reset(client);
        assertThat(understudy.getInputStream()).satisfies(in -> {
            try {
                assertThat(in.read()).as("an exception, not a byte or an end").isEqualTo(-2);
            } catch (IOException e) {
                assertThat(e).hasMessageContaining("reset");
            }
        });
    }

    @Test
    void debugThatNeverReads_overflowsItsLaneOnlyWhileProductionServesOn() throws Exception {
        Socket client = stage.client();
        Socket production = stage.accepted();
        // Accepted by the kernel; nobody ever reads.
        TestLane stuck = lane(0);
        RelayStage.await("connected", () -> stuck.connected);
        for (int n = 1; n <= 25; n++) {
            exchange(client, production, n, MIB);
            assertThat(all.used()).isLessThan(20L * MIB);
        }
        RelayStage.await("overflow", () -> stuck.overflowed);
        RelayStage.await("debug end", () -> stuck.debugOver);
        assertThat(metrics.losses()).containsOnlyKeys(LossReason.OVERFLOW_LANE);

        try (Socket dead = debug.accept()) {
            assertThat(dead.isClosed()).isFalse();
        }
        Socket second = stage.client();
        Socket secondProduction = stage.accepted();
        Socket understudy = debug.accept();
        CompletableFuture<String> copied = Bytes.async(() -> Bytes.hash(understudy.getInputStream(), MIB));
        exchange(second, secondProduction, 99, MIB);
        assertThat(got(copied)).isNotEmpty();
        assertThat(lane(1).overflowed).isFalse();
        exchange(client, production, 100, MIB);
    }

    @Test
    void everyByte_isDeliveredOrCountedAsLost() throws Exception {
        laneMemory = MIB;
        Socket client = stage.client();
        Socket production = stage.accepted();
        TestLane stuck = lane(0);
        RelayStage.await("connected", () -> stuck.connected);
        for (int n = 1; n <= 12; n++) {
            exchange(client, production, n, MIB);
        }
        client.close();
        production.close();
        RelayStage.await("end", () -> stuck.ended && stuck.debugOver);
        long handedOver = metrics.bytes(Direction.REQUEST);
        assertThat(handedOver + stuck.lane.bytesLost(Direction.REQUEST)).isEqualTo(12L * MIB);
        assertThat(stuck.window.deliveredBytes() + stuck.window.lostBytes()).isEqualTo(handedOver);
        assertThat(stuck.lane.bytesLost(Direction.REQUEST)).isPositive();
        assertThat(stuck.window.deliveredBytes()).isPositive();
    }

    @Test
    void debugThatStartsLate_hearsEverything() throws Exception {
        InetSocketAddress address = (InetSocketAddress) debug.getLocalSocketAddress();
        debug.close();
        Socket client = stage.client();
        Socket production = stage.accepted();
        CompletableFuture<String> sent = Bytes.async(() -> Bytes.send(client.getOutputStream(), 5, MIB));
        assertThat(Bytes.hash(production.getInputStream(), MIB)).isEqualTo(got(sent));
        RelayStage.await("bytes in the window", () -> lane(0).window.size() > 0);

        debug = new ServerSocket(address.getPort(), 50, address.getAddress());
        debug.setSoTimeout(RelayStage.PATIENCE_MILLIS);
        Socket understudy = debug.accept();
        assertThat(Bytes.hash(understudy.getInputStream(), MIB)).isEqualTo(got(sent));
        exchange(client, production, 6, MIB);
    }

    @Test
    void debugThatResetsInMidReply_losesItsLaneOnly() throws Exception {
        Socket client = stage.client();
        Socket production = stage.accepted();
        Socket understudy = debug.accept();
        client.getOutputStream().write("request".getBytes(US_ASCII));
        assertThat(understudy.getInputStream().readNBytes(7)).asString().isEqualTo("request");
        understudy.getOutputStream().write("half a re".getBytes(US_ASCII));
        RelayStage.await("reply", () -> lane(0).replyBytes.get() == 9);
        RelayStage.reset(understudy);
        RelayStage.await("debug end", () -> lane(0).debugOver);
        assertThat(lane(0).debugEnd).isEqualTo(LossReason.DEBUG_RESET);
        assertThat(production.getInputStream().readNBytes(7)).asString().isEqualTo("request");
        exchange(client, production, 7, MIB);
        RelayStage.await("what came since counted as lost", () -> lane(0).window.lostBytes() > 0);
    }

    @Test
    void floodOfReplies_isReadAndHurtsNobody() throws Exception {
        Socket client = stage.client();
        Socket production = stage.accepted();
        Socket understudy = debug.accept();
        CompletableFuture<Long> flood = Bytes.async(() -> {
            byte[] piece = new byte[MIB];
            for (int n = 0; n < 100; n++) {
                understudy.getOutputStream().write(piece);
            }
            return 100L * MIB;
        });
        exchange(client, production, 8, MIB);
        assertThat(flood.get(RelayStage.PATIENCE_MILLIS, TimeUnit.MILLISECONDS)).isEqualTo(100L * MIB);
        RelayStage.await("all read", () -> lane(0).replyBytes.get() == 100L * MIB);
        exchange(client, production, 9, MIB);
    }
}
