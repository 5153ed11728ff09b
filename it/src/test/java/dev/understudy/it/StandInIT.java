package dev.understudy.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.it.bench.process.FreePorts;
import dev.understudy.it.bench.standin.QuoteServer;
import dev.understudy.it.stage.Child;
import dev.understudy.it.stage.OwnJvm;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The guide's way, with its commands: an upstream is recorded, learned, played, and answers what nobody recorded. */
class StandInIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int REQUESTS = 200;

    @TempDir
    Path folder;

    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void upstream_isReplacedByWhatWasLearnedOfIt() throws Exception {
        int port = FreePorts.next();
        List<String> service = new ArrayList<>(OwnJvm.command(QuoteServer.class));
        service.add(String.valueOf(port));
        try (Child upstream = Child.start(folder.resolve("upstream.log"), service)) {
            awaitAnswer(port, upstream);
            Path model = learned(port);
            int played = FreePorts.next();
            try (Child standIn = start("standin", "run", model.toString(), "--listen", "127.0.0.1:" + played)) {
                awaitAnswer(played, standIn);
                load(model, played);
                aggregate(port, played);
            }
        }
    }

    private Path learned(int port) throws Exception {
        Path recording = folder.resolve("quotes.recording");
        int recorded = FreePorts.next();
        try (Child recorder = start(
                "record",
                "--listen",
                "127.0.0.1:" + recorded,
                "--to",
                "127.0.0.1:" + port,
                "--file",
                recording.toString())) {
            awaitAnswer(recorded, recorder);
            for (int n = 0; n < REQUESTS; n++) {
                ask(recorded, "/quotes/" + n, n % 10 == 0 ? "{\"amount\":" + n + "}" : "");
            }
            assertThat(recorder.endAtOnce("TERM", recorded, PATIENCE))
                    .as(recorder.output())
                    .isZero();
        }
        Path model = folder.resolve("quotes.yaml");
        done("standin", "learn", recording.toString(), "--out", model.toString(), "--service", "quotes");
        assertThat(done("standin", "show", model.toString())).contains("GET /quotes/{}", "POST /quotes/{}");
        return model;
    }

    private void load(Path model, int played) throws Exception {
        String target = "http://127.0.0.1:" + played;
        try (Child load = start(
                "load",
                "--from",
                model.toString(),
                "--target",
                target,
                "--rate",
                "10",
                "--seconds",
                "2",
                "--connections",
                "8")) {
            // 1 where this machine is too busy to send at their moments
            assertThat(load.exitCode(PATIENCE)).as(load.output()).isLessThan(2);
            assertThat(load.output()).contains("GET /quotes/{}", "wanted 10.0 per second");
        }
    }

    private void aggregate(int port, int played) throws Exception {
        int production = FreePorts.next();
        int debug = FreePorts.next();
        Path settings =
                Files.writeString(folder.resolve("aggregator.yaml"), """
                upstreams:
                  - name: quotes
                    protocol: http
                    production: { listen: "127.0.0.1:%d", upstream: "127.0.0.1:%d" }
                    debug: { listen: "127.0.0.1:%d" }
                    wait: 1s
                    miss: standin
                    standin: "127.0.0.1:%d"
                control: { listen: "127.0.0.1:0" }
                """.formatted(production, port, debug, played));
        try (Child aggregator = start("aggregator", "--config", settings.toString())) {
            awaitAnswer(production, aggregator);
            await("the debug side")
                    .atMost(PATIENCE)
                    .until(() -> aggregator.output().contains("ready:"));
            HttpResponse<String> real = ask(production, "/quotes/41", "");
            HttpResponse<String> recorded = ask(debug, "/quotes/41", "");
            assertThat(recorded.body()).isEqualTo(real.body());
            assertThat(recorded.headers().firstValue("understudy-standin")).isEmpty();

            HttpResponse<String> made = ask(debug, "/quotes/123456", "");
            assertThat(made.headers().firstValue("understudy-standin")).contains("true");
            assertThat(members(made))
                    .isSubsetOf("id", "total", "lines", "error")
                    .isNotEmpty();
            assertThat(ask(debug, "/quotes/123456", "").body()).isEqualTo(made.body());
        }
    }

    private static List<String> members(HttpResponse<String> reply) throws IOException {
        JsonNode json = new ObjectMapper().readTree(reply.body());
        List<String> names = new ArrayList<>();
        json.fieldNames().forEachRemaining(names::add);
        return names;
    }

    private HttpResponse<String> ask(int port, String target, String body) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + target));
        if (!body.isEmpty()) {
            request.header("Content-Type", "application/json").POST(BodyPublishers.ofString(body));
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private void awaitAnswer(int port, Child program) {
        await("port " + port)
                .atMost(PATIENCE)
                .ignoreException(ConnectException.class)
                .until(() -> !program.process().isAlive()
                        || ask(port, "/quotes/1", "").statusCode() > 0);
        assertThat(program.process().isAlive()).as(program.output()).isTrue();
    }

    private Child start(String... words) throws IOException {
        List<String> command = new ArrayList<>(List.of("./understudy"));
        command.addAll(List.of(words));
        return Child.start(folder.resolve(words[0] + ".log"), command);
    }

    /** Runs a command to its end; what it printed. */
    private String done(String... words) throws Exception {
        try (Child child = start(words)) {
            assertThat(child.exitCode(PATIENCE)).as(child.output()).isZero();
            return child.output();
        }
    }
}
