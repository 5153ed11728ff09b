package dev.understudy.observatory.node.process;

import dev.understudy.observatory.node.kernel.KernelFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

/** Files as kernels write them, in the place of {@code /proc}. */
final class ProcessMetricsTest {
    private static final int PID = 999_999_999;
    private static final String STAT =
            PID + " (a) b (c) S 1 2 3 4 -1 5 100 0 7 0 500 250 0 0 20 0 12 0 7 8 1000 9 10 11 12 "
                    + "13 14 15 16 17 18 19 20 21 22 23 24 25 40 0 0\n";

    @TempDir
    Path proc;

    private final List<String> notices = new ArrayList<>();
    private final double[] row = new double[ProcessMetrics.METRICS.size()];

    @BeforeEach
    void writeFiles() throws IOException {
        files().forEach(this::write);
    }

    private Map<String, String> files() {
        String process = PID + "/";
        Map<String, String> files = new TreeMap<>();
        files.put(process + "stat", STAT);
        files.put(process + "io", "rchar: 1\nread_bytes: 1000\nwrite_bytes: 2000\ncancelled_write_bytes: 0\n");
        files.put(process + "status", "Name: a\nNSpid: 999999999 1\n");
        files.put(process + "task/1/schedstat", "1000 2000 3\n");
        files.put(process + "task/2/schedstat", "5000 0 1\n");
        files.put(process + "cgroup", "0::/shop/orders\n");
        files.put("self/mountinfo", "35 30 0:30 / " + proc.resolve("group") + " rw,nosuid - cgroup2 cgroup rw\n");
        files.put("group/shop/orders/cpu.stat", "usage_usec 5\nnr_throttled 2\nthrottled_usec 1000\n");
        files.put("group/orders/cpu.stat", "nr_periods 7\nnr_throttled 2\nthrottled_time 1000\n");
        return files;
    }

    private void write(String name, String text) {
        try {
            Path file = proc.resolve(name);
            Files.createDirectories(file.getParent());
            KernelFixture.overwrite(file, text);
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private ProcessMetrics open() throws IOException {
        ProcessMetrics process = new ProcessMetrics(proc, PID, null, 4096, notices::add);
        process.look();
        return process;
    }

    private double value(String metric) {
        return row[ProcessMetrics.METRICS.indexOf(metric)];
    }

    @Test
    void process_isWhatRoseSinceTheSampleBefore() throws IOException {
        try (ProcessMetrics process = open()) {
            assertThat(process.source()).isEqualTo("a-b-c 999999999");
            process.sample(0, 0.1, row);
            write(
                    PID + "/stat",
                    STAT.replace(" 100 0 7 0 500 250 ", " 130 0 8 0 505 253 ").replace(" 25 40 ", " 25 44 "));
            write(PID + "/io", "read_bytes: 1500\nwrite_bytes: 4000\n");
            write(PID + "/task/1/schedstat", "9000 50002000 13\n");
            write("group/shop/orders/cpu.stat", "throttled_usec 26000\n");
            assertThat(process.sample(0, 0.1, row)).isTrue();
        }
        assertThat(value("processor.user")).isCloseTo(0.5, within(1e-6));
        assertThat(value("processor.system")).isCloseTo(0.3, within(1e-6));
        assertThat(value("processor.busy")).isCloseTo(0.8, within(1e-9));
        assertThat(value("processor.wait")).isCloseTo(0.5, within(1e-6));
        assertThat(value("processor.runs")).isCloseTo(100.0, within(1e-6));
        assertThat(value("processor.throttled")).isCloseTo(0.25, within(1e-6));
        assertThat(value("processor.threads")).isCloseTo(12.0, within(1e-6));
        assertThat(value("disk.wait")).isCloseTo(0.4, within(1e-6));
        assertThat(value("disk.read")).isCloseTo(5_000.0, within(1e-6));
        assertThat(value("disk.write")).isCloseTo(20_000.0, within(1e-6));
        assertThat(value("memory.resident")).isCloseTo(4_096_000.0, within(1e-6));
        assertThat(value("memory.fault.minor")).isCloseTo(300.0, within(1e-6));
        assertThat(value("memory.fault.major")).isCloseTo(10.0, within(1e-6));
        assertThat(value("collector.pause")).isNaN();
        assertThat(notices).isEmpty();
    }

    @Test
    void groupOfVersion1_isThrottled_inNanoseconds() throws IOException {
        write(PID + "/cgroup", "9:name=systemd:/\n1:cpu,cpuacct:/orders\n0::/\n");
        write(
                "self/mountinfo",
                "1 2 0:3 / " + proc.resolve("unified") + " rw - cgroup2 cgroup2 rw\n" + "1 2 0:3 / "
                        + proc.resolve("group") + " rw shared:1 - cgroup cgroup rw,cpu,cpuacct\n");
        try (ProcessMetrics process = open()) {
            process.sample(0, 0.1, row);
            write("group/orders/cpu.stat", "throttled_time 50001000\n");
            process.sample(0, 0.1, row);
        }
        assertThat(value("processor.throttled")).isCloseTo(0.5, within(1e-6));
    }

    @Test
    void withoutAGroup_itIsUnknown_withTheWayOut() throws IOException {
        write("self/mountinfo", "\n");
        try (ProcessMetrics process = open()) {
            process.sample(0, 0.1, row);
            process.sample(0, 0.1, row);
        }
        assertThat(value("processor.throttled")).isNaN();
        assertThat(notices).singleElement().asString().contains("mount cgroup2");
    }

    @Test
    void oldKernelWithFewerFields_leavesThemUnknown() throws IOException {
        write(PID + "/stat", PID + " (java) S 1 2 3 4 -1 5 100 0 7 0 500 250\n");
        try (ProcessMetrics process = open()) {
            process.sample(0, 0.1, row);
            process.sample(0, 0.1, row);
        }
        assertThat(value("processor.busy")).isZero();
        assertThat(value("memory.resident")).isNaN();
        assertThat(value("disk.wait")).isNaN();
    }

    @Test
    void processWithoutFiles_isRefused() {
        assertThatThrownBy(() -> new ProcessMetrics(proc, 5, null, 4096, notices::add).close())
                .isInstanceOf(IOException.class);
    }

    @Test
    void damagedFiles_areNumbersOrNothing() {
        for (long seed = 1; seed <= 200; seed++) {
            Random random = new Random(seed);
            files().forEach((name, text) -> write(name, random.nextInt(3) == 0 ? damage(text, random) : text));
            try (ProcessMetrics process = open()) {
                for (int i = 0; i < 3; i++) {
                    files().forEach((name, text) -> write(name, random.nextInt(4) == 0 ? damage(text, random) : text));
                    if (process.sample(0, 0.1, row)) {
                        assertThat(row).as("seed %d", seed).doesNotContain(Double.POSITIVE_INFINITY);
                    }
                }
            } catch (IOException noProcess) {
                assertThat(noProcess.getMessage()).as("seed %d", seed).contains("isn't of a process");
            }
        }
    }

    private static String damage(String text, Random random) {
        StringBuilder damaged = new StringBuilder(text);
        for (int i = random.nextInt(8); i > 0; i--) {
            damaged.setCharAt(random.nextInt(damaged.length()), ":,/() \n-9\0\u00ffx".charAt(random.nextInt(12)));
        }
        damaged.setLength(random.nextInt(4) == 0 ? random.nextInt(damaged.length()) : damaged.length());
        return damaged.toString();
    }
}
