package dev.understudy.relay.log;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class LogQueueTest {
    private final CountDownLatch readable = new CountDownLatch(1);
    private final ByteArrayOutputStream read = new ByteArrayOutputStream();
    private final LogQueue queue = new LogQueue(new PrintStream(new Pipe()), lost -> lost + " lost");
    private final PrintStream err = new PrintStream(queue, false, StandardCharsets.UTF_8);

    @Test
    void lines_areWritten_inOrderAndWhole() throws Exception {
        readable.countDown();
        err.println("one");
        err.print("tw");
        err.println("o");
        err.println("drei: größer");
        queue.drain(Duration.ofSeconds(20));
        assertThat(read.toString(StandardCharsets.UTF_8)).isEqualTo("one\ntwo\ndrei: größer\n");
    }

    @Test
    void whatCommandsATerminal_isNotWritten() throws Exception {
        readable.countDown();
        err.println("a\u001b[2Jb\u0007\u007f\u009b31m\tü\u00a0–");
        queue.drain(Duration.ofSeconds(20));
        String read = this.read.toString(StandardCharsets.UTF_8);
        assertThat(read).startsWith("a?[2Jb??").endsWith("?31m\tü\u00a0–\n");
        assertThat(read.chars().filter(c -> c != '\n' && c != '\t' && Character.isISOControl(c)))
                .isEmpty();
    }

    @Test
    void nobodyWaits_whileNobodyReads_andWhatWasLostIsTold() throws Exception {
        String line = "x".repeat(1000);
        int each = 5000;
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            Thread thread = new Thread(() -> {
                for (int n = 0; n < each; n++) {
                    err.println(line);
                }
            });
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        readable.countDown();
        queue.drain(Duration.ofSeconds(20));
        err.println("afterwards");
        queue.drain(Duration.ofSeconds(20));

        List<String> lines = read.toString(StandardCharsets.UTF_8).lines().toList();
        assertThat(lines.stream().mapToLong(String::length).sum()).isLessThan(LogQueue.ROOM + 2000);
        long kept = lines.stream().filter(line::equals).count();
        assertThat(kept).isPositive();
        assertThat(lines.subList((int) kept, lines.size())).containsExactly(4L * each - kept + " lost", "afterwards");
    }

    @Test
    void drain_givesUp_whenNobodyReads() throws Exception {
        err.println("never read");
        queue.drain(Duration.ofMillis(50));
        assertThat(read.size()).isZero();
    }

    /** Takes nothing until it is read. */
    private final class Pipe extends OutputStream {
        @Override
        public void write(int one) {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) {
            try {
                readable.await();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
            read.write(bytes, from, length);
        }
    }
}
