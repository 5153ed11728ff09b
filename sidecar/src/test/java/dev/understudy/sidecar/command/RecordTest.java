package dev.understudy.sidecar.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.divergence.mask.Masking;
import dev.understudy.divergence.noise.NoiseRule;
import dev.understudy.divergence.noise.ValueClass;
import dev.understudy.relay.TinyDisk;
import dev.understudy.sidecar.record.Contents;
import dev.understudy.sidecar.replay.Outcome;
import dev.understudy.sidecar.replay.Replay;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** {@code record}, {@code inspect} and {@code replay}, one after the other as one would use them. */
final class RecordTest {
    @TempDir
    Path folder;

    private final Queue<String> asked = new ConcurrentLinkedQueue<>();
    private String query = "token=s3cret";

    @Test
    void recording_isInspected_andReplayedWithWhatDiffers() throws Exception {
        Path file = folder.resolve("traffic.understudy");
        HttpServer production = service("hello");
        Ran recorded = record(production, file, 3, 5);
        production.stop(0);
        assertThat(recorded.code()).as(recorded.toString()).isZero();
        assertThat(asked).hasSize(15);

        Ran inspected = Ran.run("inspect", file.toString(), "--requests");
        assertThat(inspected.code()).as(inspected.toString()).isZero();
        assertThat(inspected.out())
                .contains("3 of 3 connections, 15 requests", "POST /1/4?token=[masked]", "FINISHED")
                .doesNotContain("s3cret");
        assertThat(Ran.run("inspect", file.toString(), "--path", "/2/").out())
                .contains("1 of 3 connections, 5 requests");

        Path har = folder.resolve("traffic.har");
        assertThat(Ran.run("inspect", file.toString(), "--connection", "2", "--har", har.toString())
                        .code())
                .isZero();
        JsonNode entries = new ObjectMapper().readTree(har.toFile()).at("/log/entries");
        assertThat(entries).hasSize(5);
        assertThat(entries.get(4).at("/request/url").asText()).isEqualTo("http://x/1/4?token=[masked]");
        assertThat(entries.get(4).at("/request/bodySize").asInt()).isEqualTo("body of 1/4".length());
        assertThat(entries.get(4).at("/response/status").asInt()).isEqualTo(200);
        assertThat(entries.get(4).at("/response/content/size").asInt()).isEqualTo("hello".length());

        asked.clear();
        HttpServer same = service("hello");
        Ran replayed = Ran.run("replay", file.toString(), "--to", address(same), "--speed", "max");
        same.stop(0);
        assertThat(replayed.code()).as(replayed.toString()).isZero();
        assertThat(replayed.out())
                .contains("3 connections replayed", "0 DIFFERENT", "0 NOT_COMPARED", "0 waits in vain");
        assertThat(asked).hasSize(15).contains("POST /0/0?token=s3cret body of 0/0");

        asked.clear();
        HttpServer again = service("hello");
        String[] part = {"replay", file.toString(), "--to", address(again), "--speed", "max", "--path"};
        assertThat(Ran.run(with(part, "/2/")).out()).contains("1 connections replayed", "0 DIFFERENT");
        assertThat(asked).hasSize(5).allMatch(request -> request.startsWith("POST /2/"));
        Ran nothing = Ran.run(with(part, "/2/", "--until", "-1"));
        again.stop(0);
        assertThat(nothing.code()).isEqualTo(2);
        assertThat(nothing.err()).contains("none of the 3 connections in");

        HttpServer other = service("goodbye");
        Path json = folder.resolve("replay.json");
        Path markdown = folder.resolve("replay.md");
        String[] files = {"--json", json.toString(), "--markdown", markdown.toString()};
        String[] differ = {"replay", file.toString(), "--to", address(other), "--speed", "10"};
        Ran differing = Ran.run(with(differ, files));
        other.stop(0);
        assertThat(differing.code()).as(differing.toString()).isEqualTo(1);
        assertThat(differing.out()).contains("15 DIFFERENT", "POST /2/3?token=[masked]");
        JsonNode first = new ObjectMapper().readTree(json.toFile()).at("/exchanges/0");
        assertThat(first.at("/request").asText()).isEqualTo("POST /0/0?token=[masked]");
        assertThat(first.at("/differences/0/recorded").asText()).startsWith("5 bytes");
        assertThat(first.at("/differences/0/replayed").asText()).startsWith("7 bytes");
        assertThat(markdown).content().contains("### 15 of 15 replies differ").doesNotContain("s3cret");

        HttpServer brief = service("hi");
        Ran shorter = Ran.run("replay", file.toString(), "--to", address(brief), "--speed", "max");
        brief.stop(0);
        assertThat(shorter.out()).contains("15 DIFFERENT", "0 waits in vain");
    }

