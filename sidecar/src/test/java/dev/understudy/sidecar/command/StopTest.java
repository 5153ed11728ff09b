package dev.understudy.sidecar.command;

import dev.understudy.sidecar.SidecarProgram;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.understudy.sidecar.Patience.await;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A sidecar in a process of its own, told to stop while clients are served. */
@Tag("process")
final class StopTest {
    private static final int PATIENCE_MILLIS = 60_000;

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
                control: { listen: 127.0.0.1:0, anonymous: admin }
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
            await().until(this::refuses);
            production.close();
            server.getOutputStream().write('!');
            assertThat(client.getInputStream().read()).isEqualTo('!');
            client.getOutputStream().write('?');
            assertThat(server.getInputStream().read()).isEqualTo('?');
            assertThat(sidecar.process.isAlive()).isTrue();
        }
        assertThat(sidecar.process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(sidecar.process.exitValue()).isZero();
    }

    @Test
    void secondSignal_hurries() throws Exception {
        try (Socket client = connect();
                Socket server = production.accept()) {
            client.getOutputStream().write('?');
            assertThat(server.getInputStream().read()).isEqualTo('?');
            sidecar.terminate();
            await().until(this::refuses);
            sidecar.terminate();
            assertThatThrownBy(() -> client.getInputStream().read()).hasMessageContaining("reset");
            assertThat(sidecar.process.waitFor(40, TimeUnit.SECONDS))
                    .as("before the drain's minute is over")
                    .isTrue();
            assertThat(sidecar.process.exitValue()).isZero();
        }
    }

    @Test
    void secondSignal_hurriesTheLaneProcess_whichStillSaysHowFaithfulItWas() throws Exception {
        try (ServerSocket debug = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Path settings = Files.writeString(
                    folder.resolve("teed.yaml"), """
                    listeners:
                      - { name: shop, listen: 127.0.0.1:0, production: "127.0.0.1:%d", debug: "127.0.0.1:%d" }
                    control: { listen: 127.0.0.1:0, anonymous: admin }
                    drain: 10m
                    """.formatted(production.getLocalPort(), debug.getLocalPort()));
            sidecar.close();
            sidecar = SidecarProgram.start(settings);
            try (Socket client = connect();
                    Socket server = production.accept()) {
                client.getOutputStream().write("GET / HTTP/1.1\r\nHost: shop\r\n\r\n".getBytes(US_ASCII));
                assertThat(server.getInputStream().read()).isEqualTo('G');
                sidecar.terminate();
                await().until(this::refuses);
                sidecar.terminate();
                assertThat(sidecar.process.waitFor(60, TimeUnit.SECONDS))
                        .as("before the drain's ten minutes are over")
                        .isTrue();
                assertThat(sidecar.process.exitValue()).isZero();
            }
            assertThat(sidecar.lastLines()).singleElement().asString().startsWith("shop: ");
            assertThat(sidecar.log()).doesNotContain("started again");
        }
    }

    @Test
    void terminatedBeforeTheLaneProcessIsReady_letsOpenExchangesEnd_andLeavesNothing() throws Exception {
        Path rings = folder.resolve("rings");
        Path settings = Files.writeString(
                folder.resolve("early.yaml"), """
                listeners:
                  - { name: shop, listen: "127.0.0.1:%d", production: "127.0.0.1:%d", protocol: tcp }
                control: { listen: 127.0.0.1:0, anonymous: admin }
                tap: { directory: '%s', lane-java-options:
                  '-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,address=127.0.0.1:0' }
                drain: 1m
                """.formatted(sidecar.port("shop"), production.getLocalPort(), rings));
        sidecar.close();
        Process early = SidecarProgram.program(settings, List.of("-Xmx64m"))
                .redirectError(folder.resolve("early.log").toFile())
                .start();
        try (Socket client = await("its listener").ignoreExceptions().until(this::connect, Socket::isConnected);
                Socket server = production.accept()) {
            early.destroy();
            await().until(this::refuses);
            server.getOutputStream().write('!');
            assertThat(client.getInputStream().read()).isEqualTo('!');
        }
        assertThat(early.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(early.exitValue())
                .as(Files.readString(folder.resolve("early.log")))
                .isZero();
        assertThat(rings).isEmptyDirectory();
    }
}
