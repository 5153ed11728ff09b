package dev.understudy.observatory.node.kernel;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Files as kernels write them, in a folder in the place of {@code /proc} and {@code /sys}. */
public final class KernelFixture {
    static final String STAT = """
            cpu  1000 100 300 5000 200 10 20 30 0 0
            cpu0 500 50 150 2500 100 5 10 15 0 0
            cpu1 500 50 150 2500 100 5 10 15 0 0
            intr 123 0 9 0
            ctxt 10000
            btime 1795741716
            processes 77
            procs_running 4
            procs_blocked 2
            softirq 1 2 3
            """;

    static final String STAT_LATER = """
            cpu  1040 100 310 5030 210 10 20 40 0 0
            cpu0 540 50 150 2510 100 5 10 15 0 0
            cpu1 500 50 160 2520 110 5 10 25 0 0
            intr 125 0 9 0
            ctxt 10100
            procs_running 3
            procs_blocked 0
            """;

    static final String MEMINFO = """
            MemTotal:       1000 kB
            MemFree:         300 kB
            MemAvailable:    600 kB
            Dirty:            50 kB
            Writeback:         7 kB
            """;

    static final String VMSTAT = """
            nr_dirty 12
            nr_written 100
            pswpin 1
            pswpout 2
            allocstall_dma 0
            allocstall_normal 5
            allocstall_movable 6
            pgmajfault 30
            pgscan_kswapd 100
            pgscan_direct 10
            pgscan_khugepaged 0
            """;

    static final String DISKSTATS = """
               7       0 loop0 9 0 9 0 9 0 9 0 0 0 0
               8       0 sda 100 1 2000 50 200 2 4000 90 1 1000 3000 5 0 6 7 8 9
               8       1 sda1 90 1 1900 40 190 2 3900 80 1 900 2900
             254       0 vda 1 0 8 1 1 0 8 1 0 1 1
            """;

    static final String DEV = """
            Inter-|   Receive                                                |  Transmit
             face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
                lo: 1000 10    0    0    0     0          0         0 1000 10    0    0    0     0       0          0
              eth0:5000 50    0    3    0     0          0         0  700 7    0    1    0     0       0          0
             veth1: 9999999 50    0    3    0     0          0         0  700 7    0    1    0     0       0          0
            """;

    static final String SNMP = """
            Ip: Forwarding DefaultTTL
            Ip: 1 64
            Tcp: RtoAlgorithm MaxConn RetransSegs InErrs
            Tcp: 1 -1 40 0
            """;

    static final String NETSTAT = """
            TcpExt: SyncookiesSent ListenOverflows ListenDrops TW
            TcpExt: 0 3 4 100
            IpExt: InNoRoutes
            IpExt: 0
            """;

    static final String SOCKSTAT = """
            sockets: used 42
            TCP: inuse 1 orphan 0 tw 17 alloc 7 mem 76
            UDP: inuse 0 mem 0
            """;

    static final String PRESSURE = """
            some avg10=0.05 avg60=0.51 avg300=1.18 total=1000000
            full avg10=0.01 avg60=0.15 avg300=0.52 total=500000
            """;

    final Path proc;
    final Path sys;
    final List<String> notices = new ArrayList<>();

    KernelFixture(Path folder) throws IOException {
        proc = folder.resolve("proc");
        sys = folder.resolve("sys");
        for (Map.Entry<String, String> file : files().entrySet()) {
            write(file.getKey(), file.getValue());
        }
        for (String device : List.of("block/sda", "block/vda", "block/loop0", "class/net/eth0/device")) {
            Files.createDirectories(sys.resolve(device));
        }
    }

    /** All files by their place in {@code /proc}. */
    static Map<String, String> files() {
        Map<String, String> files = new TreeMap<>();
        files.put("stat", STAT);
        files.put("meminfo", MEMINFO);
        files.put("vmstat", VMSTAT);
        files.put("diskstats", DISKSTATS);
        files.put("net/dev", DEV);
        files.put("net/snmp", SNMP);
        files.put("net/netstat", NETSTAT);
        files.put("net/sockstat", SOCKSTAT);
        files.put("pressure/cpu", PRESSURE);
        files.put("pressure/io", PRESSURE);
        files.put("pressure/memory", PRESSURE);
        return files;
    }

    /** Writes a file of {@code /proc} in its place, so that who has it open sees the new text. */
    void write(String name, String text) throws IOException {
        Path file = proc.resolve(name);
        Files.createDirectories(file.getParent());
        overwrite(file, text);
    }

    /** Writes a file without emptying it before, for which some file systems write to the disk at once. */
    public static void overwrite(Path file, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(bytes));
            channel.truncate(bytes.length);
        }
    }

    ProcessorMetrics processor() {
        return new ProcessorMetrics(proc, notices::add);
    }

    MemoryMetrics memory() {
        return new MemoryMetrics(proc, notices::add);
    }

    NetworkMetrics network() {
        return new NetworkMetrics(proc, sys.resolve("class/net"), notices::add);
    }

    PressureMetrics pressure() {
        return new PressureMetrics(proc, notices::add);
    }

    DiskMetrics disks() {
        return new DiskMetrics(proc, sys.resolve("block"), notices::add);
    }

    List<HostMetrics> all() {
        return List.of(processor(), memory(), network(), pressure(), disks());
    }

    /** One sample, by metric. */
    static Map<String, Double> sample(HostMetrics metrics, double seconds) {
        double[] row = new double[metrics.metrics().size()];
        metrics.sample(seconds, row, 0);
        Map<String, Double> values = new TreeMap<>();
        for (int i = 0; i < row.length; i++) {
            values.put(metrics.metrics().get(i), row[i]);
        }
        return values;
    }
}
