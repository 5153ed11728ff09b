package dev.understudy.it.bench;

import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs all subjects through all workloads, round by round in a new order each time, and writes the table. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        description = "Measures the sidecar beside HAProxy, nginx and toxiproxy on this machine.",
        footer = {"", "Needs Linux with nginx, wrk and redis-server; run it on a quiet machine."})
final class ProxyBenchmark implements Callable<Integer> {
    private static final String OFF = "sidecar, no tee";
    private static final String HAPROXY = "haproxy";
    private static final String HEALTHY = "debug healthy";
    private static final String RELAY = "production threads' CPU";

    @Option(names = "--sidecar", required = true, paramLabel = "JAR", description = "The sidecar's jar.")
    private Path sidecar = Path.of("");

    @Option(names = "--toxiproxy", paramLabel = "PROGRAM", description = "toxiproxy-server, if there is one.")
    private @Nullable Path toxiproxy;

    @Option(names = "--rounds", defaultValue = "5", description = "How often each is measured (default: 5).")
    private int rounds = 5;

    @Option(names = "--seconds", defaultValue = "4", description = "How long a run takes (default: 4).")
    private int seconds = 4;

    @Option(names = "--seed", defaultValue = "1", description = "Of the order within the rounds (default: 1).")
    private long seed = 1;

    @Option(names = "--out", paramLabel = "FILE", description = "Where the table goes (default: standard output).")
    private @Nullable Path out;

