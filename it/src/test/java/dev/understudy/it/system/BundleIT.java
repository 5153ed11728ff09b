package dev.understudy.it.system;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import dev.understudy.it.artifact.OwnRepository;
import dev.understudy.it.bench.process.FreePorts;
import dev.understudy.it.stage.Child;
import dev.understudy.it.stage.NeedsPrograms;
import dev.understudy.it.stage.OwnJvm;
import dev.understudy.it.stage.RealServer;
import dev.understudy.it.stage.Understudy;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The guide on bundles, as a user follows it: a service with two upstreams, and none of both where it is replayed. */
@Tag("any-jdk")
@NeedsPrograms("redis-server")
class BundleIT {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int REQUESTS = 20;
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    @TempDir
    static Path folder;

    private static Path bundle;
    private static Path key;

    @BeforeAll
    static void make() throws Exception {
        bundle = folder.resolve("failure.bundle");
        key = folder.resolve("bundle.key");
        run(0, "bundle", "key", "-o", key.toString());
        run(0, "bundle", "key", "--signing", "-o", folder.resolve("signer.pem").toString());
        HttpServer prices = prices();
        try (RealServer cache = RealServer.redis(Files.createDirectory(folder.resolve("redis")))) {
            record(prices, cache);
        } finally {
            prices.stop(0);
        }
    }

    @Test
    void bundle_replaysAFailureWhereNoUpstreamIs() throws Exception {
        String signer = folder.resolve("signer.pem.pub").toString();
        String[] inspect = {"bundle", "inspect", bundle.toString(), "--decrypt", key.toString(), "--signed-by", signer};
        assertThat(run(0, inspect))
                .contains(
                        "encrypted, signed by the key that is trusted",
                        "GET /orders/{n}",
                        "upstream prices (http): 20 recorded",
                        "upstream cache (redis): 20 recorded");
        assertThat(run(0, replay(bundle, "-Ddefect=false")))
                .contains("20 EQUIVALENT, 0 DIFFERENT")
                .contains("faithful: each of 40 calls got a recorded reply")
                .doesNotContain("took");
        assertThat(run(1, replay(bundle, "-Ddefect=true"))).contains("body.total", "20 DIFFERENT");
        assertThat(run(3, replay(bundle, "-Dversion=/v2")))
                .contains(
                        "not faithful: 20 of 40 calls got no recorded reply", "no reply of prices", "GET /v2/orders/");
        assertThat(folder.resolve("replay.md"))
                .content()
                .contains("replies differ from the recorded ones", "not faithful&#58; 20 of 40");
        assertThat(run(2, "bundle", "replay", bundle.toString(), "--", "serve", "--port={port}", "{upstream:cache}"))
                .contains("failure.bundle: encrypted (expected: --decrypt");
        assertThat(run(
                        2,
                        "bundle",
                        "replay",
                        bundle.toString(),
                        "--decrypt",
                        key.toString(),
                        "--",
                        "serve",
                        "--port={port}",
                        "{upstream:cache}"))
                .contains("no {upstream:prices} in COMMAND or --env");
        byte[] damaged = Files.readAllBytes(bundle);
        damaged[damaged.length / 2] ^= 1;
        Path other = Files.write(folder.resolve("damaged.bundle"), damaged);
        assertThat(run(2, replay(other, "-Ddefect=false"))).contains("damaged.bundle: ");
    }

    @Test
    void serviceThatCallsNobody_needsNoAggregator() throws Exception {
        Path recording = folder.resolve("alone.understudy");
        try (Child quotes = OwnJvm.start(folder, QuoteJvm.class, "alone")) {
            record(quotes, recording);
        }
        Path alone = folder.resolve("alone.bundle");
        String noise = folder.resolve("noise.yaml").toString();
        run(0, "bundle", "create", "--recording", recording.toString(), "--noise", noise, "-o", alone.toString());
        for (String defect : List.of("false", "true")) {
            List<String> words = new ArrayList<>(List.of("bundle", "replay", alone.toString(), "--speed", "1000"));
            words.addAll(List.of("--redact", "total", "--"));
            words.addAll(OwnJvm.command(QuoteJvm.class, "-Dport={port}", "-Ddefect=" + defect));
            assertThat(run(defect.equals("true") ? 1 : 0, words.toArray(String[]::new)))
                    .contains(
                            "no recorded reply was asked for",
                            defect.equals("true") ? "20 DIFFERENT" : "20 EQUIVALENT",
                            defect.equals("true") ? "body.total, type=VALUE, production=[masked]" : "");
        }
    }

