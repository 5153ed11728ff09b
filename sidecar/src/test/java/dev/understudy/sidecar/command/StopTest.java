package dev.understudy.sidecar.command;

import dev.understudy.sidecar.SidecarProgram;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/** A sidecar in a process of its own, told to stop while clients are served. */
final class StopTest {
    private static final int PATIENCE_MILLIS = 20_000;

    @TempDir
    Path folder;

    private ServerSocket production;
    private SidecarProgram sidecar;

    @BeforeEach
    void start() throws IOException {
        production = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        production.setSoTimeout(PATIENCE_MILLIS);
        Path settings = Files.writeString(folder.resolve("sidecar.yaml"), """
                listeners:
                  - { name: shop, listen: 127.0.0.1:0, production: "127.0.0.1:%d", protocol: tcp }
                control: { listen: 127.0.0.1:0 }
                drain: 1m
                """.formatted(production.getLocalPort()));
        sidecar = SidecarProgram.start(settings);
    }

    @AfterEach
    void kill() throws IOException {
        sidecar.close();
        production.close();
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), sidecar.port("shop"));
        socket.setSoTimeout(PATIENCE_MILLIS);
        return socket;
    }

    private boolean refuses() {
        try (Socket socket = connect()) {
            return !socket.isConnected();
        } catch (IOException refused) {
            return true;
        }
    }

    @Test
    void terminated_letsOpenExchangesEnd_takesNoNewOnes_andExitsWithZero() throws Exception {
        try (Socket client = connect();
                Socket server = production.accept()) {
            client.getOutputStream().write('?');
            assertThat(server.getInputStream().read()).isEqualTo('?');
            sidecar.terminate();
            await().atMost(Duration.ofSeconds(10)).until(this::refuses);
            production.close();
            server.getOutputStream().write('!');
            assertThat(client.getInputStream().read()).isEqualTo('!');
            client.getOutputStream().write('?');
            assertThat(server.getInputStream().read()).isEqualTo('?');
            assertThat(sidecar.process.isAlive()).isTrue();
        }
        assertThat(sidecar.process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(sidecar.process.exitValue()).isZero();
    }

    @Test
    void secondSignal_hurries() throws Exception {
        try (Socket client = connect();
                Socket server = production.accept()) {
            client.getOutputStream().write('?');
            assertThat(server.getInputStream().read()).isEqualTo('?');
            sidecar.terminate();
            await().atMost(Duration.ofSeconds(10)).until(this::refuses);
            long begun = System.nanoTime();
            sidecar.terminate();
            assertThatThrownBy(() -> client.getInputStream().read()).hasMessageContaining("reset");
            assertThat(sidecar.process.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(System.nanoTime() - begun)
                    .isLessThan(Duration.ofSeconds(15).toNanos());
            assertThat(sidecar.process.exitValue()).isZero();
        }
    }
}