    @Test
    void whatNoiseRulesName_mayDiffer() throws Exception {
        Path file = folder.resolve("traffic.understudy");
        HttpServer production = service("{\"total\":5,\"serial\":11}");
        record(production, file, 1, 3);
        production.stop(0);
        List<Contents.Summary> all = List.copyOf(Contents.read(file).connections());
        List<NoiseRule> rules = List.of(new NoiseRule("POST /{n}/{n}", "body.serial", ValueClass.NUMBER));

        HttpServer later = service("{\"total\":5,\"serial\":12}");
        assertThat(replayed(file, all, later, List.of()).verdicts(VerdictKind.DIFFERENT))
                .isEqualTo(3);
        assertThat(replayed(file, all, later, rules).verdicts(VerdictKind.EQUIVALENT))
                .isEqualTo(3);
        later.stop(0);
        HttpServer wrong = service("{\"total\":6,\"serial\":12}");
        assertThat(replayed(file, all, wrong, rules).told()).hasSize(3).allMatch(line -> line.contains("body.total"));
        wrong.stop(0);
    }

    private static Outcome replayed(Path file, List<Contents.Summary> all, HttpServer to, List<NoiseRule> rules)
            throws Exception {
        Masking nothing = new Masking(Set.of());
        return Replay.run(file, all, to.getAddress(), Double.POSITIVE_INFINITY, Duration.ofMinutes(1), nothing, rules);
    }

    @Test
    void namedFields_areMaskedToo_whereARecordingIsShown() throws Exception {
        query = "ward=b4711&bedSide=left";
        Path file = folder.resolve("traffic.understudy");
        HttpServer production = service("hello");
        record(production, file, 1, 1);
        production.stop(0);
        String[] inspect = {"inspect", file.toString(), "--requests"};
        String[] redact = {"--redact", "ward,salary", "--redact", "bed-side"};
        String masked = "/0/0?ward=[masked]&bedSide=[masked]";

        assertThat(Ran.run(inspect).out()).contains("/0/0?ward=b4711&bedSide=left");
        Path har = folder.resolve("traffic.har");
        Ran inspected = Ran.run(with(with(inspect, redact), "--har", har.toString()));
        assertThat(inspected.out()).as(inspected.toString()).contains(masked).doesNotContain("b4711", "left");
        assertThat(Files.readString(har)).contains("[masked]").doesNotContain("b4711", "left");

        HttpServer other = service("{\"salary\":9}");
        String[] replay = {"replay", file.toString(), "--to", address(other), "--speed", "max"};
        assertThat(Ran.run(with(replay, redact)).out())
                .contains("1 DIFFERENT", masked)
                .doesNotContain("b4711");
        assertThat(Ran.run(with(inspect, "--redact-value", "b[0-9]{4}")).out())
                .contains("/0/0?ward=[masked]&bedSide=left")
                .doesNotContain("b4711");
        assertThat(Ran.run(with(inspect, "--redact-value", "b[")).err())
                .contains("b[ (expected: a regular expression)");
        Ran refused = Ran.run(with(replay, "--redact", "7"));
        other.stop(0);
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("7 (expected: the name of a field");
    }

