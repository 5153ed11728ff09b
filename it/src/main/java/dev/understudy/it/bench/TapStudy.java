package dev.understudy.it.bench;

import dev.understudy.it.bench.load.Ask;
import dev.understudy.it.bench.load.Bulk;
import dev.understudy.it.bench.load.FullHttp;
import dev.understudy.it.bench.load.Redis;
import dev.understudy.it.bench.load.SteadyHttp;
import dev.understudy.it.bench.load.Workload;
import dev.understudy.it.bench.report.Results;
import dev.understudy.it.bench.report.Table;
import dev.understudy.it.bench.subject.Backends;
import dev.understudy.it.bench.subject.Subject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** What the tee costs production where lanes share its process, and where they are one of their own. */
@Command(
        name = "tap",
        mixinStandardHelpOptions = true,
        description = "The tee in one process and in two: healthy, stalled, and with a lane process that stands.")
final class TapStudy implements Callable<Integer> {
    private static final String OFF = "no tee";
    private static final String INLINE = "tap: { carrier: inline }\n";
    private static final String RING = "tap: { carrier: ring, lane-java-options: -Xmx1g }\n";
    private static final int STEADY = 1500;
    private static final int WARM_UP_SECONDS = 4;

    @Mixin
    private Stage stage = new Stage();

    @Mixin
    private Rounds rounds = new Rounds();

    @Override
    public Integer call() throws Exception {
        Path folder = Stage.folder();
        List<Subject> open = new ArrayList<>();
        try (Backends backends = new Backends(folder)) {
            start(folder, backends, open);
            int seconds = rounds.seconds();
            List<Workload> workloads = List.of(
                    new FullHttp("HTTP 1 KB, full load", "/1k", seconds),
                    new SteadyHttp("HTTP 1 KB, 1 500/s", Ask.get("/1k"), 64, STEADY, seconds),
                    new Redis("Redis, pipeline 16", 16, 100_000 * seconds),
                    new Bulk("bulk download", 2 * seconds));
            for (Subject subject : open) {
                Stage.progress("tap: warming up " + subject.name());
                new SteadyHttp("", Ask.get("/1k"), 64, 4000, WARM_UP_SECONDS).measure(subject);
            }
            Results results = rounds.measure("tap", open, workloads);
            Table table = new Table()
                    .line(rounds.words()
                            + ". In two processes the relay threads are the tap process's, CPU is that of both.")
                    .line("Stalled: the debug JVM accepts and never reads. Stopped: the lane process got SIGSTOP.")
                    .line("")
                    .compare(
                            results, workloads, open.stream().map(Subject::name).toList(), OFF);
            memory(open, table);
            stage.put("One process and two", table.toString());
            return 0;
        } finally {
            for (Subject subject : open) {
                signal("CONT", subject);
                subject.close();
            }
            Stage.remove(folder);
        }
    }

    private void start(Path folder, Backends backends, List<Subject> open) throws IOException, InterruptedException {
        Path jar = stage.sidecar();
        int web = backends.debugWeb();
        int redis = backends.debugRedis();
        int silent = backends.silent();
        open.add(Subject.sidecar(folder, jar, backends, OFF, 0, 0, INLINE));
        open.add(Subject.sidecar(folder, jar, backends, "two, no tee", 0, 0, RING));
        open.add(Subject.sidecar(folder, jar, backends, "one, healthy", web, redis, INLINE));
        open.add(Subject.sidecar(folder, jar, backends, "two, healthy", web, redis, RING));
        open.add(Subject.sidecar(folder, jar, backends, "one, stalled", silent, silent, INLINE));
        open.add(Subject.sidecar(folder, jar, backends, "two, stalled", silent, silent, RING));
        Subject stopped = Subject.sidecar(folder, jar, backends, "two, stopped", web, redis, RING);
        open.add(stopped);
        signal("STOP", stopped);
    }

    private static void signal(String name, Subject subject) throws IOException, InterruptedException {
        for (ProcessHandle lanes : lanes(subject)) {
            new ProcessBuilder("kill", "-" + name, Long.toString(lanes.pid()))
                    .start()
                    .waitFor();
        }
    }

    private static List<ProcessHandle> lanes(Subject subject) {
        return subject.between().get(0).handle().children().toList();
    }

    private static void memory(List<Subject> open, Table table) throws IOException {
        Map<String, Double> resident = new LinkedHashMap<>();
        for (Subject subject : open) {
            resident.put(subject.name(), subject.residentBytes() / 1e6);
        }
        table.line("| after all of it | resident memory of production's process, MB |")
                .line("| --- | --- |");
        resident.forEach((name, megabytes) -> table.line("| %s | %.0f |".formatted(name, megabytes)));
    }
}
