package dev.understudy.observatory.node.kernel;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.understudy.observatory.node.kernel.KernelFixture.sample;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

final class HostMetricsTest {
    @TempDir
    Path folder;

    @Test
    void processors_areSharesOfAllTheirTime() throws IOException {
        KernelFixture kernel = new KernelFixture(folder);
        try (HostMetrics processor = kernel.processor()) {
            sample(processor, 0.5);
            kernel.write("stat", KernelFixture.STAT_LATER);
            Map<String, Double> values = sample(processor, 0.5);

            assertThat(values)
                    .containsEntry("processor.busy", 0.5)
                    .containsEntry("processor.user", 0.4)
                    .containsEntry("processor.system", 0.1)
                    .containsEntry("processor.iowait", 0.1)
                    .containsEntry("processor.irq", 0.0)
                    .containsEntry("processor.steal", 0.1)
                    .containsEntry("processor.most", 0.8)
                    .containsEntry("processor.queue", 2.0)
                    .containsEntry("processor.blocked", 0.0)
                    .containsEntry("processor.switches", 200.0);
        }
    }

    @Test
    void processors_ofAKernelWithoutSteal_haveNone() throws IOException {
        KernelFixture kernel = new KernelFixture(folder);
        kernel.write("stat", "cpu  10 0 10 80\n");
        try (HostMetrics processor = kernel.processor()) {
            sample(processor, 1);
            kernel.write("stat", "cpu  20 0 20 160\n");
            Map<String, Double> values = sample(processor, 1);

            assertThat(values).containsEntry("processor.user", 0.1).containsEntry("processor.steal", Double.NaN);
        }
    }

    @Test
    void memory_isWhatIsUsedAndWhatWaitsForADisk() throws IOException {
        KernelFixture kernel = new KernelFixture(folder);
        try (HostMetrics memory = kernel.memory()) {
            sample(memory, 1);
            kernel.write(
                    "vmstat",
                    KernelFixture.VMSTAT
                            .replace("allocstall_normal 5", "allocstall_normal 9")
                            .replace("pgscan_direct 10", "pgscan_direct 30"));
            Map<String, Double> values = sample(memory, 2);

            assertThat(values)
                    .containsEntry("memory.used", 400 * 1024.0)
                    .containsEntry("memory.filled", 700 * 1024.0)
                    .containsEntry("memory.dirty", 50 * 1024.0)
                    .containsEntry("memory.writeback", 7 * 1024.0)
                    .containsEntry("memory.scan", 10.0)
                    .containsEntry("memory.stalls", 2.0);
        }
    }

    @Test
    void disks_areWholeOnes_theBusiestFirst() throws IOException {
        KernelFixture kernel = new KernelFixture(folder);
        try (HostMetrics disks = kernel.disks()) {
            assertThat(disks.metrics()).hasSize(12).startsWith("disk.sda.busy").contains("disk.vda.queue");
            sample(disks, 1);
            kernel.write(
                    "diskstats",
                    KernelFixture.DISKSTATS.replace(
                            "100 1 2000 50 200 2 4000 90 1 1000 3000", "150 1 2100 50 220 2 4400 90 1 1250 4500"));
            Map<String, Double> values = sample(disks, 0.5);

            assertThat(values)
                    .containsEntry("disk.sda.busy", 0.5)
                    .containsEntry("disk.sda.queue", 3.0)
                    .containsEntry("disk.sda.read", 100 * 512 / 0.5)
                    .containsEntry("disk.sda.write", 400 * 512 / 0.5)
                    .containsEntry("disk.sda.reads", 100.0)
                    .containsEntry("disk.sda.writes", 40.0)
                    .containsEntry("disk.vda.busy", 0.0);
        }
    }

    @Test
    void disks_areBounded() throws IOException {
        KernelFixture kernel = new KernelFixture(folder);
        StringBuilder many = new StringBuilder();
        for (int i = 0; i < 30; i++) {
            Files.createDirectories(kernel.sys.resolve("block").resolve("nvme" + i + "n1"));
            many.append("259 ")
                    .append(i)
                    .append(" nvme")
                    .append(i)
                    .append("n1 ")
                    .append(i)
                    .append(" 0 0 0 0 0 0 0 0 0 0\n");
        }
        kernel.write("diskstats", many.toString());
        try (HostMetrics disks = kernel.disks()) {
            assertThat(disks.metrics()).hasSize(DiskMetrics.MOST * 6).startsWith("disk.nvme29n1.busy");
            assertThat(kernel.notices).hasSize(1);
        }
    }

