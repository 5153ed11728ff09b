package dev.understudy.it.suites;

import dev.understudy.it.fidelity.Outcome.Mode;
import dev.understudy.it.fidelity.server.AggregatorProgram;
import dev.understudy.it.fidelity.server.Census;
import dev.understudy.it.fidelity.server.MariaDbServer;
import dev.understudy.it.fidelity.server.PostgresServer;
import dev.understudy.it.fidelity.server.RefusedCall;
import dev.understudy.it.fidelity.server.Server;
import dev.understudy.it.fidelity.server.Servers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs a suite through the production port and through the debug port of an aggregator before a fresh server. */
public final class SuiteTrial {
    private static final int ASK_EVERY_MILLIS = 1000;

    private final Path folder;
    private final Path cache;
    private final Path aggregator;
    private final ExcludedTests excluded;

    /**
     * Makes one.
     *
     * @param cache for what was fetched; may be kept for the next time
     * @param aggregator its jar, with its libraries beside it
     */
    public SuiteTrial(Path folder, Path cache, Path aggregator, ExcludedTests excluded) {
        this.folder = folder;
        this.cache = cache;
        this.aggregator = aggregator;
        this.excluded = excluded;
    }

    public SuiteOutcome run(DriverSuite suite, Mode mode) throws Exception {
        Path fetched = Files.createDirectories(cache.resolve(suite.name()));
        suite.source().fetch(fetched);
        Path home = Files.createDirectories(folder.resolve(suite.name() + "-" + mode));
        ExecutorService threads = Executors.newCachedThreadPool();
        try (Servers servers = new Servers(home)) {
            Server server = servers.get(suite.server());
            prepare(server, suite);
            try (AggregatorProgram between = AggregatorProgram.start(
                    home.resolve("aggregator"), aggregator, suite.server().protocol(), server.port())) {
                Future<List<TestResult>> production =
                        threads.submit(() -> tests(suite, fetched, home.resolve("production"), between.production()));
                if (mode == Mode.LATER) {
                    production.get();
                }
                Census before = server.census();
                Future<List<TestResult>> debug =
                        threads.submit(() -> tests(suite, fetched, home.resolve("debug"), between.debug()));
                List<RefusedCall> refused = refusedUntil(debug, between);
                long foreign = mode == Mode.LATER ? server.census().since(before) : 0;
                SuiteComparison comparison =
                        SuiteComparison.of(suite.name(), production.get(), debug.get(), refused, excluded);
                Files.writeString(home.resolve("differences"), new SuiteDifferences(comparison).toString());
                return new SuiteOutcome(suite, mode, comparison, foreign);
            }
        } catch (ExecutionException failed) {
            throw new IOException(suite.name() + " failed", failed.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    private static List<TestResult> tests(DriverSuite suite, Path fetched, Path side, int port)
            throws IOException, InterruptedException {
        return suite.source()
                .run(
                        fetched,
                        Files.createDirectories(side),
                        suite.environment().apply(port),
                        suite.arguments().apply(port));
    }

    /** All misses; the aggregator keeps the latest only. */
    private static List<RefusedCall> refusedUntil(Future<?> end, AggregatorProgram between)
            throws IOException, InterruptedException {
        Set<RefusedCall> refused = new LinkedHashSet<>();
        while (!end.isDone()) {
            Thread.sleep(ASK_EVERY_MILLIS);
            refused.addAll(between.refused());
        }
        refused.addAll(between.refused());
        return List.copyOf(refused);
    }

    private static void prepare(Server server, DriverSuite suite) throws SQLException {
        if (suite.prepare().isEmpty()) {
            return;
        }
        String url = suite.server() == Server.Kind.POSTGRES
                ? PostgresServer.url(server.port(), "")
                : MariaDbServer.url(server.port(), "");
        try (Connection connection = DriverManager.getConnection(url, "bench", "");
                Statement statement = connection.createStatement()) {
            for (String each : suite.prepare()) {
                statement.execute(each);
            }
        }
    }
}
