package dev.understudy.it.localisation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs a bug's buggy version as production and, with the agent, as debug JVM, and asks after each batch of traffic who
 * is suspected.
 *
 * <p>All bugs are run with the same settings but for the operator's rule; three failing exchanges are enough to suspect
 * somebody, since trials are short.
 */
public final class Trial {
    private static final int BATCH = 100;
    private static final int FIRST_FIVE = 5;
    /** After this part of a trial what stays in memory is no longer what any server sets up at first. */
    private static final double WARM = 0.25;

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Path sidecar;
    private final Path agent;
    private final Path target;
    private final int most;
    private final long mostNanos;
    private final int rate;
    private final String sampling;
    private final boolean experiments;
    private final HttpClient client = HttpClient.newHttpClient();
    private final ObjectMapper json = new ObjectMapper();

    /**
     * Trials with these jars.
     *
     * @param target keeps what is downloaded
     * @param most requests of each bug
     * @param mostSeconds of each bug's traffic
     * @param rate how many times all clients of a bug together ask in a second
     * @param sampling the agent's setting of that name
     * @param experiments whether a failing request is compared in the end, with good ones and with the part of it that
     *     goes well, and who is suspected then
     */
    public Trial(
            Path sidecar,
            Path agent,
            Path target,
            int most,
            int mostSeconds,
            int rate,
            String sampling,
            boolean experiments) {
        this.sidecar = sidecar;
        this.agent = agent;
        this.target = target;
        this.most = most;
        this.mostNanos = TimeUnit.SECONDS.toNanos(mostSeconds);
        this.rate = rate;
        this.sampling = sampling;
        this.experiments = experiments;
    }

    /**
     * Runs it, with logs in {@code folder}, and what sidecar and agent told in the end in {@code suspects.json} and
     * {@code agent.json}.
     */
    public Outcome run(Bug bug, Path folder) throws Exception {
        String classPath = Jars.buggy(bug, target);
        int productionPort = FreePorts.next();
        int debugPort = FreePorts.next();
        String slow = bug.slow().isZero() ? "" : ", slow: " + bug.slow().toMillis() + "ms";
        String rule = "suspects: { least: 3, also: " + json.writeValueAsString(bug.fails()) + slow + " }";
        try (Tool production = server(bug, folder.resolve("production"), classPath, productionPort);
                Subject tee =
                        Subject.sidecar(folder, sidecar, "bug", productionPort, debugPort, bug.protocol(), rule)) {
            production.awaitPort(productionPort);
            String option = "-javaagent:" + agent + "=debug=true,name=" + bug.id() + ",packages=*,leaks=5s,sampling="
                    + sampling + ",sidecar=http://" + tee.control();
            try (Tool debug = server(bug, folder.resolve("debug"), classPath, debugPort, option);
                    Traffic traffic = new Traffic(bug, tee.web(), rate)) {
                debug.awaitPort(debugPort);
                awaitArmed(tee);
                Outcome outcome = watch(bug, tee, traffic, () -> Live.of(production, debug));
                Files.writeString(
                        folder.resolve("suspects.json"), outcome.found().toPrettyString());
                if (experiments) {
                    Files.writeString(
                            folder.resolve("suspects-by-experiments.json"),
                            outcome.foundThen().toPrettyString());
                    Files.writeString(
                            folder.resolve("comparisons.json"),
                            json.valueToTree(outcome.compared()).toPrettyString());
                }
                Files.writeString(
                        folder.resolve("agent.json"), read(tee, "/v1/agent").toPrettyString());
                return outcome;
            }
        }
    }

    private Outcome watch(Bug bug, Subject tee, Traffic traffic, Callable<Live> live) throws Exception {
        traffic.prepare();
        long begun = System.nanoTime();
        int foundAsked = 0;
        double foundSeconds = 0;
        double fullest = 0;
        long lag = 0;
        List<Live> lives = new ArrayList<>();
        JsonNode found;
        int rank;
        do {
            traffic.ask(BATCH);
            for (JsonNode one : read(tee, "/v1/agent").path("agents")) {
                fullest = Math.max(fullest, one.at("/window/utilisation").asDouble());
                lag = Math.max(lag, one.at("/window/lagMillis").asLong());
            }
            found = read(tee, "/v1/suspects");
            rank = Outcome.rank(bug, found);
            if (foundAsked == 0 && rank > 0 && rank <= FIRST_FIVE) {
                foundAsked = traffic.asked();
                foundSeconds = (System.nanoTime() - begun) / 1e9;
            }
            if (bug.grows() && lives.isEmpty() && done(traffic, begun) >= WARM) {
                lives.add(live.call());
            }
        } while (done(traffic, begun) < 1);
        if (bug.grows()) {
            lives.add(live.call());
        }
        List<JsonNode> compared = experiments ? List.of(compare(tee, false), compare(tee, true)) : List.of();
        return new Outcome(
                bug,
                traffic.asked(),
                traffic.triggers(),
                traffic.symptoms(),
                rank,
                foundAsked,
                foundSeconds,
                fullest,
                lag,
                lives,
                found,
                compared,
                experiments ? read(tee, "/v1/suspects") : found);
    }

    /** What came of the comparison of a failing request with good ones, or why there was none. */
    private JsonNode compare(Subject tee, boolean reduce) throws IOException, InterruptedException {
        HttpRequest start = HttpRequest.newBuilder(URI.create("http://" + tee.control() + "/v1/comparisons"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"reduce\":" + reduce + "}"))
                .build();
        JsonNode answer =
                json.readTree(client.send(start, BodyHandlers.ofString()).body());
        long begun = System.nanoTime();
        while (answer.at("/comparisons/0/state").asText().equals("RUNNING")
                && System.nanoTime() - begun < 2 * PATIENCE_NANOS) {
            LockSupport.parkNanos(PAUSE_NANOS);
            answer = read(tee, "/v1/comparisons");
        }
        return answer.path("comparisons").path(0).isObject()
                ? answer.path("comparisons").path(0)
                : answer;
    }

    private double done(Traffic traffic, long begun) {
        return Math.max((double) traffic.asked() / most, (double) (System.nanoTime() - begun) / mostNanos);
    }

    private void awaitArmed(Subject tee) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        while (!read(tee, "/v1/agent").toString().contains("\"state\":\"armed\"")) {
            if (System.nanoTime() - begun > PATIENCE_NANOS) {
                throw new IOException("the agent wasn't armed in time: " + read(tee, "/v1/agent"));
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private JsonNode read(Subject tee, String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + tee.control() + path))
                .build();
        return json.readTree(client.send(request, BodyHandlers.ofString()).body());
    }

    /** Starts a bug's server, with its files and its output in {@code home}. */
    static Tool server(Bug bug, Path home, String classPath, int port, String... options) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // the JDK's own server: else each reply on a connection that stays waits 40 ms for an acknowledgement
        command.addAll(List.of(
                "-Xmx256m", "-Djava.io.tmpdir=" + Files.createDirectories(home), "-Dsun.net.httpserver.nodelay=true"));
        command.addAll(bug.options());
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", classPath, bug.main()));
        bug.arguments().forEach(argument -> command.add(argument.replace("{port}", Integer.toString(port))));
        return Tool.start(home, command);
    }
}
