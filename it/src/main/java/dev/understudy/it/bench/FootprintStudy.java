package dev.understudy.it.bench;

import dev.understudy.it.bench.load.Ask;
import dev.understudy.it.bench.load.HttpClient;
import dev.understudy.it.bench.process.CpuTimes;
import dev.understudy.it.bench.process.FreePorts;
import dev.understudy.it.bench.process.Memory;
import dev.understudy.it.bench.process.Tool;
import dev.understudy.it.bench.report.Table;
import dev.understudy.it.bench.subject.Backends;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * How soon a sidecar that was just started relays its first byte, and what it takes while idle: by the shipped
 * launcher.
 */
@Command(
        name = "footprint",
        mixinStandardHelpOptions = true,
        description = "Start to first relayed byte, and resident memory while idle.")
final class FootprintStudy implements Callable<Integer> {
    private static final int PATIENCE_MILLIS = 20_000;
    private static final double MOST_SECONDS = 0.6;
    private static final double MOST_MEGABYTES = 95;

    @Mixin
    private Stage stage = new Stage();

    @Option(names = "--runs", defaultValue = "7", description = "How often it is started (default: 7).")
    private int runs = 7;

    @Option(names = "--idle", defaultValue = "3", description = "Seconds until its memory is read (default: 3).")
    private int idleSeconds = 3;

    @Override
    public Integer call() throws Exception {
        Path folder = Stage.folder();
        try (Backends backends = new Backends(folder)) {
            List<Start> starts = new ArrayList<>();
            // the first one may have to make the archive of classes
            for (int run = 0; run <= runs; run++) {
                Stage.progress("footprint: start %d of %d".formatted(run, runs));
                Start start = start(folder, backends);
                if (run > 0) {
                    starts.add(start);
                }
            }
            stage.put("Idle", table(starts));
            return 0;
        } finally {
            Stage.remove(folder);
        }
    }

    private Start start(Path folder, Backends backends) throws IOException {
        int port = FreePorts.next();
        Files.writeString(folder.resolve("sidecar.yaml"), """
                listeners:
                  - { name: web, listen: "127.0.0.1:%d", production: "127.0.0.1:%d", debug: "127.0.0.1:%d", \
                protocol: http }
                control: { listen: "127.0.0.1:0", anonymous: admin }
                """.formatted(port, backends.web(), backends.debugWeb()));
        long begun = System.nanoTime();
        try (Tool sidecar = Tool.start(
                folder,
                List.of(stage.root().resolve("understudy").toString(), "sidecar", "--config", "sidecar.yaml"))) {
            firstReply(port, begun);
            long relayed = System.nanoTime();
            long cpu = CpuTimes.of(List.of(sidecar.handle())).total();
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(idleSeconds));
            double lanes = 0;
            for (ProcessHandle child : sidecar.handle().children().toList()) {
                lanes += Memory.residentBytes(child) / 1e6;
            }
            double relays = Memory.residentBytes(sidecar.handle()) / 1e6;
            return new Start((relayed - begun) / 1e9, cpu / 1e9, relays, lanes);
        }
    }

    private static void firstReply(int port, long begun) throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        while (true) {
            try (HttpClient client = new HttpClient(address, Ask.get("/1k"), PATIENCE_MILLIS)) {
                client.ask();
                return;
            } catch (IOException notYet) {
                if (System.nanoTime() - begun > TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS)) {
                    throw notYet;
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
            }
        }
    }

    private String table(List<Start> starts) {
        Table table = new Table()
                .line(starts.size()
                        + " starts by `./understudy sidecar` of one listener with a debug JVM, from the start of")
                .line("the command to the end of the first relayed reply; memory " + idleSeconds + " s later.")
                .line("")
                .line("| | median | least | most | target | |")
                .line("| --- | --- | --- | --- | --- | --- |");
        row(table, "start to first relayed reply, s", starts, Start::seconds, MOST_SECONDS);
        row(table, "CPU time until then, s", starts, Start::cpuSeconds, Double.NaN);
        row(table, "resident memory of the relaying process while idle, MB", starts, Start::megabytes, MOST_MEGABYTES);
        row(table, "the same of its lane process, MB", starts, Start::laneMegabytes, Double.NaN);
        return table.toString();
    }

    private static void row(Table table, String what, List<Start> starts, ToDoubleFunction<Start> value, double limit) {
        double[] sorted = starts.stream().mapToDouble(value).sorted().toArray();
        double median = sorted[sorted.length / 2];
        boolean hasLimit = !Double.isNaN(limit);
        table.line("| %s | %.2f | %.2f | %.2f | %s | %s |"
                .formatted(
                        what,
                        median,
                        sorted[0],
                        sorted[sorted.length - 1],
                        hasLimit ? "≤ " + limit : "–",
                        !hasLimit ? "" : median <= limit ? "met" : "**missed**"));
    }

    private record Start(double seconds, double cpuSeconds, double megabytes, double laneMegabytes) {}
}
