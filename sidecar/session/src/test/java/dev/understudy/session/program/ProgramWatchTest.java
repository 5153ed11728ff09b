package dev.understudy.session.program;

import com.sun.net.httpserver.HttpServer;
import dev.understudy.session.ledger.FileLedger;
import dev.understudy.session.ledger.Sessions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Programs that hang don't keep production's connections. */
@Tag("process")
final class ProgramWatchTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    private Path folder;

    private final BlockingQueue<String> hung = new LinkedBlockingQueue<>();
    private final ProgramWatch watch = new ProgramWatch(hung::add).start();
    private FileLedger ledger;
    private HttpServer healthy;

    @BeforeEach
    void open() throws Exception {
        ledger = new Sessions(folder.resolve("sessions"), Clock.systemUTC())
                .create("test", Files.createDirectory(folder.resolve("images")));
        healthy = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
        healthy.createContext("/healthz", exchange -> {
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        healthy.start();
    }

    @AfterEach
    void close() throws Exception {
        watch.close();
        healthy.stop(0);
        assertThat(ledger.finish().left()).isEmpty();
    }

    @Test
    void stoppedProgram_isKilled_andOthersAreLeftAlone() throws Exception {
        SupportProgram stopped = start("sleep 1000");
        SupportProgram other = start("sleep 1000");
        watch.add(stopped, healthy.getAddress());
        watch.add(other, healthy.getAddress());

        new ProcessBuilder("kill", "-STOP", Long.toString(stopped.pid()))
                .start()
                .waitFor();

        assertThat(hung.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .startsWith("the program is stopped; it is killed");
        await().atMost(PATIENCE).until(() -> !stopped.isAlive());
        assertThat(other.isAlive()).isTrue();
        assertThat(hung).isEmpty();
    }

    @Test
    void programWhosePortIsSilent_isKilled() throws Exception {
        SupportProgram silent = start("sleep 1000");
        try (ServerSocket port = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            watch.add(silent, (InetSocketAddress) port.getLocalSocketAddress());

            assertThat(hung.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .startsWith("the program doesn't answer any more");
            await().atMost(PATIENCE).until(() -> !silent.isAlive());
        }
    }

    @Test
    void log_isBounded_andItsLatestPartIsKept() throws Exception {
        SupportProgram talker = start("head -c 60000000 /dev/zero | tr '\\0' x; echo; echo last; exec sleep 1000");
        watch.add(talker, healthy.getAddress());
        Path log = folder.resolve("program.log");

        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(Files.size(log)).isLessThan(9 << 20);
            assertThat(folder.resolve("program.log.1")).exists();
        });

        assertThat(Files.size(folder.resolve("program.log.1"))).isLessThanOrEqualTo(8 << 20);
        assertThat(talker.isAlive()).isTrue();
    }

    private SupportProgram start(String script) throws Exception {
        return SupportProgram.start("program", List.of("sh", "-c", script), Map.of(), folder, ledger);
    }
}
