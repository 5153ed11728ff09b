package dev.understudy.it.fidelity.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.it.bench.process.Tool;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The aggregator as users start it, with a settings file, in front of one server. */
public final class AggregatorProgram implements Closeable {
    private static final Pattern READY =
            Pattern.compile("production=127\\.0\\.0\\.1:(\\d+) debug=127\\.0\\.0\\.1:(\\d+), control=(\\S+)");
    private final Tool tool;
    private final Matcher ports;

    private AggregatorProgram(Tool tool, Matcher ports) {
        this.tool = tool;
        this.ports = ports;
    }

    /**
     * Starts one.
     *
     * @param jar with its libraries beside it
     */
    public static AggregatorProgram start(Path folder, Path jar, String protocol, int upstream) throws IOException {
        Path home = Files.createDirectories(folder);
        Files.writeString(home.resolve("aggregator.yaml"), """
                upstreams:
                  - name: upstream
                    protocol: %s
                    wait: 5s
                    production: { listen: "127.0.0.1:0", upstream: "127.0.0.1:%d" }
                    debug: { listen: "127.0.0.1:0" }
                control: { listen: "127.0.0.1:0", anonymous: admin }
                """.formatted(protocol, upstream));
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Tool tool = Tool.start(
                home,
                List.of(
                        java,
                        // many are started, for a few seconds each
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-jar",
                        jar.toString(),
                        "--config",
                        home.resolve("aggregator.yaml").toString()));
        Matcher ports = READY.matcher(tool.awaitOutput("ready:"));
        if (!ports.find()) {
            throw new IOException("the aggregator didn't say where it listens:\n" + tool.output());
        }
        return new AggregatorProgram(tool, ports);
    }

    /** Where production finds the server. */
    public int production() {
        return Integer.parseInt(ports.group(1));
    }

    /** Where the debug side finds what was recorded of it. */
    public int debug() {
        return Integer.parseInt(ports.group(2));
    }

    /** Connections that production opened. */
    public long connections() throws IOException, InterruptedException {
        return ask("/v1/status").at("/upstreams/0/production/connections").asLong();
    }

    /** What it says of its latest misses, the latest first. */
    public List<String> misses() throws IOException, InterruptedException {
        return refused().stream()
                .map(miss -> miss.form() + " (" + miss.why() + ")")
                .toList();
    }

    /** Its latest misses, the latest first. */
    public List<RefusedCall> refused() throws IOException, InterruptedException {
        List<RefusedCall> refused = new ArrayList<>();
        for (JsonNode miss : ask("/v1/misses?limit=1000").get("misses")) {
            refused.add(new RefusedCall(
                    Instant.parse(miss.get("at").asText()),
                    miss.get("form").asText(),
                    miss.get("why").asText()));
        }
        return refused;
    }

    /** Where its control port is, as {@code host:port}. */
    public String control() {
        return ports.group(3);
    }

    /** What its control port answers. */
    public JsonNode ask(String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://" + ports.group(3) + path);
        HttpRequest request = HttpRequest.newBuilder(uri).build();
        return new ObjectMapper()
                .readTree(HttpClient.newHttpClient()
                        .send(request, BodyHandlers.ofString())
                        .body());
    }

    @Override
    public void close() {
        tool.close();
    }
}
