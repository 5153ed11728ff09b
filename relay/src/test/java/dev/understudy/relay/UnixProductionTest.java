package dev.understudy.relay;

import dev.understudy.relay.accept.AcceptConfig;
import dev.understudy.relay.connect.Address;
import dev.understudy.relay.connect.ProductionConfig;
import dev.understudy.relay.loop.EventLoops;
import dev.understudy.relay.loop.Transport;
import dev.understudy.relay.tap.CloseReason;
import dev.understudy.relay.tap.TapFactory;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Production on a Unix socket: the same bytes, and the same ends, as over TCP. */
@ParameterizedClass
@EnumSource(names = {"EPOLL", "IO_URING"})
final class UnixProductionTest {
    private static final int MIB = 1024 * 1024;

    private final Transport transport;

    @TempDir
    Path folder;

    private EventLoops loops;
    private Listener listener;
    private ServerSocketChannel production;

    UnixProductionTest(Transport transport) {
        this.transport = transport;
    }

    @BeforeEach
    void open() throws IOException {
        loops = RelayStage.loops(transport);
        Path path = folder.resolve("production.sock");
        production = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        production.bind(UnixDomainSocketAddress.of(path));
        InetSocketAddress free = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        ProductionConfig there = ProductionConfig.of(Address.parse("unix:" + path));
        listener = Listener.open(
                new RelayConfig("test", free, there, AcceptConfig.defaults()),
                TapFactory.NONE,
                loops,
                new SimpleMeterRegistry());
    }

    @AfterEach
    void close() throws IOException {
        if (!transport.available()) {
            return;
        }
        listener.close();
        RelayStage.await("all buffers released", () -> loops.heldBytes() == 0);
        loops.close();
        production.close();
    }

    private Socket client() throws IOException {
        Socket socket = new Socket();
        socket.connect(listener.address(), RelayStage.PATIENCE_MILLIS);
        socket.setSoTimeout(RelayStage.PATIENCE_MILLIS);
        return socket;
    }

    @Test
    void bytes_areIdenticalBothWays_andEndWithFins() throws Exception {
        try (Socket client = client();
                SocketChannel server = production.accept()) {
            InputStream in = Channels.newInputStream(server);
            OutputStream out = Channels.newOutputStream(server);
            CompletableFuture<String> got = Bytes.async(() -> Bytes.hash(in, -1));
            String sent = Bytes.send(client.getOutputStream(), 1, 8L * MIB);
            client.shutdownOutput();
            assertThat(got.get(RelayStage.PATIENCE_MILLIS, TimeUnit.MILLISECONDS))
                    .isEqualTo(sent);
            CompletableFuture<String> answer = Bytes.async(() -> {
                String hash = Bytes.send(out, 2, 8L * MIB);
                server.shutdownOutput();
                return hash;
            });
            assertThat(Bytes.hash(client.getInputStream(), -1))
                    .isEqualTo(answer.get(RelayStage.PATIENCE_MILLIS, TimeUnit.MILLISECONDS));
        }
        RelayStage.await("end", () -> listener.endings(CloseReason.FINISHED) == 1);
    }

    @Test
    void productionsClose_isAFinForTheClient_andLeavesTheLoopQuiet() throws Exception {
        try (Socket client = client()) {
            try (SocketChannel server = production.accept()) {
                Channels.newOutputStream(server).write("all".getBytes(US_ASCII));
            }
            assertThat(client.getInputStream().readAllBytes()).asString().isEqualTo("all");
            String thread = loops.relay()
                    .next()
                    .submit(() -> Thread.currentThread().getName())
                    .get(RelayStage.PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            RelayStage.await("a quiet loop", () -> QuietLoopTest.isQuiet(thread));
            client.shutdownOutput();
        }
        RelayStage.await("end", () -> listener.open() == 0);
        assertThat(listener.endings(CloseReason.FINISHED)).isEqualTo(1);
    }

    @Test
    void productionsCloseWithRequestUnread_isAReset() throws Exception {
        try (Socket client = client()) {
            try (SocketChannel server = production.accept()) {
                client.getOutputStream().write(new byte[1000]);
                assertThat(Channels.newInputStream(server).read()).isZero();
            }
            assertThatThrownBy(() -> client.getInputStream().read()).hasMessageContaining("reset");
        }
        RelayStage.await("end", () -> listener.endings(CloseReason.RESET_BY_PRODUCTION) == 1);
    }

    @Test
    void missingSocket_isAResetForTheClient() throws Exception {
        production.close();
        Files.delete(folder.resolve("production.sock"));
        assertThatThrownBy(() -> {
                    try (Socket client = client()) {
                        client.getInputStream().read();
                    }
                })
                .hasMessageContaining("reset");
        RelayStage.await("end", () -> listener.endings(CloseReason.CONNECT_FAILED) == 1);
    }
}
