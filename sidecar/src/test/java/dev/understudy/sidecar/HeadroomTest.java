package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** A sidecar whose JVM has less memory than its window may take, and a debug JVM that takes nothing. */
@Tag("process")
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
                            + "control: {listen: '127.0.0.1:0', anonymous: admin}\n"
                            + "tap: {carrier: inline}\ndrain: 100ms\n");
            try (SidecarProgram sidecar = SidecarProgram.start(settings, List.of("-Xmx64m"), program -> {})) {
                send(sidecar.port("shop"));
                assertThat(received.get()).isEqualTo((long) CLIENTS * MIB_EACH * MIB);

                URI status = URI.create("http://" + sidecar.address("control") + "/v1/status");
                JsonNode said = new ObjectMapper().readTree(status.toURL().openStream());
                assertThat(said.at("/window/capacityBytes").asLong())
                        .as(said.toPrettyString())
                        .isBetween(1L * MIB, 32L * MIB);
                assertThat(sidecar.log())
                        .contains("window.memory: 256 MiB is more than half of what this JVM has")
                        .doesNotContain("OutOf");
            } finally {
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
