package dev.understudy.it.bench;

import dev.understudy.it.bench.load.Ask;
import dev.understudy.it.bench.load.Sample;
import dev.understudy.it.bench.load.SteadyHttp;
import dev.understudy.it.bench.load.Workload;
import dev.understudy.it.bench.process.Tool;
import dev.understudy.it.bench.report.Results;
import dev.understudy.it.bench.report.Table;
import dev.understudy.it.bench.subject.Backends;
import dev.understudy.it.bench.subject.CopyServer;
import dev.understudy.it.bench.subject.HttpPeers;
import dev.understudy.it.bench.subject.Subject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What others that copy HTTP do to production when the copy is healthy, slow or hung, and how much of it arrives. */
@Command(
        name = "copies",
        mixinStandardHelpOptions = true,
        description = "The tee beside nginx's mirror and goreplay, with a healthy, a slow and a hung copy.")
final class CopyStudy implements Callable<Integer> {
    private static final long SLOW_MILLIS = 500;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(700);
    private static final long SETTLE_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final int WARM_UP_SECONDS = 4;
    private static final String NGINX = "nginx";
    private static final String DIRECT = "direct";
    private static final String SIDECAR = "sidecar";

    @Mixin
    private Stage stage = new Stage();

    @Mixin
    private Rounds rounds = new Rounds();

    @Option(
            names = "--goreplay",
            paramLabel = "PROGRAM",
            defaultValue = "goreplay",
            description = "Default: goreplay on the PATH.")
    private String goreplay = "";

    private final Map<String, CopyServer> copies = new LinkedHashMap<>();
    private final Map<String, String> peers = new LinkedHashMap<>();
    private final List<Subject> open = new ArrayList<>();

    @Override
    public Integer call() throws Exception {
        Path folder = Stage.folder();
        try (Backends backends = new Backends(folder)) {
            start(folder, backends);
            List<Workload> workloads = List.of(
                    counted(new SteadyHttp("HTTP 1 KB, 1 500/s", Ask.get("/1k"), 64, 1500, rounds.seconds())),
                    counted(new SteadyHttp(
                            "HTTP POST 100 KB, 150/s", Ask.post("/post", 100 * 1024), 16, 150, rounds.seconds())));
            warmUp();
            Results results = rounds.measure("copies", open, workloads, 0);
            stage.put("Copies of HTTP, beside others", table(results, workloads));
            return 0;
        } finally {
            open.forEach(Subject::close);
            for (CopyServer copy : copies.values()) {
                copy.close();
            }
            Stage.remove(folder);
        }
    }

    private void start(Path folder, Backends backends) throws IOException {
        add(Subject.direct(backends), DIRECT);
        add(HttpPeers.nginxMirror(folder, backends, NGINX, 0), NGINX);
        for (String state : List.of("healthy", "slow", "hung")) {
            String name = "nginx mirror, " + state;
            add(HttpPeers.nginxMirror(folder, backends, name, copy(name, state, backends)), NGINX);
        }
        if (Tool.installed(goreplay)) {
            for (String state : List.of("healthy", "slow", "hung")) {
                String name = "goreplay, " + state;
                add(HttpPeers.goreplay(folder, backends, name, goreplay, copy(name, state, backends)), DIRECT);
            }
        }
        add(Subject.sidecar(folder, stage.sidecar(), backends, SIDECAR, 0, 0, ""), SIDECAR);
        for (String state : List.of("healthy", "slow", "hung")) {
            String name = "sidecar tee, " + state;
            int copy = copy(name, state, backends);
            add(Subject.sidecar(folder, stage.sidecar(), backends, name, copy, backends.dead(), ""), SIDECAR);
        }
    }

    /** Only JVMs need it. */
    private void warmUp() throws InterruptedException {
        SteadyHttp load = new SteadyHttp("", Ask.get("/1k"), 64, 4000, WARM_UP_SECONDS);
        for (Subject subject : open) {
            if (subject.name().startsWith(SIDECAR)) {
                Stage.progress("copies: warming up " + subject.name());
                load.measure(subject);
            }
        }
    }

    private void add(Subject subject, String peer) {
        open.add(subject);
        peers.put(subject.name(), peer);
    }

    private int copy(String name, String state, Backends backends) throws IOException {
        if (state.equals("hung")) {
            return backends.silent();
        }
        CopyServer copy = new CopyServer(state.equals("slow") ? SLOW_MILLIS : 0);
        copies.put(name, copy);
        return copy.port();
    }

    private Workload counted(SteadyHttp load) {
        return new Counted(load, copies);
    }

    private String table(Results results, List<Workload> workloads) {
        Table table = new Table()
                .line(rounds.words() + ". A slow copy answers after " + SLOW_MILLIS
                        + " ms, a hung one accepts and never")
                .line("reads. What production doesn't answer within 3 s counts as failed, "
                        + "with the time it had waited. The last")
                .line("column says how many of the answered requests the copy had got "
                        + "whole at most 5 s after a run's end;")
                .line("what the sidecar holds for a slow copy is on its way and not lost, and may come in a later run.")
                .line("");
        if (!Tool.installed(goreplay)) {
            table.line("Not installed here and so not measured: goreplay (" + goreplay + ").")
                    .line("");
        }
        table.compare(
                results,
                workloads,
                open.stream().map(Subject::name).toList(),
                "its own without a copy",
                subject -> peers.getOrDefault(subject, subject));
        table.line("| workload | through | answered by production | copies that arrived whole | |")
                .line("| --- | --- | --- | --- | --- |");
        for (Workload workload : workloads) {
            if (workload instanceof Counted counted) {
                counted.arrived.forEach((subject, arrived) -> {
                    long answered = counted.answered.getOrDefault(subject, 0L);
                    table.line("| %s | %s | %,d | %,d | %.1f %% |"
                            .formatted(workload.name(), subject, answered, arrived, 100.0 * arrived / answered));
                });
            }
        }
        return table.toString();
    }

    /** The same, and how many requests the subject's copy got meanwhile. */
    private static final class Counted implements Workload {
        private final SteadyHttp load;
        private final Map<String, CopyServer> copies;
        private final Map<String, Long> answered = new TreeMap<>();
        private final Map<String, Long> arrived = new TreeMap<>();

        Counted(SteadyHttp load, Map<String, CopyServer> copies) {
            this.load = load;
            this.copies = copies;
        }

        @Override
        public String name() {
            return load.name();
        }

        @Override
        public Sample run(Subject subject) throws InterruptedException {
            CopyServer copy = copies.get(subject.name());
            load.warmUp(subject);
            long before = copy == null ? 0 : settled(copy, Long.MAX_VALUE);
            Sample sample = load.measure(subject);
            if (copy != null) {
                answered.merge(subject.name(), sample.operations(), Long::sum);
                arrived.merge(subject.name(), settled(copy, before + sample.operations()) - before, Long::sum);
            }
            return sample;
        }

        /** What the copy has got once that is so much, or nothing has come for a while, or it has taken too long. */
        private static long settled(CopyServer copy, long expected) {
            long begun = System.nanoTime();
            long before = -1;
            for (long now = copy.whole();
                    now < expected && now != before && System.nanoTime() - begun < SETTLE_NANOS;
                    now = copy.whole()) {
                before = now;
                LockSupport.parkNanos(PAUSE_NANOS);
            }
            return copy.whole();
        }
    }
}
