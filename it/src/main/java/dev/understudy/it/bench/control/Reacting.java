package dev.understudy.it.bench.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.it.bench.load.Ask;
import dev.understudy.it.bench.process.FreePorts;
import dev.understudy.it.bench.process.Tool;
import dev.understudy.it.bench.subject.Subject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * How soon the budget is cut when a burst fills the window: from the sidecar's reading to what the agent notes in its
 * ring.
 *
 * <p>The sidecar reads and tells, and the agent notes, ten times a second each, at moments that keep their distance as
 * long as the JVMs run. So several sessions are measured, each with JVMs of its own.
 */
public final class Reacting {
    private static final Ask ASK = Ask.get("/");
    private static final String BUDGET = "understudy_agent_budget{";
    private static final int SESSIONS = 5;
    private static final int WARM = 2;
    private static final int BURST = 96;
    private static final long DEBUG_WAIT_MICROS = 5_000;
    private static final int WINDOW_BYTES = 512 << 10;
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    /** Two seconds after the last cut the budget grows again. */
    private static final long CALM_NANOS = TimeUnit.MILLISECONDS.toNanos(3_500);

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long NOTED_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final Path sidecar;
    private final Path agent;
    private final Path folder;
    private final Consumer<String> progress;
    private final MillJvm mill;

    /**
     * Measures with these jars.
     *
     * @param progress is told of each session
     */
    public Reacting(Path sidecar, Path agent, Path folder, Consumer<String> progress) throws IOException {
        this.sidecar = sidecar;
        this.agent = agent;
        this.folder = Files.createDirectories(folder.resolve("reacting"));
        this.progress = progress;
        this.mill = MillJvm.compiled(this.folder.resolve("classes"));
    }

    /** Has that many bursts, and some more to warm up. */
    public Reactions measure(int times) throws Exception {
        Reactions reactions = new Reactions();
        for (int session = 0; session < SESSIONS; session++) {
            int bursts = times * (session + 1) / SESSIONS - times * session / SESSIONS;
            session(folder.resolve("session-" + session), WARM + bursts, reactions);
            progress.accept("control: " + reactions);
        }
        return reactions;
    }

    private void session(Path home, int bursts, Reactions reactions) throws Exception {
        int productionPort = FreePorts.next();
        int debugPort = FreePorts.next();
        Path ring = Files.createDirectories(home).resolve("agent.ring");
        String settings = "window: { lane-memory: %d, memory: %d, order-wait: 5m, reply-timeout: 5m }"
                .formatted(WINDOW_BYTES, WINDOW_BYTES);
        try (Tool production = mill.start(home.resolve("production"), productionPort, 0, List.of());
                Subject tee = Subject.sidecar(home, sidecar, "mill", productionPort, debugPort, "http", settings);
                Tool debug = mill.start(
                        home.resolve("debug"),
                        debugPort,
                        DEBUG_WAIT_MICROS,
                        List.of("-javaagent:" + agent + "=debug=true,name=mill,packages=" + Mill.PACKAGE + ",ring="
                                + ring + ",ring-size=64MiB,sidecar=http://" + tee.control()));
                Readings readings = new Readings(tee.control())) {
            production.awaitPort(productionPort);
            debug.awaitPort(debugPort);
            await("a budget", () -> tee.metric(BUDGET) > 0);
            for (int burst = 0; burst < bursts; burst++) {
                awaitCalm(readings);
                burst(tee.web(), readings);
            }
            LockSupport.parkNanos(NOTED_NANOS);
            reactions.add(readings.seen(), decisions(home, ring), WARM);
        }
    }

    private static void awaitCalm(Readings readings) throws Exception {
        long[] since = {System.nanoTime()};
        await("a calm window", () -> {
            since[0] = readings.last().isCalm() ? since[0] : System.nanoTime();
            return System.nanoTime() - since[0] > CALM_NANOS;
        });
    }

    /** All at once; over when production has answered, while debug is at it. */
    private static void burst(int port, Readings readings) throws Exception {
        boolean[] told = {false};
        try (Drive drive = new Drive(port, ASK, new double[BURST])) {
            await("a burst's end", () -> {
                told[0] |= !readings.last().isCalm();
                return drive.isOver() && told[0];
            });
        }
    }

    private static void await(String what, Callable<Boolean> isThere) throws Exception {
        for (long begun = System.nanoTime(); !isThere.call(); LockSupport.parkNanos(LOOK_NANOS)) {
            if (System.nanoTime() - begun > PATIENCE_NANOS) {
                throw new IOException("waited for " + what + " in vain");
            }
        }
    }

    private List<Decision> decisions(Path home, Path ring) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Path folder = Files.createDirectories(home.resolve("ring"));
        List<String> command = List.of(
                java, "-jar", sidecar.toString(), "ring", "show", ring.toString(), "--kind", "decision", "--json");
        List<Decision> decisions = new ArrayList<>();
        try (Tool show = Tool.start(folder, command)) {
            show.handle().onExit().join();
            for (String line : show.output().lines().toList()) {
                JsonNode said = new ObjectMapper().readTree(line);
                Instant at = Instant.parse(said.path("at").asText());
                decisions.add(new Decision(
                        at.getEpochSecond() * 1e3 + at.getNano() / 1e6,
                        said.path("budget").asDouble()));
            }
        }
        return decisions;
    }
}
