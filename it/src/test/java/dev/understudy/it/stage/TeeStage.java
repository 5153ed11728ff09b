package dev.understudy.it.stage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.awaitility.Awaitility.await;

/** {@code ./understudy sidecar} before a production server and a debug copy of it. */
public final class TeeStage implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Pattern READY = Pattern.compile("ready: server=127\\.0\\.0\\.1:(\\d+) control=");

    /** On a busy machine the sidecar is ready, and relays, before the lane process is and says so. */
    private static final Pattern CONTROL = Pattern.compile("ready: (?:server=\\S+ )?control=(127\\.0\\.0\\.1:\\d+)\\s");

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final Child sidecar;
    private final int port;
    private final URI control;

    private TeeStage(Child sidecar, int port, URI control) {
        this.sidecar = sidecar;
        this.port = port;
        this.control = control;
    }

    /**
     * Starts it, on ports of its own.
     *
     * @param folder keeps its settings and its log
     * @param sets settings that differ from the usual ones here, such as {@code window.reply-timeout=2m}
     */
    public static TeeStage open(Path folder, String protocol, int production, int debug, String... sets)
            throws IOException {
        String listener = "production: 127.0.0.1:%d, debug: 127.0.0.1:%d, protocol: %s";
        return open(folder, listener.formatted(production, debug, protocol), sets);
    }

    /**
     * Starts it, on ports of its own.
     *
     * @param listener the listener's settings but for its address, as in {@code production: 127.0.0.1:8081, debug: …}
     */
    public static TeeStage open(Path folder, String listener, String... sets) throws IOException {
        return open(folder, List.of(), listener, sets);
    }

    /**
     * Starts it by way of another command, such as one that limits what it may take.
     *
     * @param launcher begins the command line
     */
    public static TeeStage open(Path folder, List<String> launcher, String listener, String... sets)
            throws IOException {
        Path settings = Files.writeString(folder.resolve("sidecar.yaml"), """
                listeners: [{ name: server, listen: 127.0.0.1:0, %s }]
                window: { lane-memory: 256MiB, memory: 1GiB }
                drain: 100ms
                control: { listen: 127.0.0.1:0, anonymous: admin }
                """.formatted(listener));
        List<String> command = new ArrayList<>(launcher);
        command.addAll(List.of("./understudy", "sidecar", "--config", settings.toString()));
        for (String set : sets) {
            command.addAll(List.of("--set", set));
        }
        Child sidecar = Child.start(folder.resolve("sidecar.log"), command);
        await("sidecar")
                .atMost(PATIENCE)
                .until(() -> CONTROL.matcher(sidecar.output()).find()
                        || !sidecar.process().isAlive());
        Matcher ready = READY.matcher(sidecar.output());
        Matcher control = CONTROL.matcher(sidecar.output());
        if (!ready.find() || !control.find()) {
            throw new IllegalStateException(sidecar.output());
        }
        return new TeeStage(sidecar, Integer.parseInt(ready.group(1)), URI.create("http://" + control.group(1)));
    }

    /** Where clients find the server. */
    public int port() {
        return port;
    }

    /** The control port's address. */
    public String control() {
        return control.toString();
    }

    /** The listener's part of the status, once no lane is open any more: everything has reached the debug side. */
    public JsonNode settled() throws IOException, InterruptedException {
        await("lanes' end")
                .atMost(PATIENCE)
                .until(() -> listener().at("/lanes/open").asInt() == 0);
        return listener();
    }

    /** Waits until the debug side has answered {@code exchanges}; its connections may still be open. */
    public void awaitExchanges(int exchanges) {
        await("debug's replies")
                .pollInterval(Duration.ofMillis(20))
                .atMost(PATIENCE)
                .until(() -> {
                    JsonNode status = listener();
                    int judged = 0;
                    for (JsonNode kind : status.at("/verdicts")) {
                        judged += kind.asInt();
                    }
                    return judged >= exchanges;
                });
    }

    /** The listener's part of the status. */
    public JsonNode listener() throws IOException, InterruptedException {
        return read("/v1/status").at("/listeners/0");
    }

    /** A document of the control port. */
    public JsonNode read(String path) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(control.resolve(path)).timeout(PATIENCE).build();
        return new ObjectMapper()
                .readTree(CLIENT.send(request, BodyHandlers.ofString()).body());
    }

    /** The sidecar's process. */
    public Child sidecar() {
        return sidecar;
    }

    @Override
    public void close() {
        sidecar.process().destroy();
        sidecar.process().onExit().join();
        sidecar.close();
    }
}