    /** The step of the guide's workflow that is ours, with this service for the user's. */
    @Test
    void workflowOfTheGuide_writesTheKeyAndTheSummary() throws Exception {
        List<String> steps = workflow();
        Path checkout = Files.createDirectory(folder.resolve("checkout"));
        Files.copy(bundle, checkout.resolve("failure.bundle"));
        String service = String.join(" ", command("-Ddefect=true"));
        assertThat(steps).hasSize(1);
        Path launcher = ROOT.resolve("understudy");
        String replay = steps.get(0)
                .replace("understudy/bin/understudy ", launcher + " ")
                .replaceFirst("(?s)-- java .*", Matcher.quoteReplacement("-- " + service));
        assertThat(replay).contains(launcher.toString(), service);
        assertThat(step(checkout, replay)).isEqualTo(1);
        assertThat(checkout.resolve("bundle.key")).hasSameTextualContentAs(key);
        assertThat(checkout.resolve("summary.md")).content().contains("### 20 of 20 replies differ", "body.total");
    }

    /** Without a database, and from coordinates alone. */
    @Test
    void goalOfMaven_failsTheBuildThatAnswersDifferently() throws Exception {
        Path own = Files.createDirectory(folder.resolve("maven"));
        OwnRepository repository = OwnRepository.publish(
                own,
                Map.of(
                        "testing",
                        "testing/target/testing-" + OwnRepository.VERSION + ".jar",
                        "maven-plugin",
                        "testing/maven-plugin/target/maven-plugin-" + OwnRepository.VERSION + ".jar"));
        Path project = Files.createDirectory(own.resolve("project"));
        Files.writeString(project.resolve("pom.xml"), pom());
        quotesJar(project.resolve("quotes.jar"));

        assertThat(repository.maven(project, 0, "verify", "-Ddefect=false")).contains("DIFFERENT=0, EQUIVALENT=20");
        assertThat(project.resolve("target/understudy/replay/summary.md"))
                .content()
                .contains("### All 20 replies are as recorded");
        assertThat(repository.maven(project, 1, "verify", "-Ddefect=true"))
                .contains("the service doesn't answer as recorded", "DIFFERENT  GET /orders/0 (exchange 1)")
                .containsSubsequence("VALUE body.total", "production: 1250", "debug:      1251");
        assertThat(repository.maven(project, 1, "verify", "-Ddefect=false", "-Dunderstudy.key=" + bundle))
                .contains("no key of bundles");
        assertThat(repository.maven(project, 0, "verify", "-Ddefect=true", "-Dunderstudy.skip"))
                .contains("skipped, as understudy.skip says");
    }

    private static String pom() {
        return """
                <project>
                  <modelVersion>4.0.0</modelVersion>
                  <groupId>com.example</groupId><artifactId>quotes</artifactId><version>1</version>
                  <packaging>pom</packaging>
                  <properties><understudy.key>%s</understudy.key></properties>
                  <build><plugins><plugin>
                    <groupId>dev.understudy</groupId>
                    <artifactId>understudy-maven-plugin</artifactId>
                    <version>%s</version>
                    <executions><execution><goals><goal>replay</goal></goals></execution></executions>
                    <configuration>
                      <bundle>%s</bundle>
                      <speed>1000</speed>
                      <service>-Dport={port},-Dprices={upstream:prices},-Dcache={upstream:cache},
                        -Ddefect=${defect},${project.basedir}/quotes.jar</service>
                    </configuration>
                  </plugin></plugins></build>
                </project>
                """.formatted(key, OwnRepository.VERSION, bundle);
    }

