package dev.understudy.it.fidelity;

import dev.understudy.it.fidelity.Outcome.Mode;
import dev.understudy.it.fidelity.server.AggregatorProgram;
import dev.understudy.it.fidelity.server.Census;
import dev.understudy.it.fidelity.server.Server;
import dev.understudy.it.fidelity.server.Servers;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs suites, each once through the production port and once through the debug port of an aggregator of its own. */
public final class Trial implements Closeable {
    private static final int STILL_READS = 10;
    private static final int READ_EVERY_MILLIS = 100;

    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final Path folder;
    private final Path aggregator;
    private final Servers servers;
    private int number;

    /**
     * Makes one.
     *
     * @param aggregator its jar, with its libraries beside it
     */
    public Trial(Path folder, Path aggregator) {
        this.folder = folder;
        this.aggregator = aggregator;
        this.servers = new Servers(folder);
    }

    public Outcome run(Suite suite, Mode mode) throws Exception {
        Server server = servers.get(suite.server());
        suite.prepare(server);
        Path home = folder.resolve(suite.name() + "-" + ++number);
        try (AggregatorProgram between =
                AggregatorProgram.start(home, aggregator, suite.server().protocol(), server.port())) {
            Transcript production = new Transcript();
            Transcript debug = new Transcript();
            Side first = side(home, "production", between.production(), production);
            Side second = side(home, "debug", between.debug(), debug);
            Census begun = server.census();
            long foreign;
            if (mode == Mode.LATER) {
                run(suite, List.of(first));
                Census before = settled(server);
                run(suite, List.of(second));
                foreign = settled(server).since(before);
            } else {
                run(suite, List.of(first, second));
                foreign = settled(server).connections() - begun.connections() - between.connections();
            }
            Comparison comparison = Comparison.of(production.operations(), debug.operations());
            return new Outcome(suite, mode, comparison, foreign, between.misses());
        }
    }

    /**
     * What the server has counted once it counts no further: some tell of a request only when its connection has ended.
     */
    private static Census settled(Server server) throws IOException, InterruptedException {
        Census last = server.census();
        for (int still = 0; still < STILL_READS; ) {
            Thread.sleep(READ_EVERY_MILLIS);
            Census now = server.census();
            still = now.equals(last) ? still + 1 : 0;
            last = now;
        }
        return last;
    }

    private static void run(Suite suite, List<Side> sides) throws IOException, InterruptedException {
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            List<Future<String>> all = new ArrayList<>();
            sides.forEach(side -> all.add(threads.submit(work(suite, side))));
            for (Future<String> each : all) {
                each.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            }
        } catch (ExecutionException failed) {
            throw new IOException(suite.name() + " failed", failed.getCause());
        } catch (TimeoutException late) {
            throw new IOException(suite.name() + " took more than " + PATIENCE, late);
        } finally {
            threads.shutdownNow();
        }
    }

    private static Callable<String> work(Suite suite, Side side) {
        return () -> {
            suite.run(side);
            return side.user();
        };
    }

    private static Side side(Path home, String name, int port, Transcript transcript) throws IOException {
        Path folder = Files.createDirectories(home.resolve(name));
        return new Side(port, name.equals("debug"), folder, transcript);
    }

    @Override
    public void close() throws IOException {
        servers.close();
    }
}
