package dev.understudy.observatory.node;

import dev.understudy.observatory.sample.SampleException;
import dev.understudy.observatory.sample.SampleReader;
import dev.understudy.observatory.sample.SampleSeries;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** This machine's kernel, and processes that do what is to be seen. */
@Tag("process")
final class NodeSamplerTest {
    private static final Path PROC = Path.of("/proc");
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir
    Path folder;

    private final StringWriter messages = new StringWriter();
    private final AtomicBoolean stopped = new AtomicBoolean();
    private Thread sampler = new Thread(() -> {});

    private void start(String... processes) throws IOException {
        assumeTrue(Files.isReadable(PROC.resolve("stat")), "skipped: this isn't Linux");
        NodeConfig config = new NodeConfig(
                folder.resolve("samples"), Duration.ofMillis(20), List.of(processes), 16 << 20, Duration.ZERO);
        NodeSampler node = NodeSampler.open(config, PROC, Path.of("/sys"), new PrintWriter(messages));
        sampler = new Thread(() -> {
            try (node) {
                node.run(stopped::get);
            }
        });
        sampler.start();
    }

    @AfterEach
    void stop() throws InterruptedException {
        stopped.set(true);
        sampler.join(PATIENCE.toMillis());
        assertThat(sampler.isAlive()).isFalse();
    }

    private void await(String source, String metric, Predicate<double[]> expected) {
        await(source, name -> name.equals(metric), expected);
    }

    private void await(String source, Predicate<String> metric, Predicate<double[]> expected) {
        Awaitility.await(source).atMost(PATIENCE).until(() -> {
            try {
                List<SampleSeries> all = SampleReader.read(folder.resolve("samples"), 0, Long.MAX_VALUE, 10_000_000)
                        .series();
                return all.stream()
                        .anyMatch(series -> series.source().equals(source)
                                && metric.test(series.metric())
                                && expected.test(series.values()));
            } catch (SampleException nothingYet) {
                return false;
            }
        });
    }

    private static Predicate<double[]> above(double least) {
        return values -> Arrays.stream(values).anyMatch(value -> value > least);
    }

    @Test
    void processThatComputes_isSeen_andSoAreItsEndAndItsNextStart() throws Exception {
        String name = "burning-" + folder.getFileName();
        start(name);
        Awaitility.await().until(() -> messages.toString().contains("no process matches --process yet"));
        for (int i = 0; i < 2; i++) {
            Process burning = new ProcessBuilder("sh", "-c", "while :; do :; done # " + name).start();
            try {
                String source = name + " " + burning.pid();
                await(source, "processor.busy", above(0.05));
                await(source, "processor.user", above(0.05));
                await(source, "processor.threads", values -> values[0] == 1);
                await(source, "memory.resident", above(100_000));
                await("host", "processor.busy", above(0.05));
            } finally {
                burning.destroyForcibly();
            }
        }
        assertThat(messages.toString()).containsOnlyOnce("burning-");
        assertThat(messages.toString()).contains("is sampled from now on");
    }

    @Test
    void writtenPages_areDirty_andThenGoToTheDisk() throws IOException {
        start();
        byte[] zeros = new byte[1 << 20];
        AtomicBoolean enough = new AtomicBoolean();
        Thread writer = new Thread(() -> {
            while (!enough.get()) {
                write(zeros);
            }
        });
        writer.start();
        try {
            await("host", "memory.dirty", above(1 << 20));
            boolean onDisk = Files.getFileStore(folder).type().matches("ext.|xfs|btrfs");
            if (onDisk) {
                await("host", metric -> metric.matches("disk\\..*\\.write"), above(1 << 20));
                await("host", metric -> metric.matches("disk\\..*\\.busy"), above(0));
                await("host", "memory.written", above(1 << 20));
            }
        } finally {
            enough.set(true);
        }
        Awaitility.await().until(() -> !writer.isAlive());
    }

    private void write(byte[] zeros) {
        try (FileChannel file =
                FileChannel.open(folder.resolve("zeros"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            for (int i = 0; i < 32; i++) {
                file.write(ByteBuffer.wrap(zeros));
                TimeUnit.MILLISECONDS.sleep(5);
            }
            file.force(true);
        } catch (IOException | InterruptedException failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Test
    void jvmWithASmallHeap_showsItsCollectorsPauses_withoutBeingAttachedTo() throws Exception {
        Process collecting = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx24m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SmallHeap.class.getName())
                .inheritIO()
                .start();
        try {
            start(Long.toString(collecting.pid()));
            String source = "java " + collecting.pid();
            await(source, "collector.pause", above(0.01));
            await(source, "collector.runs", above(0));
            await(source, "safepoint.pause", above(0));
            await(source, "processor.wait", above(0));
            await(source, "processor.runs", above(0));
            await(source, "memory.fault.minor", above(0));
            assertThat(messages.toString()).doesNotContain("collector.*");
        } finally {
            collecting.destroyForcibly();
        }
        Awaitility.await().until(() -> messages.toString().contains("has ended"));
    }

    @Test
    void processThatIsNotThere_isRefused_withTheWayOut() {
        assertThatThrownBy(() -> start("999999999"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("--process 999999999: no such process (expected: one that runs on this machine");
    }

    @Test
    void machineWithoutProc_isRefused() {
        NodeConfig config = new NodeConfig(folder, Duration.ofMillis(20), List.of(), 16 << 20, Duration.ZERO);
        assertThatThrownBy(() -> NodeSampler.open(config, folder, folder, new PrintWriter(messages)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("expected: Linux with /proc mounted");
    }

    /** Fills its heap again and again. */
    static final class SmallHeap {
        private SmallHeap() {}

        public static void main(String[] args) throws InterruptedException {
            byte[][] kept = new byte[1500][];
            for (int i = 0; ; i++) {
                kept[i % kept.length] = new byte[8192];
                if (i % 2000 == 0) {
                    Thread.sleep(1);
                }
            }
        }
    }
}
