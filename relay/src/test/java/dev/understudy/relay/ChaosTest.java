package dev.understudy.relay;

import dev.understudy.relay.deliver.DebugPeer;
import dev.understudy.relay.lane.Lane;
import dev.understudy.relay.lane.LaneMetrics;
import dev.understudy.relay.lane.MemoryBudget;
import dev.understudy.relay.loop.EventLoops;
import dev.understudy.relay.loop.Transport;
import dev.understudy.relay.tap.TapFactory;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Clients, production and debug send, stop, half-close, close and reset at random; the streams stay right, nothing
 * leaks.
 */
@Tag("slow")
final class ChaosTest {
    private static final int CONNECTIONS = 50;
    private static final byte[] PATTERN = new byte[65_521];

    static {
        new Random(1).nextBytes(PATTERN);
    }

    private final MemoryBudget all = new MemoryBudget(8L << 20, null);
    private final LaneMetrics metrics = new LaneMetrics(new SimpleMeterRegistry(), "test");
    private final List<TestLane> lanes = new CopyOnWriteArrayList<>();

    @ParameterizedTest
    @EnumSource(Transport.class)
    void streams_stayRightWhateverTheEndsDo(Transport transport) throws Exception {
        for (long seed = 1; seed <= 6; seed++) {
            String at = transport + ", seed " + seed;
            Random random = new Random(seed);
            try (ServerSocket debug = new ServerSocket(0, 100, InetAddress.getLoopbackAddress())) {
                run(transport, at, random, debug);
            }
            for (TestLane lane : lanes) {
                RelayStage.await("debug end, " + at, () -> lane.debugOver);
            }
            RelayStage.await("budget given back, " + at, () -> all.used() == 0);
            lanes.clear();
        }
    }

    private void run(Transport transport, String at, Random random, ServerSocket debug) throws Exception {
        DebugPeer peer = new DebugPeer(debug.getLocalSocketAddress(), Duration.ofSeconds(1));
        EventLoops[] loops = new EventLoops[1];
        TapFactory taps = connection ->
                Lane.open(connection, loops[0].nextInbox(), new MemoryBudget(1L << 20, all), metrics, lane -> {
                    TestLane above = new TestLane(loops[0], lane, peer);
                    lanes.add(above);
                    return above;
                });
        try (RelayStage stage = RelayStage.open(transport, taps)) {
            loops[0] = stage.loops;
            CompletableFuture<?> debugSide = Bytes.async(() -> debug(debug, random.nextLong()));
            List<CompletableFuture<?>> peers = new ArrayList<>();
            for (int n = 0; n < CONNECTIONS; n++) {
                Socket client = stage.client();
                long clientSeed = random.nextLong();
                long productionSeed = random.nextLong();
                Socket production = stage.accepted();
                peers.add(new Peer(client, clientSeed, at).run());
                peers.add(new Peer(production, productionSeed, at).run());
            }
            for (CompletableFuture<?> done : peers) {
                done.get(RelayStage.PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            }
            RelayStage.await("relays ended, " + at, () -> stage.listener.open() == 0);
            RelayStage.await("lanes ended, " + at, () -> metrics.open() == 0);
            for (TestLane lane : lanes) {
                lane.lane.loop().execute(lane.deliverer::close);
                RelayStage.await("debug end, " + at, () -> lane.debugOver);
            }
            debug.close();
            debugSide.get(RelayStage.PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /** Accepts and mistreats what comes until the server socket is closed. */
    private static boolean debug(ServerSocket server, long seed) {
        Random random = new Random(seed);
        List<Socket> kept = new ArrayList<>();
        try {
            while (true) {
                Socket socket = server.accept();
                kept.add(socket);
                switch (random.nextInt(5)) {
                    case 0 -> socket.close();
                    case 1 -> RelayStage.reset(socket);
                    case 2 -> socket.getOutputStream().write(PATTERN, 0, 1 + random.nextInt(5000));
                    case 3 -> socket.shutdownOutput();
                    default -> socket.setReceiveBufferSize(4096);
                }
            }
        } catch (IOException e) {
            kept.forEach(ChaosTest::close);
            return true;
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            assertThat(socket.isClosed()).isTrue();
        }
    }

    /** One end of a connection, which writes the pattern and checks that it reads the pattern. */
    private record Peer(Socket socket, long seed, String at) {
        CompletableFuture<?> run() {
            CompletableFuture<?> reading = Bytes.async(this::read);
            return Bytes.async(this::write).thenCombine(reading, (wrote, read) -> read);
        }

        private boolean write() throws IOException {
            Random random = new Random(seed);
            long sent = 0;
            try {
                for (int n = random.nextInt(40); n > 0; n--) {
                    int from = (int) (sent % PATTERN.length);
                    int size = Math.min(PATTERN.length - from, 1 + random.nextInt(random.nextBoolean() ? 100 : 40_000));
                    socket.getOutputStream().write(PATTERN, from, size);
                    sent += size;
                }
                if (random.nextInt(3) == 0) {
                    RelayStage.reset(socket);
                } else {
                    socket.shutdownOutput();
                }
            } catch (IOException e) {
                socket.close();
            }
            return true;
        }

        private boolean read() throws IOException {
            Random random = new Random(seed + 1);
            long limit = random.nextInt(3) == 0 ? random.nextInt(300_000) : Long.MAX_VALUE;
            long got = 0;
            byte[] piece = new byte[20_000];
            try {
                InputStream in = socket.getInputStream();
                for (int n = in.read(piece); n > 0 && got < limit; n = in.read(piece)) {
                    for (int i = 0; i < n; i++) {
                        if (piece[i] != PATTERN[(int) ((got + i) % PATTERN.length)]) {
                            throw new AssertionError("wrong byte at " + (got + i) + ", " + at);
                        }
                    }
                    got += n;
                }
                if (got >= limit) {
                    socket.close();
                }
            } catch (IOException e) {
                socket.close();
            }
            return true;
        }
    }
}