    public static void main(String[] args) {
        System.exit(new CommandLine(new ProxyBenchmark()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        Path folder = Files.createTempDirectory("understudy-bench");
        List<Subject> open = new ArrayList<>();
        try (Backends backends = new Backends(folder)) {
            Table table = heading();
            List<Subject> passThrough = passThrough(folder, backends, open);
            List<Workload> all = List.of(
                    new FullHttp("HTTP 1 KB, full load", "/1k", seconds),
                    new SteadyHttp("HTTP 1 KB, 1 500/s", "/1k", 64, 1500, true, seconds),
                    new FullHttp("HTTP 100 KB, full load", "/100k", seconds),
                    new Redis("Redis, pipeline 1", 1, 40_000 * seconds),
                    new Redis("Redis, pipeline 16", 16, 200_000 * seconds),
                    new Bulk("bulk download", 2 * seconds),
                    new SteadyHttp("connect, request, close, 300/s", "/1k", 16, 300, false, seconds));
            Results relays = measure("pass-through", passThrough, all);
            table.line("## Pass-through").line("").compare(relays, all, names(passThrough), HAPROXY);
            table.targets(relays, passThroughTargets(all));
            closeAll(open);

            List<Subject> tees = tees(folder, backends, open);
            List<Workload> teed = List.of(
                    new FullHttp("HTTP 1 KB, full load", "/1k", seconds),
                    new SteadyHttp("HTTP 1 KB, 1 500/s", "/1k", 64, 1500, true, seconds),
                    new Redis("Redis, pipeline 16", 16, 200_000 * seconds),
                    new Bulk("bulk download", 2 * seconds));
            Results copies = measure("tee", tees, teed);
            table.line("## Tee").line("").compare(copies, teed, names(tees), OFF);
            table.targets(copies, teeTargets(teed, tees));
            table.line("## Memory after all that").line("");
            for (Subject subject : tees) {
                table.line("- %s: %d MB resident".formatted(subject.name(), subject.residentBytes() >> 20));
            }
            write(table.toString());
            return 0;
        } finally {
            closeAll(open);
            try (Stream<Path> files = Files.walk(folder, new FileVisitOption[0])) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    private List<Subject> passThrough(Path folder, Backends backends, List<Subject> open) throws IOException {
        open.add(Subject.direct(backends));
        open.add(Subject.haproxy(folder, backends));
        open.add(Subject.nginxStream(folder, backends));
        if (toxiproxy != null) {
            open.add(Subject.toxiproxy(folder, backends, toxiproxy.toString()));
        }
        open.add(Subject.sidecar(folder, sidecar, backends, OFF, 0, 0, ""));
        return List.copyOf(open);
    }

    private List<Subject> tees(Path folder, Backends backends, List<Subject> open) throws IOException {
        String roomy = "window: { lane-memory: 512MiB, memory: 2GiB }";
        String tight = "window: { lane-memory: 64KiB, memory: 8MiB }";
        open.add(Subject.sidecar(folder, sidecar, backends, OFF, 0, 0, ""));
        open.add(
                Subject.sidecar(folder, sidecar, backends, HEALTHY, backends.debugWeb(), backends.debugRedis(), roomy));
        open.add(Subject.sidecar(
                folder, sidecar, backends, "debug stalled", backends.silent(), backends.silent(), roomy));
        open.add(Subject.sidecar(
                folder, sidecar, backends, "debug stalled, overflowed", backends.silent(), backends.silent(), tight));
        open.add(Subject.sidecar(
                folder, sidecar, backends, "debug black-holed", backends.blackHole(), backends.blackHole(), tight));
        open.add(Subject.sidecar(folder, sidecar, backends, "debug dead", backends.dead(), backends.dead(), tight));
        return List.copyOf(open);
    }

    private static List<Target> passThroughTargets(List<Workload> workloads) {
        List<Target> targets = new ArrayList<>();
        for (Workload workload : workloads) {
            boolean small = workload instanceof FullHttp http && http.path().equals("/1k");
            if (small || workload instanceof Redis) {
                targets.add(new Target(RELAY, workload, OFF, HAPROXY, Sample::relayPerOperation, 1.05));
            } else if (workload instanceof Bulk) {
                targets.add(new Target("CPU per byte", workload, OFF, HAPROXY, Sample::cpuPerOperation, 0.80));
            }
        }
        return targets;
    }

    private static List<Target> teeTargets(List<Workload> workloads, List<Subject> tees) {
        List<Target> targets = new ArrayList<>();
        for (Workload workload : workloads) {
            for (Subject tee : tees.subList(1, tees.size())) {
                double limit = workload instanceof SteadyHttp && tee.name().equals(HEALTHY) ? 1.05 : 1.03;
                targets.add(new Target(RELAY, workload, tee.name(), OFF, Sample::relayPerOperation, limit));
            }
            targets.add(new Target("all threads", workload, HEALTHY, OFF, Sample::cpuPerOperation, 1.5));
        }
        return targets;
    }

    private Results measure(String what, List<Subject> subjects, List<Workload> workloads)
            throws IOException, InterruptedException {
        Results results = new Results();
        Random random = new Random(seed);
        // the first round warms up: JIT, buffers, page cache
        for (int round = 0; round <= rounds; round++) {
            for (Workload workload : workloads) {
                List<Subject> order = new ArrayList<>(subjects);
                Collections.shuffle(order, random);
                for (Subject subject : order) {
                    System.err.printf(
                            "%s: round %d of %d, %s, %s%n", what, round, rounds, workload.name(), subject.name());
                    Sample sample = workload.run(subject);
                    if (round > 0) {
                        results.add(workload, subject.name(), sample);
                    }
                }
            }
        }
        return results;
    }

    private Table heading() throws IOException {
        String processor = Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                .filter(line -> line.startsWith("model name"))
                .map(line -> line.substring(line.indexOf(':') + 2))
                .findFirst()
                .orElse("unknown processor");
        return new Table()
                .line("# Benchmarks")
                .line("")
                .line(
                        "Written by `it/bench --rounds %d --seconds %d --seed %d --out it/benchmarks.md`. The load, the web server"
                                .formatted(rounds, seconds, seed))
                .line(
                        "and what is between them share the processors, so throughput and latency say less than CPU time, which is the")
                .line(
                        "kernel's own count (`/proc/PID/task/TID/schedstat`). Ratios are the median of those within each round. The")
                .line(
                        "sidecar's threads that aren't production's are its lanes, the JIT compiler and the garbage collector.")
                .line("")
                .line("Measured on %s: %s, %d processors, Linux %s, Java %s; %d rounds of %d s each, seed %d."
                        .formatted(
                                LocalDate.now(ZoneOffset.UTC),
                                processor,
                                Runtime.getRuntime().availableProcessors(),
                                System.getProperty("os.version"),
                                Runtime.version(),
                                rounds,
                                seconds,
                                seed))
                .line("");
    }

    private void write(String table) throws IOException {
        if (out == null) {
            System.out.print(table);
        } else {
            Files.writeString(out, table);
        }
    }

    private static List<String> names(List<Subject> subjects) {
        return subjects.stream().map(Subject::name).toList();
    }

    private static void closeAll(List<Subject> open) {
        open.forEach(Subject::close);
        open.clear();
    }
}