    @Test
    void tornRecording_isReadAsFarAsItIsWhole() throws Exception {
        Path file = folder.resolve("torn.understudy");
        HttpServer production = service("hello");
        record(production, file, 2, 3);
        production.stop(0);
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, new byte[] {'U', 'B', 'L', 'K', 0, 0, 9}, StandardOpenOption.APPEND);

        Ran inspected = Ran.run("inspect", file.toString());
        assertThat(inspected.code()).isEqualTo(1);
        assertThat(inspected.out()).contains("2 of 2 connections", "torn: ", "7 bytes are cut off");
        assertThat(whole.length).isPositive();
    }

    @Tag("process")
    @Test
    void fullDisk_endsTheRecordingWithAReason_andClientsGoOn() throws Exception {
        try (TinyDisk disk = TinyDisk.mount(folder.resolve("tiny"))) {
            Path file = disk.folder.resolve("traffic.understudy");
            Files.write(disk.folder.resolve("ballast"), new byte[(2 << 20) - 20_000]);
            HttpServer production = service("hello");
            Ran recorded = record(production, file, 3, 60);
            production.stop(0);

            assertThat(asked).as("every request was answered").hasSize(180);
            assertThat(recorded.code()).as(recorded.toString()).isEqualTo(1);
            assertThat(recorded.out()).contains("not all of it: ", "can't be written: No space left on device");
            Ran inspected = Ran.run("inspect", file.toString());
            assertThat(inspected.code()).as(inspected.toString()).isZero();
            assertThat(inspected.out()).contains(" connections");
        }
    }

    @Test
    void wrongFiles_endWith2() throws Exception {
        Path other = Files.writeString(folder.resolve("other"), "nothing of the kind");
        assertThat(Ran.run("inspect", other.toString()).code()).isEqualTo(2);
        assertThat(Ran.run("replay", other.toString(), "--to", "127.0.0.1:1").code())
                .isEqualTo(2);
        Ran refused = Ran.run("record", "--listen", "127.0.0.1:0", "--to", "127.0.0.1:1", "--file", other.toString());
        assertThat(refused.code()).as("an existing file is never written over").isEqualTo(2);
        assertThat(Files.readString(other)).isEqualTo("nothing of the kind");
        assertThat(Ran.run("replay", other.toString(), "--to", "127.0.0.1:1", "--speed", "-1")
                        .code())
                .isEqualTo(2);
    }

    private static String[] with(String[] line, String... more) {
        return Stream.concat(Arrays.stream(line), Arrays.stream(more)).toArray(String[]::new);
    }

    private Ran record(HttpServer production, Path file, int connections, int requests) throws Exception {
        RecordingProxy proxy = RecordingProxy.open(address(production), file);
        for (int n = 0; n < connections; n++) {
            try (Socket client = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
                for (int m = 0; m < requests; m++) {
                    String body = "body of " + n + "/" + m;
                    String request = "POST /" + n + "/" + m + "?" + query + " HTTP/1.1\r\nHost: x\r\nContent-Length: "
                            + body.length() + "\r\n\r\n" + body;
                    client.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
                    String reply = "";
                    while (!reply.endsWith("hello") && !reply.endsWith("}")) {
                        reply += (char) client.getInputStream().read();
                    }
                }
            }
        }
        return proxy.stop();
    }

    private static String address(HttpServer server) {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    private HttpServer service(String says) {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            byte[] body = says.getBytes(StandardCharsets.UTF_8);
            server.createContext("/", exchange -> {
                asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
                        + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
                exchange.close();
            });
            server.setExecutor(java.util.concurrent.Executors.newCachedThreadPool(work -> {
                Thread created = new Thread(work);
                created.setDaemon(true);
                return created;
            }));
            server.start();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
