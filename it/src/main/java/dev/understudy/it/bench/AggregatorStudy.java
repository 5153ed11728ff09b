package dev.understudy.it.bench;

import dev.understudy.it.bench.load.AfterRecording;
import dev.understudy.it.bench.load.Ask;
import dev.understudy.it.bench.load.FullHttp;
import dev.understudy.it.bench.load.PgBench;
import dev.understudy.it.bench.load.Redis;
import dev.understudy.it.bench.load.Sample;
import dev.understudy.it.bench.load.SteadyHttp;
import dev.understudy.it.bench.load.Workload;
import dev.understudy.it.bench.report.Results;
import dev.understudy.it.bench.report.Table;
import dev.understudy.it.bench.report.Target;
import dev.understudy.it.bench.subject.Backends;
import dev.understudy.it.bench.subject.RealServers;
import dev.understudy.it.bench.subject.RecordedUpstream;
import dev.understudy.it.bench.subject.Subject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What recording adds to production's path through the aggregator, and what replay costs beside the real servers. */
@Command(
        name = "aggregator",
        mixinStandardHelpOptions = true,
        description = "The aggregator beside a relay that doesn't record, and beside real servers.")
final class AggregatorStudy implements Callable<Integer> {
    private static final String ALONE = "relay alone";
    private static final String RECORDING = "recording";
    private static final String IN_ONE = "recording in one process";
    private static final String REAL = "real server";
    private static final String REPLAY = "replay";
    private static final int STEADY = 4_000;

    @Mixin
    private Stage stage = new Stage();

    @Mixin
    private Rounds rounds = new Rounds();

    @Option(
            names = "--only",
            paramLabel = "PART",
            description = "recording or replay: the other one's section stays as it is.")
    private String only = "";

    @Override
    public Integer call() throws Exception {
        Path folder = Stage.folder();
        try (RealServers real = new RealServers(folder)) {
            Subject redis = real.redis(REAL);
            Subject postgres = real.postgres(REAL);
            if (!only.equals("replay")) {
                recording(folder, redis, postgres);
            }
            if (!only.equals("recording")) {
                replay(folder, redis, postgres);
            }
            return 0;
        } finally {
            Stage.remove(folder);
        }
    }

    private void recording(Path folder, Subject redis, Subject postgres) throws IOException, InterruptedException {
        int seconds = rounds.seconds();
        Table table = heading()
                .line("The peer is the same relay, in a sidecar without a tee.")
                .line("");
        try (Backends backends = new Backends(folder)) {
            recording(
                    folder,
                    "http",
                    backends.web(),
                    List.of(
                            new FullHttp("HTTP 1 KB, full load", "/1k", seconds),
                            new SteadyHttp("HTTP 1 KB, %,d/s".formatted(STEADY), Ask.get("/1k"), 64, STEADY, seconds)),
                    table);
        }
        recording(
                folder,
                "redis",
                redis.redis(),
                List.of(
                        new Redis("Redis, pipeline 1", 1, 20_000 * seconds),
                        new Redis("Redis, pipeline 16", 16, 100_000 * seconds)),
                table);
        recording(
                folder,
                "postgres",
                postgres.web(),
                List.of(
                        new PgBench("PostgreSQL, simple", "simple", 4_000 * seconds),
                        new PgBench("PostgreSQL, prepared", "prepared", 4_000 * seconds)),
                table);
        stage.put("Recording", table.toString());
    }

    private void recording(Path folder, String protocol, int port, List<Workload> workloads, Table table)
            throws IOException, InterruptedException {
        try (RecordedUpstream recorded = RecordedUpstream.start(folder, stage.aggregator(), protocol, port);
                RecordedUpstream inOne = RecordedUpstream.start(folder, stage.aggregator(), protocol, port, "inline");
                Subject sidecar = Subject.sidecar(folder, stage.sidecar(), "alone-" + protocol, port, 0, "tcp", "")) {
            Subject alone = new Subject(ALONE, sidecar.web(), sidecar.web(), sidecar.between(), "relay-");
            List<Subject> subjects = List.of(alone, recorded.production(RECORDING), inOne.production(IN_ONE));
            Results results = rounds.measure("recording " + protocol, subjects, workloads);
            List<Target> targets = new ArrayList<>();
            for (Workload workload : workloads) {
                targets.add(new Target(
                        "production threads' CPU", workload, RECORDING, ALONE, Sample::relayPerOperation, 1.15));
                targets.add(new Target("all CPU", workload, RECORDING, ALONE, Sample::cpuPerOperation, 1.15));
                if (workload instanceof SteadyHttp) {
                    targets.add(
                            new Target("p99", workload, RECORDING, ALONE, sample -> sample.latencyMicros(99), 1.15));
                }
            }
            table.compare(results, workloads, List.of(ALONE, RECORDING, IN_ONE), ALONE)
                    .targets(results, targets);
        }
    }

    private void replay(Path folder, Subject redis, Subject postgres) throws IOException, InterruptedException {
        int seconds = rounds.seconds();
        Table table = heading()
                .line("Everything is said to the production port first, and then once more to the debug port, which is")
                .line("what is measured; CPU is that of the whole process, collector and compiler included.")
                .line("");
        replay(
                folder,
                "redis",
                redis,
                List.of(
                        new Redis("Redis GET, pipeline 1", 1, 20_000 * seconds),
                        new Redis("Redis GET, pipeline 16", 16, 60_000 * seconds)),
                table);
        replay(
                folder,
                "postgres",
                postgres,
                List.of(
                        new PgBench("PostgreSQL select, simple", "simple", 8_000 * seconds),
                        new PgBench("PostgreSQL select, extended", "extended", 8_000 * seconds),
                        new PgBench("PostgreSQL select, prepared", "prepared", 8_000 * seconds)),
                table);
        stage.put("Replay", table.toString());
    }

    private void replay(Path folder, String protocol, Subject server, List<Workload> workloads, Table table)
            throws IOException, InterruptedException {
        int port = protocol.equals("redis") ? server.redis() : server.web();
        try (RecordedUpstream recorded = RecordedUpstream.start(folder, stage.aggregator(), protocol, port)) {
            Subject debug = recorded.debug(REPLAY);
            List<Workload> recordedFirst = new ArrayList<>();
            List<Target> targets = new ArrayList<>();
            for (Workload workload : workloads) {
                Workload both = new AfterRecording(workload, recorded.production(RECORDING), debug);
                recordedFirst.add(both);
                targets.add(new Target("CPU", both, REPLAY, REAL, Sample::cpuPerOperation, 1.0));
            }
            Results results = rounds.measure("replay " + protocol, List.of(server, debug), recordedFirst);
            table.compare(results, recordedFirst, List.of(REAL, REPLAY), REAL).targets(results, targets);
        }
    }

    private Table heading() {
        return new Table()
                .line(rounds.words()
                        + ". CPU time is the kernel's own count, ratios are the median of those within each")
                .line("round. Load, servers and what is between them share the processors.");
    }
}
