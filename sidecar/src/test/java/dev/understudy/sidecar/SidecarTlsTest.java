package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** TLS that a listener passes through. */
final class SidecarTlsTest {
    /** The first bytes that a TLS client sends. */
    private static byte[] clientHello() throws Exception {
        SSLEngine engine = SSLContext.getDefault().createSSLEngine("shop.test", 443);
        engine.setUseClientMode(true);
        ByteBuffer hello = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        engine.wrap(ByteBuffer.allocate(0), hello);
        byte[] bytes = new byte[hello.flip().remaining()];
        hello.get(bytes);
        return bytes;
    }

    @Test
    void passedThroughTls_isRelayed_butSaidNotToBeTeeable() throws Exception {
        AtomicLong seenByDebug = new AtomicLong();
        byte[] hello = clientHello();
        try (PlainServer production = PlainServer.open(socket -> {
                    assertThat(socket.getInputStream().readNBytes(hello.length)).isEqualTo(hello);
                    PlainServer.write(socket, "server hello");
                    PlainServer.readAll(socket);
                });
                PlainServer debug = PlainServer.open(socket ->
                        seenByDebug.addAndGet(PlainServer.readAll(socket).length()));
                Stage stage = Stage.open(production.address(), debug.address())) {
            try (Socket client = stage.connect()) {
                client.getOutputStream().write(hello);
                assertThat(PlainServer.readUntil(client, "server hello")).isEqualTo("server hello");
                client.getOutputStream().write(new byte[3000]);
            }
            stage.awaitNotCompared("ENCRYPTED", 1);
            JsonNode status = stage.awaitStatus(
                    "all bytes", s -> s.at("/losses/ENCRYPTED/bytes").asLong() == hello.length + 3000);
            assertThat(status.at("/losses/ENCRYPTED/events").asInt()).isEqualTo(1);
            assertThat(status.at("/notCompared/UNFRAMED").asInt()).isZero();
            assertThat(seenByDebug).hasValue(0);
        }
    }
}
