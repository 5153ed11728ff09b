package dev.understudy.sidecar;

import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.understudy.sidecar.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

class HeapSweepTest {
    private static final long SOME = HeapSweep.GROWTH;
    private static final byte[] REQUEST =
            "GET / HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] REPLY =
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok".getBytes(StandardCharsets.US_ASCII);

    @TempDir
    Path folder;

    @Test
    void growthWhileSomethingWaits_isSweptOnceInAWhile() {
        AtomicLong old = new AtomicLong(10 * SOME);
        AtomicInteger sweeps = new AtomicInteger();
        try (HeapSweep sweep = new HeapSweep(old::get, sweeps::incrementAndGet)) {
            sweep.look(true, 0);
            old.addAndGet(SOME);
            sweep.look(false, 1);
            assertThat(sweeps).as("nothing waits").hasValue(0);

            sweep.look(true, 2);
            await().untilAsserted(() -> assertThat(sweeps).hasValue(1));

            old.addAndGet(SOME - 1);
            sweep.look(true, 2 + HeapSweep.PAUSE_NANOS);
            old.addAndGet(1);
            sweep.look(true, 1 + HeapSweep.PAUSE_NANOS);
            assertThat(sweeps).as("too little, and too early").hasValue(1);

            sweep.look(true, 3 + HeapSweep.PAUSE_NANOS);
            await().untilAsserted(() -> assertThat(sweeps).hasValue(2));
        }
    }

    @Test
    void whatASweepTakesAway_countsAgain() {
        AtomicLong old = new AtomicLong(10 * SOME);
        AtomicInteger sweeps = new AtomicInteger();
        try (HeapSweep sweep = new HeapSweep(old::get, sweeps::incrementAndGet)) {
            sweep.look(true, 0);
            old.set(2 * SOME);
            sweep.look(true, 1);
            old.set(3 * SOME);
            sweep.look(true, 2);

            await().untilAsserted(() -> assertThat(sweeps).hasValue(1));
        }
    }

    @Tag("process")
    @Test
    void sidecarWhoseDebugJvmStands_sweepsBesideItsWork() throws Exception {
        assertThat(collections("(System.gc())", "-XX:+UseG1GC", "-XX:+ExplicitGCInvokesConcurrent"))
                .contains("(Concurrent Start) (System.gc())")
                .doesNotContain("Pause Full (System.gc())");
    }

    @Tag("process")
    @Test
    void sidecarThatWouldStopForIt_doesNotSweep() throws Exception {
        assertThat(collections("Pause Young", "-XX:+UseG1GC")).doesNotContain("System.gc()");
    }

    /** The log of collections of a sidecar with many connections that wait; has {@code awaited} in it. */
    private String collections(String awaited, String... flags) throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        try (PlainServer production = PlainServer.open(socket -> {
                    socket.getInputStream().readNBytes(REQUEST.length);
                    socket.getOutputStream().write(REPLY);
                    socket.close();
                });
                PlainServer debug = PlainServer.open(socket -> over.await())) {
            Path settings = Files.writeString(
                    folder.resolve("sidecar.yaml"),
                    "listeners: [{name: shop, listen: '127.0.0.1:0', protocol: http, production: '127.0.0.1:"
                            + production.address().getPort() + "', debug: '127.0.0.1:"
                            + debug.address().getPort() + "'}]\n"
                            + "control: {listen: '127.0.0.1:0', anonymous: admin}\n"
                            + "tap: {carrier: inline}\ndrain: 100ms\n");
            Path log = folder.resolve("gc.log");
            List<String> arguments = new ArrayList<>(List.of(flags));
            arguments.addAll(List.of("-Xmx256m", "-Xmn4m", "-Xlog:gc:file=" + log));
            try (SidecarProgram sidecar = SidecarProgram.start(settings, arguments, program -> {})) {
                for (int n = 0;
                        n < 5_000 && (n % 100 != 0 || !Files.readString(log).contains(awaited));
                        n++) {
                    ask(sidecar.port("shop"));
                }
                await().until(() -> Files.readString(log).contains(awaited));
            } finally {
                over.countDown();
            }
            return Files.readString(log);
        }
    }

    private static void ask(int port) throws Exception {
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
            client.getOutputStream().write(REQUEST);
            assertThat(client.getInputStream().readAllBytes()).isEqualTo(REPLY);
        }
    }
}
