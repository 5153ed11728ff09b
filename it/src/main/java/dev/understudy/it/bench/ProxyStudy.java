package dev.understudy.it.bench;

import dev.understudy.it.bench.load.Ask;
import dev.understudy.it.bench.load.Bulk;
import dev.understudy.it.bench.load.FullHttp;
import dev.understudy.it.bench.load.Redis;
import dev.understudy.it.bench.load.Sample;
import dev.understudy.it.bench.load.SteadyHttp;
import dev.understudy.it.bench.load.Workload;
import dev.understudy.it.bench.process.Tool;
import dev.understudy.it.bench.report.Results;
import dev.understudy.it.bench.report.Table;
import dev.understudy.it.bench.report.Target;
import dev.understudy.it.bench.subject.Backends;
import dev.understudy.it.bench.subject.Subject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What relaying costs beside other proxies, and what the tee adds in every state of the debug side. */
@Command(
        name = "proxies",
        mixinStandardHelpOptions = true,
        description = "The sidecar beside HAProxy, nginx and toxiproxy, with and without a tee.")
final class ProxyStudy implements Callable<Integer> {
    private static final String OFF = "sidecar, no tee";
    private static final String HAPROXY = "haproxy";
    private static final String HEALTHY = "debug healthy";
    private static final String RELAY = "production threads' CPU";
    private static final double OPEN_LOOP_SHARE = 0.4;

    @Mixin
    private Stage stage = new Stage();

    @Mixin
    private Rounds rounds = new Rounds();

    @Option(
            names = "--toxiproxy",
            paramLabel = "PROGRAM",
            defaultValue = "toxiproxy-server",
            description = "Default: toxiproxy-server on the PATH.")
    private String toxiproxy = "";

    @Option(
            names = "--only",
            paramLabel = "PART",
            description = "pass-through or tee: the other one's section stays as it is.")
    private String only = "";

    @Override
    public Integer call() throws Exception {
        Path folder = Stage.folder();
        List<Subject> open = new ArrayList<>();
        try (Backends backends = new Backends(folder)) {
            if (!only.equals("tee")) {
                passThrough(passThrough(folder, backends, open));
                closeAll(open);
            }
            if (!only.equals("pass-through")) {
                tee(tees(folder, backends, open));
            }
            return 0;
        } finally {
            closeAll(open);
            Stage.remove(folder);
        }
    }

    private void passThrough(List<Subject> subjects) throws IOException, InterruptedException {
        int seconds = rounds.seconds();
        List<Workload> workloads = new ArrayList<>(common(subjects.get(1)));
        workloads.add(new FullHttp("HTTP 100 KB, full load", "/100k", seconds));
        workloads.add(new Redis("Redis, pipeline 1", 1, 40_000 * seconds));
        workloads.add(
                new SteadyHttp("connect, request, close, 300/s", Ask.get("/1k").closing(), 16, 300, seconds));
        Results results = rounds.measure("pass-through", subjects, workloads);
        Table table = heading();
        if (!Tool.installed(toxiproxy)) {
            table.line("Not installed here and so not measured: toxiproxy (" + toxiproxy + ").")
                    .line("");
        }
        table.compare(results, workloads, names(subjects), HAPROXY).targets(results, passThroughTargets(workloads));
        stage.put("Pass-through", table.toString());
    }

    private void tee(List<Subject> subjects) throws IOException, InterruptedException {
        List<Workload> workloads = common(subjects.get(0));
        Results results = rounds.measure("tee", subjects, workloads);
        Table table = heading();
        table.compare(results, workloads, names(subjects), OFF).targets(results, teeTargets(workloads, subjects));
        table.line("Resident memory after all that:").line("");
        for (Subject subject : subjects) {
            table.line("- %s: %d MB".formatted(subject.name(), subject.residentBytes() >> 20));
        }
        stage.put("Tee", table.toString());
    }

    /** The workloads of both parts; the open loop's rate is a share of what {@code yardstick} carries at most. */
    private List<Workload> common(Subject yardstick) throws IOException, InterruptedException {
        int seconds = rounds.seconds();
        FullHttp full = new FullHttp("HTTP 1 KB, full load", "/1k", seconds);
        double most = new FullHttp("", "/1k", 2).run(yardstick).perSecond();
        int rate = 100 * (int) (most * OPEN_LOOP_SHARE / 100);
        String share =
                "%,d/s (%.0f %% of the most that %s carried)".formatted(rate, OPEN_LOOP_SHARE * 100, yardstick.name());
        return List.of(
                full,
                new SteadyHttp("HTTP 1 KB, " + share, Ask.get("/1k"), 64, rate, seconds),
                new SteadyHttp("HTTP 1 KB, 1 500/s", Ask.get("/1k"), 64, 1500, seconds),
                new Redis("Redis, pipeline 16", 16, 200_000 * seconds),
                new Bulk("bulk download", 2 * seconds));
    }

    private List<Subject> passThrough(Path folder, Backends backends, List<Subject> open) throws IOException {
        open.add(Subject.direct(backends));
        open.add(Subject.haproxy(folder, backends));
        open.add(Subject.nginxStream(folder, backends));
        if (Tool.installed(toxiproxy)) {
            open.add(Subject.toxiproxy(folder, backends, toxiproxy));
        }
        open.add(Subject.sidecar(folder, stage.sidecar(), backends, OFF, 0, 0, ""));
        return List.copyOf(open);
    }

    private List<Subject> tees(Path folder, Backends backends, List<Subject> open) throws IOException {
        String roomy = "window: { lane-memory: 512MiB, memory: 2GiB }";
        String tight = "window: { lane-memory: 64KiB, memory: 8MiB }";
        Path jar = stage.sidecar();
        open.add(Subject.sidecar(folder, jar, backends, OFF, 0, 0, ""));
        open.add(Subject.sidecar(folder, jar, backends, HEALTHY, backends.debugWeb(), backends.debugRedis(), roomy));
        open.add(Subject.sidecar(folder, jar, backends, "debug stalled", backends.silent(), backends.silent(), roomy));
        open.add(Subject.sidecar(
                folder, jar, backends, "debug stalled, overflowed", backends.silent(), backends.silent(), tight));
        open.add(Subject.sidecar(
                folder, jar, backends, "debug black-holed", backends.blackHole(), backends.blackHole(), tight));
        open.add(Subject.sidecar(folder, jar, backends, "debug dead", backends.dead(), backends.dead(), tight));
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

    private Table heading() {
        return new Table()
                .line(rounds.words() + ". The load, the web server and what is between them share the processors, so")
                .line("throughput and latency say less than CPU time, which is the kernel's own count")
                .line("(`/proc/PID/task/TID/schedstat`). Ratios are the median of those "
                        + "within each round. Latency is taken")
                .line("under an open loop, from the moment each request was due. The sidecar's threads that aren't")
                .line("production's are its lanes, the JIT compiler and the garbage collector.")
                .line("");
    }

    private static List<String> names(List<Subject> subjects) {
        return subjects.stream().map(Subject::name).toList();
    }

    private static void closeAll(List<Subject> open) {
        open.forEach(Subject::close);
        open.clear();
    }
}
