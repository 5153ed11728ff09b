package dev.understudy.it.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.it.bench.process.FreePorts;
import dev.understudy.it.bench.process.Tool;
import dev.understudy.it.bench.report.Table;
import dev.understudy.it.fidelity.server.AggregatorProgram;
import dev.understudy.it.fidelity.server.PostgresServer;
import dev.understudy.it.fidelity.sql.SpringJpa;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * How often debug gets the reply of its own request where many ask for one row at once, which changes all the time, and
 * SQL names no trace: a Spring service in production and the same as debug, with sidecar and aggregator.
 */
@Command(
        name = "hot-row",
        mixinStandardHelpOptions = true,
        description = "Verdicts and guesses of a Spring service whose clients all write one row.")
final class HotRowStudy implements Callable<Integer> {
    private static final long PATIENCE_SECONDS = 300;

    /** Connections of each side, and whether debug has an agent. */
    private record Trial(int productionPool, int debugPool, boolean agent) {}

    @Mixin
    private Stage stage = new Stage();

    @Option(names = "--clients", defaultValue = "20", description = "At once (default: 20).")
    private int clients = 20;

    @Option(names = "--requests", defaultValue = "2500", description = "Of all clients together (default: 2500).")
    private int requests = 2_500;

    @Option(
            names = "--pools",
            defaultValue = "10,3,30",
            split = ",",
            description = "Production's connections; debug has as many (default: 10,3,30).")
    private List<Integer> pools = List.of(10, 3, 30);

