package dev.understudy.relay;

import dev.understudy.relay.accept.AcceptConfig;
import dev.understudy.relay.accept.ProxyProtocolConfig;
import dev.understudy.relay.connect.Address;
import dev.understudy.relay.connect.HealthConfig;
import dev.understudy.relay.connect.ProductionConfig;
import dev.understudy.relay.loop.EventLoops;
import dev.understudy.relay.tap.TapCarrier;
import dev.understudy.relay.tap.TapFactory;
import dev.understudy.relay.tls.OriginateConfig;
import dev.understudy.relay.tls.ServerNames;
import dev.understudy.relay.tls.TerminateConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import org.jspecify.annotations.Nullable;

/** Event loops for listeners with TLS on either side; closing it checks that no buffer is left anywhere. */
final class TlsStage implements AutoCloseable {
    final EventLoops loops = RelayStage.loops(RelayStage.transport());

    /** Null is plain text. */
    Listener listen(
            ServerSocket production, @Nullable TerminateConfig client, @Nullable OriginateConfig there, TapFactory taps)
            throws IOException {
        return Listener.open(
                new RelayConfig(
                        "tls",
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        new ProductionConfig(
                                List.of(new Address.Inet("127.0.0.1", production.getLocalPort())),
                                false,
                                Duration.ofSeconds(10),
                                Duration.ofSeconds(30),
                                HealthConfig.defaults(),
                                there),
                        new AcceptConfig(1000, 0, ProxyProtocolConfig.OFF, client)),
                taps,
                loops,
                new SimpleMeterRegistry());
    }

    /** Relays those clients of {@code front} that ask for one of the names. */
    Listener behind(Listener front, ServerSocket production, String... names) throws IOException {
        RelayConfig config = new RelayConfig("behind", front.address(), "127.0.0.1", production.getLocalPort());
        ServerNames all = new ServerNames(List.of(names));
        return Listener.behind(
                front, all, config, TapCarrier.inline(TapFactory.NONE), loops, new SimpleMeterRegistry());
    }

    /** Production that speaks TLS. */
    static SSLServerSocket production(SSLContext tls) throws IOException {
        SSLServerSocket server = (SSLServerSocket)
                tls.getServerSocketFactory().createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        server.setSoTimeout(RelayStage.PATIENCE_MILLIS);
        return server;
    }

    @Override
    public void close() {
        RelayStage.await("all buffers released", () -> loops.heldBytes() == 0);
        loops.close();
    }
}
