package dev.understudy.example.demo.stage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Everything that takes part, from the temp folder to the sidecar.
 *
 * <p>Both JVMs of the service run the same jar with the same options, but for the agent; their environments differ in
 * ports, and the debug JVM has no password that an upstream would accept.
 */
public final class Stage implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    /** How long the end waits for a server that is just being started, and is stopped as soon as it runs. */
    private static final long OPENER_SECONDS = 60;

    // they start in half the time where no code is optimised at length
    private static final List<String> SMALL = List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
    private static final List<String> SERVICE = List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
    private static final List<String> PROXY =
            List.of("-Xmx768m", "-XX:MaxDirectMemorySize=768m", "-XX:TieredStopAtLevel=1");

    private final Installation installation;
    private final String otlp;
    private final Folder folder;
    private final Addresses at;

    /** In the order of starting; guarded by this, as is {@link #closed}. */
    private final Deque<AutoCloseable> running = new ArrayDeque<>();

    private boolean closed;
    private boolean opening;
    private final CountDownLatch opened = new CountDownLatch(1);

    private Stage(Installation installation, String otlp, Folder folder, Addresses at) {
        this.installation = installation;
        this.otlp = otlp;
        this.folder = folder;
        this.at = at;
    }

    /** Chooses the ports and a temp folder; {@link #open} makes that and starts what belongs there. */
    public static Stage prepare(Installation installation, String otlp) throws StartFailed {
        return new Stage(installation, otlp, Folder.named(), Addresses.free());
    }

    /** Starts everything and waits until it's ready, telling {@code progress} what it is at. */
    public Cast open(Consumer<String> progress) throws StartFailed, InterruptedException {
        try {
            begin();
            return start(progress);
        } catch (IOException e) {
            throw new StartFailed("The temp folder or a file in it couldn't be written", e);
        } finally {
            opened.countDown();
        }
    }

    private synchronized void begin() throws StartFailed, IOException {
        if (closed) {
            throw new StartFailed("Stopped before the start");
        }
        opening = true;
        folder.create();
    }

    private Cast start(Consumer<String> progress) throws StartFailed, InterruptedException, IOException {
        progress.accept("PostgreSQL and Redis, embedded but real; the application must authenticate (SCRAM, ACL)");
        Database database = track(Database.start(folder, at.postgres(), installation));
        Cache cache = track(Cache.start(folder, at.redis()));

        progress.accept("pricing (the HTTP upstream) and the aggregator in front of all three upstreams");
        Program pricing = track(Program.start(
                "pricing", folder, SMALL, installation.pricing(), List.of(), Map.of("SERVER_PORT", "" + at.pricing())));
        Program aggregator = proxy("aggregator", installation.aggregator(), Settings.aggregator(at, otlp));
        pricing.awaitHealthy(at.pricingUrl() + "/health", PATIENCE);
        aggregator.awaitLine("understudy aggregator ready", PATIENCE);

        progress.accept("production, the debug JVM with the agent, and the sidecar in front of both");
        Program production = track(Program.start(
                "production", folder, SERVICE, installation.orders(), List.of(), productionEnvironment()));
        Program sidecar =
                proxy("sidecar", installation.sidecar(), Settings.sidecar(at, installation.ordersSource(), otlp));
        sidecar.awaitLine("understudy sidecar ready", PATIENCE);
        Program debug = track(
                Program.start("debug", folder, withAgent(), installation.orders(), List.of(), debugEnvironment()));
        production.awaitHealthy(Addresses.url(at.production()) + "/health", PATIENCE);
        debug.awaitHealthy(Addresses.url(at.debug()) + "/health", PATIENCE);
        return new Cast(database, cache, pricing, aggregator, production, debug, sidecar);
    }

    private Program proxy(String name, Path jar, String settings) throws StartFailed, IOException {
        Path file = folder.file(name + ".yaml");
        Files.writeString(file, settings);
        return track(Program.start(name, folder, PROXY, jar, List.of("--config", file.toString()), Map.of()));
    }

    private List<String> withAgent() {
        List<String> options = new ArrayList<>(SERVICE);
        options.add("-javaagent:" + installation.agent()
                + "=debug=true,egress=deny,name=orders-debug,service=orders-debug,sidecar=" + at.sidecarControlUrl()
                + ",aggregator=" + at.aggregatorControlUrl());
        return options;
    }

    private Map<String, String> productionEnvironment() {
        return environment(
                at.production(),
                at.postgresForProduction(),
                at.redisForProduction(),
                at.pricingForProduction(),
                Database.PASSWORD,
                Cache.PASSWORD);
    }

    private Map<String, String> debugEnvironment() {
        String none = "not-a-password";
        return environment(at.debug(), at.postgresForDebug(), at.redisForDebug(), at.pricingForDebug(), none, none);
    }

    private static Map<String, String> environment(
            int port, int postgres, int redis, int pricing, String databasePassword, String cachePassword) {
        return Map.of(
                "SERVER_PORT",
                "" + port,
                "DB_URL",
                "jdbc:postgresql://127.0.0.1:" + postgres + "/orders",
                "DB_USER",
                Database.USER,
                "DB_PASSWORD",
                databasePassword,
                "REDIS_HOST",
                "127.0.0.1",
                "REDIS_PORT",
                "" + redis,
                "REDIS_USER",
                Cache.USER,
                "REDIS_PASSWORD",
                cachePassword,
                "PRICING_URL",
                Addresses.url(pricing));
    }

    public Addresses addresses() {
        return at;
    }

    /** The temp folder with the logs and the configuration files. */
    public Path folder() {
        return folder.path();
    }

    /** A sentence on where the logs are after {@link #close}. */
    public String whereLogsStay() {
        Path lastRun = installation.lastRun();
        return Files.isWritable(lastRun.getParent())
                ? "All logs will be in " + lastRun + "."
                : "The logs can't be kept: " + lastRun.getParent() + " isn't writable.";
    }

    private synchronized <T extends AutoCloseable> T track(T part) throws StartFailed {
        running.push(part);
        if (closed) {
            stopAll();
            throw new StartFailed("Stopped while starting");
        }
        return part;
    }

    public synchronized boolean isClosed() {
        return closed;
    }

    /** Stops everything and removes the temp folder; the first call does it, from any thread. */
    @Override
    public void close() {
        boolean wait;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            wait = opening;
            stopAll();
        }
        try {
            if (wait && !opened.await(OPENER_SECONDS, TimeUnit.SECONDS)) {
                System.err.println("What was just being started may still be running");
            }
            folder.keepLogs(installation.lastRun());
        } catch (IOException e) {
            // another run may be keeping its own there
            System.err.println("The logs couldn't be kept: " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        try {
            folder.delete();
        } catch (IOException e) {
            System.err.println("The temp folder couldn't be removed: " + e);
        }
    }

    private void stopAll() {
        running.forEach(part -> {
            if (part instanceof Program program) {
                program.terminate();
            }
        });
        while (!running.isEmpty()) {
            try {
                running.pop().close();
            } catch (Exception e) {
                System.err.println("Something didn't stop: " + e);
            }
        }
    }
}
