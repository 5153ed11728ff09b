package dev.understudy.it.observe;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.it.bench.process.FreePorts;
import dev.understudy.it.stage.Child;
import dev.understudy.it.stage.Understudy;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A service that its collector stops now and then: the commands say when, and that it was the collector. */
@Tag("any-jdk")
class ObservatoryIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final long BETWEEN = TimeUnit.MILLISECONDS.toNanos(10);

    /** After how many requests a collection begins: four seconds apart, since on a busy machine one takes two. */
    private static final List<Integer> COLLECTIONS = List.of(250, 650, 1_050, 1_450);

    private static final int REQUESTS = 1_700;

    @TempDir
    Path folder;

    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void collectionsThatStopAService_areFoundAndNamed() throws Exception {
        Path recording = folder.resolve("web.understudy");
        Path samples = folder.resolve("samples");
        try (Child service = Child.start(folder.resolve("service.log"), service())) {
            await("the service").atMost(PATIENCE).until(() -> service.output().endsWith("\n"));
            String address = "127.0.0.1:" + service.output().strip();
            int port = FreePorts.next();
            String pid = Long.toString(service.process().pid());
            try (Child node = understudy("node", "--out", samples.toString(), "--process", pid);
                    Child record = understudy(
                            "record",
                            "--listen",
                            "127.0.0.1:" + port,
                            "--to",
                            address,
                            "--file",
                            recording.toString())) {
                await("the recorder").atMost(PATIENCE).until(() -> answers(port));
                await("samples").atMost(PATIENCE).until(() -> Files.isDirectory(samples));
                load(port);
                interrupt(record);
                interrupt(node);
            }
        }

        Path json = folder.resolve("found.json");
        String page = run(
                1,
                "bottlenecks",
                "--tier",
                "web=" + recording,
                "--samples",
                samples.toString(),
                "--json",
                json.toString());
        JsonNode found = new ObjectMapper().readTree(json.toFile()).path("bottlenecks");
        assertThat(found).as(page).hasSizeGreaterThanOrEqualTo(COLLECTIONS.size() - 1);
        assertThat(found).as(page).filteredOn(ObservatoryIT::isByTheCollector).hasSizeGreaterThanOrEqualTo(3);

        String store = folder.resolve("store").toString();
        run(0, "store", "add", "--store", store, "--tier", "web=" + recording, "--samples", samples.toString());
        assertThat(run(
                                0,
                                "ask",
                                "--store",
                                store,
                                "--format",
                                "csv",
                                "SELECT count(*) FROM exchanges WHERE tier = 'web'")
                        .lines()
                        .toList())
                .last()
                .satisfies(count -> assertThat(Integer.parseInt(count)).isGreaterThanOrEqualTo(REQUESTS));
        assertThat(run(0, "ask", "--store", store, "SELECT DISTINCT metric FROM samples ORDER BY metric"))
                .contains("processor.busy", "collector.pause");
        assertThat(run(0, "store", "list", "--store", store)).contains("exchanges  from", "samples  from");
    }

    /** One of the few best: in so short a run several are, and the collector's own thread keeps a processor busy. */
    private static boolean isByTheCollector(JsonNode bottleneck) {
        return StreamSupport.stream(bottleneck.path("resources").spliterator(), false)
                .anyMatch(resource -> resource.path("metric").asText().startsWith("collector."));
    }

    /** Requests at their times, however long replies take: those that wait are many. */
    private void load(int port) {
        List<CompletableFuture<HttpResponse<Void>>> replies = new ArrayList<>();
        long due = System.nanoTime();
        for (int n = 0; n < REQUESTS; n++) {
            due += BETWEEN;
            LockSupport.parkNanos(due - System.nanoTime());
            replies.add(send(port, COLLECTIONS.contains(n) ? "/collect" : "/work"));
        }
        CompletableFuture.allOf(replies.toArray(CompletableFuture[]::new))
                .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                .join();
    }

    private boolean answers(int port) {
        try {
            return send(port, "/").orTimeout(5, TimeUnit.SECONDS).join().statusCode() == 204;
        } catch (RuntimeException notYet) {
            return false;
        }
    }

    private CompletableFuture<HttpResponse<Void>> send(int port, String path) {
        return client.sendAsync(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                        .version(HttpClient.Version.HTTP_1_1)
                        .build(),
                BodyHandlers.discarding());
    }

    private Child understudy(String... command) throws IOException {
        List<String> line = new ArrayList<>(List.of("./understudy"));
        line.addAll(List.of(command));
        return Child.start(folder.resolve(command[0] + ".log"), line);
    }

    private static void interrupt(Child child) throws Exception {
        new ProcessBuilder("kill", "-INT", String.valueOf(child.process().pid()))
                .start()
                .waitFor();
        assertThat(child.exitCode(PATIENCE)).as(child.output()).isIn(0, 130);
    }

    private String run(int code, String... command) throws Exception {
        return Understudy.run(folder, code, command);
    }

    private static List<String> service() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-Xms512m",
                "-XX:+UseSerialGC",
                "-cp",
                CrowdedService.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .getPath(),
                CrowdedService.class.getName());
    }
}