    private static void quotesJar(Path file) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, QuoteJvm.class.getName());
        String name = QuoteJvm.class.getName().replace('.', '/') + ".class";
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file), manifest);
                InputStream in = Objects.requireNonNull(QuoteJvm.class.getResourceAsStream("/" + name))) {
            jar.putNextEntry(new JarEntry(name));
            in.transferTo(jar);
        }
    }

    /** Those that neither other people's actions nor other programs do. */
    private static List<String> workflow() throws IOException {
        String guide = Files.readString(ROOT.resolve("docs/guides/bundles.md"));
        int begin = guide.indexOf("```yaml\n") + "```yaml\n".length();
        String yaml = guide.substring(begin, guide.indexOf("```", begin));
        JsonNode steps = new ObjectMapper()
                .valueToTree(new Load(LoadSettings.builder().build()).loadFromString(yaml))
                .at("/jobs/replay/steps");
        List<String> ours = new ArrayList<>();
        for (JsonNode step : steps) {
            String run = step.path("run").asText();
            if (!run.isEmpty() && !run.matches("(?s)(mvn|gh|tar) .*")) {
                ours.add(run);
            }
        }
        return ours;
    }

    private static int step(Path checkout, String script) throws IOException, InterruptedException {
        ProcessBuilder shell = new ProcessBuilder("bash", "-e", "-c", script)
                .directory(checkout.toFile())
                .redirectErrorStream(true)
                .redirectOutput(checkout.resolve("step.log").toFile());
        shell.environment().put("BUNDLE_KEY", Files.readString(key).strip());
        Process process = shell.start();
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    /** What 20 requests of a client have the service ask, in one file. */
    private static void record(HttpServer prices, RealServer cache) throws Exception {
        int pricesPort = FreePorts.next();
        int cachePort = FreePorts.next();
        Path settings = Files.writeString(folder.resolve("aggregator.yaml"), """
                upstreams:
                  - {name: prices, protocol: http, production: {listen: "127.0.0.1:%d", upstream: "%s"},
                     debug: {listen: "127.0.0.1:0"}}
                  - {name: cache, protocol: redis, production: {listen: "127.0.0.1:%d", upstream: "127.0.0.1:%d"},
                     debug: {listen: "127.0.0.1:0"}}
                journal: {disk-directory: "%s"}
                control: {listen: "127.0.0.1:0"}
                """.formatted(
                        pricesPort,
                        "127.0.0.1:" + prices.getAddress().getPort(),
                        cachePort,
                        cache.port(),
                        folder.resolve("journal")));
        Path recording = folder.resolve("failure.understudy");
        List<String> aggregated = List.of("./understudy", "aggregator", "--config", settings.toString());
        try (Child aggregator = Child.start(folder.resolve("aggregator.log"), aggregated)) {
            await("the aggregator")
                    .atMost(PATIENCE)
                    .until(() -> aggregator.output().contains("ready:"));
            try (Child quotes = OwnJvm.start(
                    folder,
                    QuoteJvm.class,
                    "quotes",
                    "-Dprices=127.0.0.1:" + pricesPort,
                    "-Dcache=127.0.0.1:" + cachePort)) {
                record(quotes, recording);
            }
            aggregator.process().destroy();
            assertThat(aggregator.exitCode(PATIENCE)).as(aggregator.output()).isIn(0, 143);
        }
        run(
                0,
                "bundle",
                "create",
                "--recording",
                recording.toString(),
                "--journal",
                folder.resolve("journal").toString(),
                "--config",
                settings.toString(),
                "--noise",
                Files.writeString(folder.resolve("noise.yaml"), "rules: [{path: body.took, value: number}]")
                        .toString(),
                "--encrypt",
                key.toString(),
                "--sign",
                folder.resolve("signer.pem").toString(),
                "-o",
                bundle.toString());
    }

    /** A recording of what 20 requests get from a service. */
    private static void record(Child quotes, Path recording) throws Exception {
        int port = FreePorts.next();
        List<String> record = List.of(
                "./understudy",
                "record",
                "--listen",
                "127.0.0.1:" + port,
                "--to",
                "127.0.0.1:" + OwnJvm.port(quotes),
                "--file",
                recording.toString());
        try (Child recorder = Child.start(folder.resolve("record.log"), record)) {
            await("the recorder").atMost(PATIENCE).until(() -> listens(port));
            ask(port);
            assertThat(recorder.endAtOnce("TERM", port, PATIENCE))
                    .as(recorder.output())
                    .isZero();
        }
    }

    private static String[] replay(Path file, String... options) {
        List<String> words = new ArrayList<>(List.of("bundle", "replay", file.toString(), "--speed", "1000"));
        words.addAll(List.of("--decrypt", key.toString()));
        words.addAll(List.of("--markdown", folder.resolve("replay.md").toString(), "--"));
        words.addAll(command(options));
        return words.toArray(String[]::new);
    }

    /** Starts the service. */
    private static List<String> command(String... options) {
        List<String> placed = new ArrayList<>(List.of(
                "-Dport={port}", "-Dprices={upstream:prices}", "-Dcache={upstream:cache:host}:{upstream:cache:port}"));
        placed.addAll(List.of(options));
        return OwnJvm.command(QuoteJvm.class, placed.toArray(String[]::new));
    }

    private static String run(int code, String... command) throws Exception {
        return Understudy.run(folder, code, command);
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    private static void ask(int port) throws IOException, InterruptedException {
        HttpClient client = HttpClient.newHttpClient();
        for (int n = 0; n < REQUESTS; n++) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/orders/" + n))
                    .build();
            assertThat(client.send(request, BodyHandlers.ofString()).body()).contains("1250");
        }
    }

    private static HttpServer prices() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        byte[] body = "1250".getBytes(StandardCharsets.UTF_8);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        return server;
    }
}
