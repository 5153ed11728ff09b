package dev.understudy.relay;

import dev.understudy.relay.accept.AcceptConfig;
import dev.understudy.relay.connect.Address;
import dev.understudy.relay.connect.ProductionConfig;
import dev.understudy.relay.loop.EventLoops;
import dev.understudy.relay.loop.Transport;
import dev.understudy.relay.tap.Direction;
import dev.understudy.relay.tap.TapFactory;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** A real listener between plain sockets on loopback; closing it checks that no buffer is left anywhere. */
public final class RelayStage implements AutoCloseable {
    public static final int PATIENCE_MILLIS = 60_000;

    public final EventLoops loops;
    public final ServerSocket production;
    public final Listener listener;
    public final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    private final List<Socket> sockets = new ArrayList<>();

    private RelayStage(Transport transport, TapFactory taps, int maxConnections) throws IOException {
        loops = loops(transport);
        production = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        listener = Listener.open(
                new RelayConfig(
                        "test",
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        ProductionConfig.of(new Address.Inet("127.0.0.1", production.getLocalPort()))
                                .within(Duration.ofSeconds(5)),
                        AcceptConfig.defaults().atMost(maxConnections)),
                taps,
                loops,
                registry);
    }

    /**
     * What tests run on that aren't about the transport: the machine's best, or
     * {@code -Dunderstudy.transport=IO_URING}.
     */
    public static Transport transport() {
        String wanted = System.getProperty("understudy.transport");
        return wanted == null ? Transport.best() : Transport.valueOf(wanted);
    }

    /** A relay thread and a lane thread; the test is skipped if this machine doesn't have {@code transport}. */
    public static EventLoops loops(Transport transport) {
        assumeTrue(transport.available(), "skipped: no " + transport.word() + " here");
        return new EventLoops(transport, 1, 1);
    }

    public static RelayStage open(Transport transport) throws IOException {
        return open(transport, TapFactory.NONE);
    }

    public static RelayStage open(Transport transport, TapFactory taps) throws IOException {
        return new RelayStage(transport, taps, 1000);
    }

    public static RelayStage open(TapFactory taps, int maxConnections) throws IOException {
        return new RelayStage(transport(), taps, maxConnections);
    }

    /** A client of the relay. */
    public Socket client() throws IOException {
        Socket socket = new Socket();
        socket.connect(listener.address(), PATIENCE_MILLIS);
        return kept(socket);
    }

    /** Production's end of the next relayed connection. */
    public Socket accepted() throws IOException {
        production.setSoTimeout(PATIENCE_MILLIS);
        return kept(production.accept());
    }

    private Socket kept(Socket socket) throws IOException {
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.setTcpNoDelay(true);
        sockets.add(socket);
        return socket;
    }

    public static void reset(Socket socket) throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    public static void await(String what, BooleanSupplier condition) {
        long begun = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - begun)
                    .as("waited for: " + what)
                    .isLessThan(Duration.ofMillis(PATIENCE_MILLIS).toNanos());
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** Bytes relayed so far, both directions together. */
    public long relayed() {
        return listener.bytes(Direction.REQUEST) + listener.bytes(Direction.REPLY);
    }

    /** Whether nothing was relayed for a tenth of a second. */
    public boolean settled() {
        long before = relayed();
        long begun = System.nanoTime();
        await("time", () -> relayed() != before || System.nanoTime() - begun > 100_000_000L);
        return relayed() == before;
    }

    @Override
    public void close() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        production.close();
        listener.drain(Duration.ofMillis(PATIENCE_MILLIS));
        assertThat(listener.open()).as("connections left").isZero();
        await("all buffers released", () -> loops.heldBytes() == 0);
        loops.close();
    }
}
