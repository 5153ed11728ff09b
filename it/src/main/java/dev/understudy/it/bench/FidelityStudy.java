package dev.understudy.it.bench;

import dev.understudy.it.bench.process.Programs;
import dev.understudy.it.fidelity.Outcome;
import dev.understudy.it.fidelity.Outcome.Mode;
import dev.understudy.it.fidelity.Suite;
import dev.understudy.it.fidelity.Trial;
import dev.understudy.it.fidelity.grpc.GrpcJava;
import dev.understudy.it.fidelity.http.Curl;
import dev.understudy.it.fidelity.http.JavaClients;
import dev.understudy.it.fidelity.redis.Jedises;
import dev.understudy.it.fidelity.redis.Lettuces;
import dev.understudy.it.fidelity.redis.RedisBenchmark;
import dev.understudy.it.fidelity.sql.MariaDbJdbc;
import dev.understudy.it.fidelity.sql.PgBench;
import dev.understudy.it.fidelity.sql.PgJdbc;
import dev.understudy.it.fidelity.sql.PooledJdbc;
import dev.understudy.it.fidelity.sql.SpringJpa;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What other people's clients get from the aggregator, beside what they got from the real server. */
@Command(
        name = "fidelity",
        subcommands = SuitesStudy.class,
        mixinStandardHelpOptions = true,
        description = "Runs other people's clients through the aggregator, in production and "
                + "replayed, and compares what they saw.")
final class FidelityStudy implements Callable<Integer> {
    @Mixin
    private Stage stage = new Stage();

    @Parameters(paramLabel = "SUITE", description = "Which (default: all); --list names them.")
    private List<String> names = List.of();

    @Option(names = "--list", description = "Only name the suites.")
    private boolean list;

    @Option(
            names = "--keep",
            description = "Leave the folder with the programs' files and output, and say where it is.")
    private boolean keep;

    private List<Suite> suites() {
        return List.of(
                new PgBench("simple", 4, 250),
                new PgBench("extended", 4, 250),
                new PgBench("prepared", 4, 250),
                new PooledJdbc(10, 3, 300),
                new PooledJdbc(10, 20, 300),
                new PgJdbc(),
                new SpringJpa(stage.jpa(), 40),
                new MariaDbJdbc("", ""),
                new MariaDbJdbc("prepared", "&useServerPrepStmts=true"),
                new MariaDbJdbc("bulk", "&useBulkStmts=true"),
                new RedisBenchmark(2_000, 10, 1),
                new RedisBenchmark(2_000, 10, 16),
                new Jedises(20),
                new Lettuces(200),
                new Curl(),
                new JavaClients(),
                new GrpcJava(10));
    }

    @Override
    public Integer call() throws Exception {
        List<Suite> suites = suites();
        if (list) {
            suites.forEach(suite -> System.out.println(suite.name() + ": " + suite.about()));
            return 0;
        }
        for (String name : names) {
            if (suites.stream().noneMatch(suite -> suite.name().equals(name))) {
                System.err.println(name + ": no such suite (expected: one that --list names)");
                return 2;
            }
        }
        Path folder = Stage.folder();
        int wrong = 0;
        try (Trial trial = new Trial(folder, stage.aggregator())) {
            for (Suite suite : suites) {
                if (names.isEmpty() || names.contains(suite.name())) {
                    wrong += study(suite, trial);
                }
            }
        } finally {
            if (keep) {
                Stage.progress("kept: " + folder);
            } else {
                Stage.remove(folder);
            }
        }
        return wrong == 0 ? 0 : 1;
    }

    private int study(Suite suite, Trial trial) throws Exception {
        List<String> missing = suite.programs().stream()
                .filter(program -> Programs.find(program).isEmpty())
                .toList();
        if (!missing.isEmpty()) {
            stage.put(suite.name(), "Not run: " + String.join(", ", missing) + " not installed.");
            return 0;
        }
        FidelityTable table = new FidelityTable(suite);
        for (Mode mode : Mode.values()) {
            Stage.progress("fidelity: " + suite.name() + ", " + mode.words());
            Outcome outcome = trial.run(suite, mode);
            table.add(outcome);
        }
        stage.put(suite.name(), table.toString());
        return table.wrong();
    }
}
