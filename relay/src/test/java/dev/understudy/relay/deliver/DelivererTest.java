package dev.understudy.relay.deliver;

import dev.understudy.relay.RelayStage;
import dev.understudy.relay.TestLane;
import dev.understudy.relay.lane.Lane;
import dev.understudy.relay.lane.LaneMetrics;
import dev.understudy.relay.lane.LossReason;
import dev.understudy.relay.lane.MemoryBudget;
import dev.understudy.relay.loop.EventLoops;
import dev.understudy.relay.tap.CloseReason;
import dev.understudy.relay.tap.Direction;
import dev.understudy.relay.tap.TapConnection;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

import static org.assertj.core.api.Assertions.assertThat;

final class DelivererTest {
    private final EventLoops loops = new EventLoops(RelayStage.transport(), 1, 1, 2);
    private final LaneMetrics metrics = new LaneMetrics(new SimpleMeterRegistry(), "test");
    private final MemoryBudget budget = new MemoryBudget(1_000_000, null);
    private final List<Socket> sockets = new ArrayList<>();
    private ServerSocket debug;

    @BeforeEach
    void open() throws IOException {
        debug = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        debug.setSoTimeout(RelayStage.PATIENCE_MILLIS);
    }

    @AfterEach
    void nothing_isLeft() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        debug.close();
        RelayStage.await("budget given back", () -> budget.used() == 0);
        RelayStage.await("all buffers released", () -> loops.heldBytes() == 0);
        loops.close();
    }

    private TestLane lane(DebugPeer peer) {
        InetSocketAddress nowhere = new InetSocketAddress(1);
        CompletableFuture<TestLane> made = new CompletableFuture<>();
        Lane.open(new TapConnection(1, nowhere, nowhere, 0), loops.nextInbox(), budget, metrics, lane -> {
            TestLane above = new TestLane(loops, lane, peer);
            made.complete(above);
            return above;
        });
        return made.join();
    }

    private DebugPeer peer() {
        return new DebugPeer(debug.getLocalSocketAddress(), Duration.ofMillis(200));
    }

    private ByteBuf bytes(int length) {
        return loops.allocator().buffer(length, length).writeZero(length);
    }

    private Socket accepted() throws IOException {
        Socket socket = debug.accept();
        socket.setSoTimeout(RelayStage.PATIENCE_MILLIS);
        sockets.add(socket);
        return socket;
    }

    @Test
    void blackHole_holdsTheWindowUntilTheLaneIsClosed() throws Exception {
        // A full accept queue drops what comes: connecting neither succeeds nor fails.
        for (int n = 0; n < 4; n++) {
            Socket filler = new Socket();
            sockets.add(filler);
            try {
                filler.connect(debug.getLocalSocketAddress(), 200);
            } catch (IOException e) {
                break;
            }
        }
        DebugPeer peer = peer();
        TestLane lane = lane(peer);
        lane.lane.connected(1);
        lane.lane.data(Direction.REQUEST, bytes(5000), 2);
        RelayStage.await("attempt timed out", peer::unreachable);
        assertThat(lane.connected).isFalse();
        assertThat(lane.debugOver).isFalse();
        assertThat(budget.used()).isGreaterThan(5000);
        lane.lane.closed(CloseReason.FINISHED, 3);
        lane.lane.loop().execute(lane.deliverer::close);
        RelayStage.await("debug end", () -> lane.debugOver);
        assertThat(lane.debugEnd).isEqualTo(LossReason.SHUTDOWN);
        assertThat(lane.window.lostBytes()).isEqualTo(5000);
    }

    @Test
    void closedGate_holdsBackUntilPumped() throws Exception {
        boolean[] open = {false};
        Window window = new Window(budget);
        Told told = new Told();
        Deliverer deliverer = new Deliverer(loops, loops.nextLane(), peer(), window, cue -> open[0], told);
        loops.nextLane().execute(() -> {
            window.offer(new DebugEvent.Bytes(bytes(10), 1, 1));
            window.offer(new DebugEvent.Close(2));
            deliverer.pump();
        });
        Socket understudy = accepted();
        RelayStage.await("connected", () -> told.events.contains("connected"));
        assertThat(understudy.getInputStream().available()).isZero();
        loops.nextLane().execute(() -> {
            open[0] = true;
            deliverer.pump();
        });
        assertThat(understudy.getInputStream().readAllBytes()).hasSize(10);
        RelayStage.await("close", () -> told.events.contains("delivered Close"));
        understudy.getOutputStream().write(new byte[7]);
        understudy.close();
        RelayStage.await("end", () -> told.events.contains("closed NONE"));
        assertThat(told.events)
                .containsExactly(
                        "connected", "delivered Bytes", "delivered Close", "reply 7", "replyEnd", "closed NONE");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void replyInPieces_isNotHeldBackByNagle() throws Exception {
        Window window = new Window(budget);
        Told told = new Told();
        Deliverer deliverer = new Deliverer(loops, loops.nextLane(), peer(), window, cue -> true, told);
        Socket understudy = null;
        long quickest = Long.MAX_VALUE;
        for (int round = 1; round <= 60; round++) {
            loops.nextLane().execute(() -> {
                window.offer(new DebugEvent.Bytes(bytes(1), 1, 1));
                deliverer.pump();
            });
            understudy = understudy == null ? accepted() : understudy;
            understudy.getInputStream().read();
            understudy.getOutputStream().write(1);
            long written = System.nanoTime();
            understudy.getOutputStream().write(2);
            int all = 2 * round;
            RelayStage.await("both pieces", () -> told.bytes.get() == all);
            if (round > 40) {
                // before that the kernel acknowledges at once, as on every young connection
                quickest = Math.min(quickest, told.lastNanos - written);
            }
        }
        loops.nextLane().execute(deliverer::close);
        assertThat(Duration.ofNanos(quickest)).isLessThan(Duration.ofMillis(20));
    }

    @Test
    void silentDebug_isLeftASecondAfterTheClose() throws Exception {
        TestLane lane = lane(peer());
        lane.lane.connected(1);
        lane.lane.data(Direction.REQUEST, bytes(100), 2);
        lane.lane.closed(CloseReason.FINISHED, 3);
        Socket understudy = accepted();
        RelayStage.await("debug end", () -> lane.debugOver);
        assertThat(lane.debugEnd).isEqualTo(LossReason.NONE);
        // It had been stopped, and still finds all it was told.
        assertThat(understudy.getInputStream().readAllBytes()).hasSize(100);
    }

    @Test
    void lanesBeyondTheSocketLimit_waitForAnotherToEnd() throws Exception {
        TestLane first = lane(peer());
        TestLane second = lane(peer());
        TestLane third = lane(peer());
        for (TestLane lane : List.of(first, second)) {
            lane.lane.connected(1);
            RelayStage.await("connected", () -> lane.connected);
            accepted();
        }
        third.lane.connected(1);
        third.lane.data(Direction.REQUEST, bytes(10), 2);
        RelayStage.await("waiting", () -> third.window.size() == 1);
        assertThat(third.connected).isFalse();
        first.lane.loop().execute(first.deliverer::close);
        RelayStage.await("its turn", () -> third.connected);
        for (TestLane lane : List.of(first, second, third)) {
            lane.lane.closed(CloseReason.RESET_BY_CLIENT, 3);
            RelayStage.await("debug end", () -> lane.debugOver);
        }
        assertThat(third.debugEnd).isEqualTo(LossReason.NONE);
    }

    @Test
    void throwingGate_endsTheLaneOnly() throws Exception {
        Window window = new Window(budget);
        Told told = new Told();
        Gate broken = cue -> {
            throw new IllegalStateException("a defect on purpose");
        };
        loops.nextLane().execute(() -> {
            window.offer(new DebugEvent.Bytes(bytes(10), 1, 1));
            new Deliverer(loops, loops.nextLane(), peer(), window, broken, told).pump();
        });
        accepted();
        RelayStage.await("end", () -> told.events.contains("closed INTERNAL"));
        assertThat(window.lostBytes()).isEqualTo(10);
    }

    @Test
    void reset_isToldWhileWhatWaitsCanBeTaken() throws Exception {
        Window window = new Window(budget);
        List<String> waiting = new CopyOnWriteArrayList<>();
        Told told = new Told() {
            @Override
            public void gone(LossReason reason, long nanos) {
                waiting.add(reason + ", closed: " + window.closed() + ", cues: " + window.size());
            }
        };
        loops.nextLane().execute(() -> {
            window.offer(new DebugEvent.Bytes(bytes(10), 1, 1));
            new Deliverer(loops, loops.nextLane(), peer(), window, cue -> false, told).pump();
        });
        Socket understudy = accepted();
        RelayStage.await("connected", () -> told.events.contains("connected"));
        understudy.setSoLinger(true, 0);
        understudy.close();
        RelayStage.await("end", () -> told.events.contains("closed DEBUG_RESET"));
        assertThat(waiting).containsExactly("DEBUG_RESET, closed: null, cues: 1");
        assertThat(window.lostBytes()).isEqualTo(10);
    }

    private static class Told implements DebugObserver {
        final List<String> events = new CopyOnWriteArrayList<>();
        volatile long lastNanos;
        final AtomicInteger bytes = new AtomicInteger();

        @Override
        public void connected() {
            events.add("connected");
        }

        @Override
        public void delivered(DebugEvent cue, long nanos) {
            events.add("delivered " + cue.getClass().getSimpleName());
        }

        @Override
        public void reply(ByteBuf data, long nanos) {
            events.add("reply " + data.readableBytes());
            lastNanos = nanos;
            bytes.addAndGet(data.readableBytes());
            data.release();
        }

        @Override
        public void replyEnd(long nanos) {
            events.add("replyEnd");
        }

        @Override
        public void closed(LossReason reason, long nanos) {
            events.add("closed " + reason);
        }
    }
}