    @Test
    void network_isThatOfHardware_withLossesEvery100Milliseconds() throws IOException {
        KernelFixture kernel = new KernelFixture(folder);
        try (HostMetrics network = kernel.network()) {
            sample(network, 0.05);
            kernel.write(
                    "net/dev",
                    KernelFixture.DEV.replace("eth0:5000", "eth0:6000").replace("lo: 1000", "lo: 3000"));
            kernel.write("net/snmp", KernelFixture.SNMP.replace("-1 40", "-1 45"));
            kernel.write("net/netstat", KernelFixture.NETSTAT.replace("0 3 4", "0 5 8"));
            Map<String, Double> first = sample(network, 0.05);
            Map<String, Double> second = sample(network, 0.05);

            assertThat(first.get("network.receive")).isCloseTo(20_000, within(1e-6));
            assertThat(first.get("network.loopback")).isCloseTo(40_000, within(1e-6));
            assertThat(first).containsEntry("network.drops", 0.0).containsEntry("network.retransmits", Double.NaN);
            assertThat(second.get("network.retransmits")).isCloseTo(50, within(1e-6));
            assertThat(second.get("network.listen.overflows")).isCloseTo(20, within(1e-6));
            assertThat(second.get("network.listen.drops")).isCloseTo(40, within(1e-6));
            assertThat(second.get("network.buffers")).isEqualTo(76.0 * PageSize.read(Path.of("/proc/self/auxv")));
        }
    }

    @Test
    void pressure_isAShareOfTime() throws IOException {
        KernelFixture kernel = new KernelFixture(folder);
        try (HostMetrics pressure = kernel.pressure()) {
            sample(pressure, 0.1);
            kernel.write("pressure/io", KernelFixture.PRESSURE.replace("1000000", "1050000"));
            Map<String, Double> values = sample(pressure, 0.1);

            assertThat(values).containsEntry("pressure.io.some", 0.5).containsEntry("pressure.cpu.some", 0.0);
        }
    }

    @Test
    void kernelWithoutSomeFiles_givesEmptyColumns_andOneMessageForEach() throws IOException {
        KernelFixture kernel = new KernelFixture(folder);
        Path none = folder.resolve("none");
        Files.createDirectories(none);
        for (HostMetrics metrics : List.of(
                new ProcessorMetrics(none, kernel.notices::add),
                new MemoryMetrics(none, kernel.notices::add),
                new PressureMetrics(none, kernel.notices::add),
                new NetworkMetrics(none, none, kernel.notices::add))) {
            try (metrics) {
                sample(metrics, 1);
                assertThat(sample(metrics, 1))
                        .allSatisfy((name, value) -> assertThat(value).isNaN());
            }
        }
        assertThat(kernel.notices).hasSize(8);
        assertThat(kernel.notices).anySatisfy(text -> assertThat(text).contains("psi=1"));
    }

    /** Whatever stands there: no exception, and a number or none. */
    @Test
    void damagedFiles_areNumbersOrNothing() throws IOException {
        for (long seed = 1; seed <= 40; seed++) {
            Random random = new Random(seed);
            KernelFixture kernel = new KernelFixture(folder);
            Map<String, String> files = new TreeMap<>(KernelFixture.files());
            files.replaceAll((name, text) -> random.nextInt(3) == 0 ? damage(text, random) : text);
            if (random.nextBoolean()) {
                for (Map.Entry<String, String> file : files.entrySet()) {
                    kernel.write(file.getKey(), file.getValue());
                }
            }
            for (HostMetrics metrics : kernel.all()) {
                try (metrics) {
                    sample(metrics, 0.05);
                    for (Map.Entry<String, String> file : files.entrySet()) {
                        kernel.write(file.getKey(), file.getValue());
                    }
                    assertThat(sample(metrics, 0.05))
                            .as("seed %d", seed)
                            .allSatisfy((name, value) -> assertThat(value).isNotInfinite());
                }
            }
        }
    }

    static String damage(String text, Random random) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        int cut = random.nextInt(4) == 0 ? random.nextInt(bytes.length + 1) : bytes.length;
        for (int i = random.nextInt(12); i > 0; i--) {
            bytes[random.nextInt(bytes.length)] = switch (random.nextInt(4)) {
                case 0 -> (byte) random.nextInt(256);
                case 1 -> (byte) ('0' + random.nextInt(10));
                case 2 -> '\n';
                default -> ' ';
            };
        }
        String damaged = new String(bytes, 0, cut, StandardCharsets.ISO_8859_1);
        return random.nextInt(6) == 0 ? damaged.replace("1", "9".repeat(random.nextInt(40))) : damaged;
    }
}
