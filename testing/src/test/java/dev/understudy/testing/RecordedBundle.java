package dev.understudy.testing;

import dev.understudy.testing.process.ChildProcess;
import dev.understudy.testing.process.ProgramArchive;
import dev.understudy.testing.process.TestedCommand;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/** Makes an encrypted bundle as an operator does: with an aggregator and a recorder around the released shop. */
public final class RecordedBundle {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Pattern UPSTREAM = Pattern.compile(" rates production=(\\S+) ");
    private static final Pattern RECORDER = Pattern.compile("record ready: (\\S+) file=");
    private static final Pattern SHOP = Pattern.compile("port (\\d+)");
    private static final Map<String, String> VARIABLES = Map.of("UNDERSTUDY_CONTROL_TOKEN", "unused");

    private RecordedBundle() {}

    /**
     * Records these requests, one after another.
     *
     * @param folder an empty one
     */
    public static Path of(Path folder, String... paths) throws Exception {
        Path bundle = folder.resolve("shop.bundle");
        Path recording = folder.resolve("shop.understudy");
        try (Rates rates = new Rates()) {
            Path settings = Files.writeString(
                    folder.resolve("aggregator.yaml"), """
                    upstreams:
                      - name: rates
                        protocol: http
                        production: { listen: "127.0.0.1:0", upstream: "%s" }
                        debug: { listen: "127.0.0.1:0" }
                    journal: { disk-directory: "%s" }
                    control: { listen: "127.0.0.1:0" }
                    drain: 100ms
                    """.formatted(rates.address(), folder.resolve("journal")));
            try (ChildProcess aggregator = program(folder, "aggregator", "--config", settings.toString())) {
                String upstream = aggregator.await(UPSTREAM, PATIENCE).group(1);
                record(folder, upstream, recording, paths);
                aggregator.stop();
                assertThat(aggregator.awaitEnd(PATIENCE)).as(aggregator.tail()).isIn(0, 143);
            }
            ChildProcess made = program(
                    folder, "session", "bundle", "key", "-o", key(folder).toString());
            assertThat(made.awaitEnd(PATIENCE)).as(made.tail()).isZero();
            ChildProcess create = program(
                    folder,
                    "session",
                    List.of(
                            "bundle",
                            "create",
                            "--recording",
                            recording.toString(),
                            "--journal",
                            folder.resolve("journal").toString(),
                            "--config",
                            settings.toString(),
                            "--encrypt",
                            key(folder).toString(),
                            "-o",
                            bundle.toString()));
            assertThat(create.awaitEnd(PATIENCE)).as(create.tail()).isZero();
        }
        return bundle;
    }

    /** The key of the bundle in that folder. */
    public static Path key(Path folder) {
        return folder.resolve("shop.key");
    }

    private static ChildProcess program(Path folder, String name, String... arguments) {
        return program(folder, name, List.of(arguments));
    }

    private static ChildProcess program(Path folder, String name, List<String> arguments) {
        Path jar = ProgramArchive.jar(ProgramArchive.unpack(ReportFolder.root()), name);
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.addAll(List.of("-XX:TieredStopAtLevel=1", "-jar", jar.toString()));
        line.addAll(arguments);
        return ChildProcess.start(name, folder.resolve(name + ".log"), line, VARIABLES);
    }

    private static void record(Path folder, String upstream, Path recording, String... paths) throws Exception {
        TestedCommand shop = new TestedCommand(List.of(ShopService.class.getName(), "released", upstream, ""));
        try (ChildProcess service =
                ChildProcess.start("shop", folder.resolve("shop.log"), shop.line(Map.of()), Map.of())) {
            String to = "127.0.0.1:" + service.await(SHOP, PATIENCE).group(1);
            List<String> words =
                    List.of("record", "--listen", "127.0.0.1:0", "--to", to, "--file", recording.toString());
            try (ChildProcess recorder = program(folder, "sidecar", words)) {
                String address = recorder.await(RECORDER, PATIENCE).group(1);
                ask(address, paths);
                recorder.stop();
                int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
                while (listens(port)) {
                    TimeUnit.MILLISECONDS.sleep(20);
                }
                // its client keeps a connection, which a second signal doesn't wait for
                recorder.stop();
                assertThat(recorder.awaitEnd(PATIENCE)).as(recorder.tail()).isZero();
            }
        }
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException closed) {
            return false;
        }
    }

    private static void ask(String address, String... paths) throws Exception {
        HttpClient client = HttpClient.newHttpClient();
        for (String path : paths) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + address + path))
                    .build();
            assertThat(client.send(request, BodyHandlers.ofString()).statusCode())
                    .isEqualTo(200);
        }
    }
}
