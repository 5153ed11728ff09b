package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.sidecar.command.Main;
import java.io.BufferedReader;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** A sidecar whose JVM has less memory than its window may take, and a debug JVM that takes nothing. */
@Timeout(120)
final class HeadroomTest {
    private static final int MIB = 1 << 20;
    private static final int CLIENTS = 12;
    private static final int MIB_EACH = 16;

    @TempDir
    Path folder;

    @Test
    void windowLargerThanTheJvm_costsNoClientItsConnection() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        AtomicLong received = new AtomicLong();
        try (PlainServer production = PlainServer.open(socket -> take(socket, received));
                PlainServer debug = PlainServer.open(socket -> over.await())) {
            Path settings = Files.writeString(
                    folder.resolve("sidecar.yaml"),
                    "listeners: [{name: shop, listen: '127.0.0.1:0', protocol: tcp, production: '127.0.0.1:"
                            + production.address().getPort() + "', debug: '127.0.0.1:"
                            + debug.address().getPort() + "'}]\n"
                            + "control: {listen: '127.0.0.1:0'}\ndrain: 100ms\n");
            Path log = folder.resolve("log");
            Process sidecar = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx64m",
                            "-XX:TieredStopAtLevel=1",
                            "--enable-native-access=ALL-UNNAMED",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Main.class.getName(),
                            "sidecar",
                            "--config",
                            settings.toString())
                    .redirectError(log.toFile())
                    .start();
            try (BufferedReader out = sidecar.inputReader(StandardCharsets.UTF_8)) {
                String ready = out.readLine();
                assertThat(ready).startsWith("understudy sidecar ready: ");
                int port = Integer.parseInt(ready.replaceAll(".*shop=127.0.0.1:(\\d+).*", "$1"));
                send(port);
                assertThat(received.get()).isEqualTo((long) CLIENTS * MIB_EACH * MIB);

                URI status = URI.create("http://" + ready.replaceAll(".*control=", "") + "/v1/status");
                JsonNode said = new ObjectMapper().readTree(status.toURL().openStream());
                assertThat(said.at("/window/capacityBytes").asLong())
                        .as(said.toPrettyString())
                        .isBetween(1L * MIB, 32L * MIB);
                assertThat(Files.readString(log))
                        .contains("window.memory: 256 MiB is more than half of what this JVM has")
                        .doesNotContain("OutOf");
            } finally {
                sidecar.destroyForcibly().waitFor();
                over.countDown();
            }
        }
    }

    private static void send(int port) throws Exception {
        List<Socket> clients = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int n = 0; n < CLIENTS; n++) {
            Socket client = new Socket(InetAddress.getLoopbackAddress(), port);
            clients.add(client);
            threads.add(new Thread(() -> {
                try {
                    byte[] piece = new byte[64 << 10];
                    for (int sent = 0; sent < MIB_EACH * MIB; sent += piece.length) {
                        client.getOutputStream().write(piece);
                    }
                    client.shutdownOutput();
                    client.getInputStream().read();
                } catch (IOException cut) {
                    // then production misses bytes
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        for (Socket client : clients) {
            client.close();
        }
    }

    private static void take(Socket socket, AtomicLong received) throws Exception {
        byte[] piece = new byte[64 << 10];
        int read = socket.getInputStream().read(piece);
        while (read >= 0) {
            received.addAndGet(read);
            read = socket.getInputStream().read(piece);
        }
        new DataOutputStream(socket.getOutputStream()).writeByte(1);
    }
}
