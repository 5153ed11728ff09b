package dev.understudy.it.bench.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.it.bench.load.Ask;
import dev.understudy.it.bench.process.FreePorts;
import dev.understudy.it.bench.process.Tool;
import dev.understudy.it.bench.subject.Subject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Runs production, the sidecar and the debug JVM with its agent under one load, all of them begun anew. */
public final class Trial {
    private static final Ask ASK = Ask.get("/");
    private static final double WARM_SECONDS = 3;
    private static final double CAPACITY_SECONDS = 2;
    /** What a waiting request holds: mostly the buffers that it came in. */
    private static final int REQUEST_BYTES = 3 << 10;

    private static final long LEAST_WINDOW = 256 << 10;
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long REPORT_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);

    private final Path sidecar;
    private final Path agent;
    private final Path folder;
    private final long waitMicros;
    private final long window;
    private final double seconds;
    private final String lag;
    private final MillJvm mill;
    private final HttpClient client = HttpClient.newHttpClient();
    private final ObjectMapper json = new ObjectMapper();
    private int runs;

    /**
     * Trials with these jars.
     *
     * @param waitMicros how long a request waits besides its work
     * @param windowSeconds of how long what production can serve fits into the sidecar's window; it is served for some
     *     seconds to see
     * @param seconds the length of a run
     * @param lag the agent's setting of that name
     */
    public Trial(
            Path sidecar, Path agent, Path folder, long waitMicros, double windowSeconds, double seconds, String lag)
            throws Exception {
        this.sidecar = sidecar;
        this.agent = agent;
        this.folder = folder;
        this.waitMicros = waitMicros;
        this.seconds = seconds;
        this.lag = lag;
        this.mill = MillJvm.compiled(folder.resolve("classes"));
        this.window = Math.max(LEAST_WINDOW, (long) (windowSeconds * capacity() * REQUEST_BYTES));
    }

    /** One run with that setting of the agent. */
    Ran run(Load load, String sampling) throws Exception {
        Path home = Files.createDirectories(folder.resolve("run-" + ++runs));
        int productionPort = FreePorts.next();
        int debugPort = FreePorts.next();
        String settings =
                "window: { lane-memory: %d, memory: %d, order-wait: 5m, reply-timeout: 5m }".formatted(window, window);
        try (Tool production = mill.start(home.resolve("production"), productionPort, waitMicros, List.of());
                Subject tee = Subject.sidecar(home, sidecar, "mill", productionPort, debugPort, "http", settings);
                Tool debug = mill.start(
                        home.resolve("debug"),
                        debugPort,
                        waitMicros,
                        List.of("-javaagent:" + agent + "=debug=true,name=mill,budget=1,packages=" + Mill.PACKAGE
                                + ",sampling=" + sampling + ",lag=" + lag + ",sidecar=http://" + tee.control()))) {
            production.awaitPort(productionPort);
            debug.awaitPort(debugPort);
            double[] capacity = alone(productionPort, debugPort);
            return drive(load, sampling, tee, capacity);
        }
    }

    private double capacity() throws Exception {
        int port = FreePorts.next();
        try (Tool production = mill.start(folder.resolve("alone"), port, waitMicros, List.of())) {
            production.awaitPort(port);
            Drive.closed(port, ASK, WARM_SECONDS);
            return Drive.closed(port, ASK, CAPACITY_SECONDS);
        }
    }

    /** The window's size in bytes. */
    public long window() {
        return window;
    }

    private double[] alone(int productionPort, int debugPort) throws Exception {
        ExecutorService both = Executors.newFixedThreadPool(2);
        try {
            double[] served = new double[2];
            for (double length : new double[] {WARM_SECONDS, CAPACITY_SECONDS}) {
                Callable<Double> ofProduction = () -> Drive.closed(productionPort, ASK, length);
                Callable<Double> ofDebug = () -> Drive.closed(debugPort, ASK, length);
                List<Future<Double>> asked = both.invokeAll(List.of(ofProduction, ofDebug));
                served = new double[] {asked.get(0).get(), asked.get(1).get()};
            }
            return served;
        } finally {
            both.shutdownNow();
        }
    }

    private Ran drive(Load load, String sampling, Subject tee, double[] capacity) throws Exception {
        Map<String, Long> before = samples(tee);
        double overflowed = Double.NaN;
        String lost = "";
        double spent = 0;
        int looks = 0;
        long start = System.nanoTime();
        int failed;
        try (Drive drive = new Drive(tee.web(), ASK, load.arrivals(capacity[0], seconds, new Random(1)))) {
            while (!drive.isOver() && Double.isNaN(overflowed)) {
                LockSupport.parkNanos(LOOK_NANOS);
                spent += agent(tee).path("spent").asDouble();
                looks++;
                JsonNode losses = losses(tee);
                if (!losses.isEmpty()) {
                    overflowed = (System.nanoTime() - start) / 1e9;
                    lost = losses.toString();
                }
            }
            failed = drive.failed();
        }
        double lasted = (System.nanoTime() - start) / 1e9;
        LockSupport.parkNanos(REPORT_NANOS); // the agent reports once a second
        double all = 0;
        double information = 0;
        for (Map.Entry<String, Long> method : samples(tee).entrySet()) {
            double perSecond = (method.getValue() - before.getOrDefault(method.getKey(), 0L)) / lasted;
            all += perSecond;
            information += Math.log1p(perSecond);
        }
        JsonNode held = read(tee, "/v1/status").at("/windows/0");
        return new Ran(
                sampling,
                capacity[0],
                capacity[1],
                overflowed,
                lost,
                held.path("peakUtilisation").asDouble(),
                held.path("peakLagMillis").asLong(),
                spent / Math.max(1, looks),
                all,
                information,
                failed);
    }

    private JsonNode losses(Subject tee) throws IOException, InterruptedException {
        return read(tee, "/v1/status").at("/listeners/0/losses");
    }

    private Map<String, Long> samples(Subject tee) throws IOException, InterruptedException {
        Map<String, Long> samples = new HashMap<>();
        for (JsonNode method : agent(tee).path("methods")) {
            samples.put(method.path("method").asText(), method.path("samples").asLong());
        }
        return samples;
    }

    private JsonNode agent(Subject tee) throws IOException, InterruptedException {
        return read(tee, "/v1/agent").at("/agents/0");
    }

    private JsonNode read(Subject tee, String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + tee.control() + path))
                .build();
        return json.readTree(client.send(request, BodyHandlers.ofString()).body());
    }
}