    @Override
    public Integer call() throws Exception {
        Table table = new Table()
                .line("A Spring Boot service with Hibernate and HikariCP behind the sidecar, its copy in debug, and")
                .line("PostgreSQL behind the aggregator. %d clients at once read and write one row and its 3 parts,"
                        .formatted(clients))
                .line("without trace comments; %d requests a line. A guess is a reply that was chosen between"
                        .formatted(requests))
                .line("different ones without knowing whose it is.")
                .line("")
                .line("| pools | agent | SAME or EQUIVALENT | DIFFERENT | GUESSED | otherwise not compared"
                        + " | SQL calls | guesses | missed |")
                .line("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
        for (int pool : pools) {
            for (boolean agent : new boolean[] {false, true}) {
                Stage.progress("hot-row: pools of %d%s".formatted(pool, agent ? ", with the agent" : ""));
                table.line(run(new Trial(pool, pool, agent)));
            }
        }
        stage.put("Many clients on one row", table.toString());
        return 0;
    }

    private String run(Trial trial) throws Exception {
        Path folder = Stage.folder();
        List<Tool> open = new ArrayList<>();
        try (PostgresServer server = PostgresServer.start(folder);
                AggregatorProgram aggregator = AggregatorProgram.start(
                        folder.resolve("aggregator"), stage.aggregator(), "postgres", server.port())) {
            new SpringJpa(stage.jpa(), 1).prepare(server);
            int production = FreePorts.next();
            int debug = FreePorts.next();
            open.add(service(folder.resolve("production"), production, aggregator.production(), trial.productionPool));
            open.get(0).awaitPort(production);
            int control = FreePorts.next();
            int tee = FreePorts.next();
            open.add(sidecar(folder.resolve("sidecar"), tee, production, debug, control, aggregator.control()));
            List<String> options = trial.agent
                    ? List.of(("-javaagent:%s=debug=true,sidecar=http://127.0.0.1:%d,aggregator=http://%s,"
                                    + "packages=dev.understudy.it.jpa")
                            .formatted(stage.agent(), control, aggregator.control()))
                    : List.of();
            open.add(service(
                    folder.resolve("debug"),
                    debug,
                    aggregator.debug(),
                    trial.debugPool,
                    options.toArray(new String[0])));
            open.get(2).awaitPort(debug);
            load(tee);
            JsonNode listener = settled(control, requests + 1);
            return line(trial, listener, aggregator.ask("/v1/status"));
        } finally {
            open.forEach(Tool::close);
            Stage.remove(folder);
        }
    }

    private static String line(Trial trial, JsonNode listener, JsonNode status) {
        JsonNode verdicts = listener.at("/verdicts");
        long good = verdicts.at("/SAME").asLong() + verdicts.at("/EQUIVALENT").asLong();
        long different = verdicts.at("/DIFFERENT").asLong();
        long guessed = listener.at("/notCompared/GUESSED").asLong();
        long rest = verdicts.at("/NOT_COMPARED").asLong() - guessed;
        JsonNode calls = status.at("/upstreams/0/debug");
        long asked = calls.at("/requests").asLong() - calls.at("/local").asLong();
        long guesses = calls.at("/ambiguous").asLong();
        return String.format(
                Locale.ROOT,
                "| %d | %s | %d (%.2f %%) | %d | %d | %d | %d | %d (%.2f %%) | %d |",
                trial.productionPool,
                trial.agent ? "yes" : "no",
                good,
                100.0 * good / (good + different + guessed + rest),
                different,
                guessed,
                rest,
                asked,
                guesses,
                100.0 * guesses / Math.max(1, asked),
                calls.at("/missed").asLong());
    }

    private void load(int port) throws Exception {
        HttpClient first = HttpClient.newHttpClient();
        ask(first, port, "POST", "/authors/Hot?books=3");
        ExecutorService threads = Executors.newFixedThreadPool(clients);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int client = 0; client < clients; client++) {
                Random random = new Random(client);
                int share = requests / clients + (client < requests % clients ? 1 : 0);
                all.add(threads.submit(() -> {
                    HttpClient own = HttpClient.newHttpClient();
                    for (int n = 0; n < share; n++) {
                        switch (random.nextInt(4)) {
                            case 0 -> ask(own, port, "GET", "/authors/1");
                            case 1 -> ask(own, port, "GET", "/worth");
                            case 2 -> ask(own, port, "POST", "/authors/1/raise-all");
                            default -> ask(own, port, "POST", "/authors/1/raise");
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> client : all) {
                client.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static void ask(HttpClient client, int port, String method, String path)
            throws IOException, InterruptedException {
        client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                        .method(method, BodyPublishers.noBody())
                        .build(),
                BodyHandlers.discarding());
    }

    /** The listener's status once all have their verdicts. */
    private static JsonNode settled(int control, int requests) throws IOException, InterruptedException {
        HttpClient client = HttpClient.newHttpClient();
        HttpRequest status = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + control + "/v1/status"))
                .build();
        long until = System.nanoTime() + PATIENCE_SECONDS * 1_000_000_000L;
        while (true) {
            JsonNode listener = new ObjectMapper()
                    .readTree(client.send(status, BodyHandlers.ofString()).body())
                    .at("/listeners/0");
            long judged = 0;
            for (JsonNode kind : listener.at("/verdicts")) {
                judged += kind.asLong();
            }
            if (judged >= requests || System.nanoTime() > until) {
                return listener;
            }
            LockSupport.parkNanos(200_000_000L);
        }
    }

    private Tool service(Path folder, int port, int database, int pool, String... options) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m"));
        command.addAll(List.of(options));
        command.addAll(List.of("-jar", stage.jpa().toString(), "--server.port=" + port));
        command.addAll(List.of(
                "--spring.datasource.url=" + PostgresServer.url(database, ""),
                "--spring.datasource.username=bench",
                "--spring.datasource.password=any",
                "--spring.datasource.hikari.maximum-pool-size=" + pool));
        return Tool.start(Files.createDirectories(folder), command);
    }

    private Tool sidecar(Path folder, int port, int production, int debug, int control, String aggregator)
            throws IOException {
        Path home = Files.createDirectories(folder);
        Files.writeString(home.resolve("sidecar.yaml"), """
                listeners:
                  - name: tee
                    listen: "127.0.0.1:%d"
                    production: "127.0.0.1:%d"
                    protocol: http
                    debug: "127.0.0.1:%d"
                aggregator: { url: "http://%s" }
                control: { listen: "127.0.0.1:%d", anonymous: admin }
                """.formatted(port, production, debug, aggregator, control));
        Tool sidecar = Tool.start(
                home,
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-jar",
                        stage.sidecar().toString(),
                        "sidecar",
                        "--config",
                        "sidecar.yaml"));
        sidecar.awaitOutput("ready:");
        return sidecar;
    }
}
