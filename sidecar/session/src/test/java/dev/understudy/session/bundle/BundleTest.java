package dev.understudy.session.bundle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.relay.stream.Spill;
import dev.understudy.relay.stream.StreamEvent;
import dev.understudy.session.ledger.SessionProgram;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

final class BundleTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path folder;

    private BundleStage stage;
    private Path bundle;

    @BeforeEach
    void create() throws Exception {
        stage = new BundleStage(folder);
        bundle = stage.bundle;
    }

    @Test
    void bundle_holdsTheTrafficAndTheRepliesOfItsUpstreams() throws Exception {
        assertThat(stage.make()).as(stage.refused.toString()).isZero();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(bundle)))
                .isEqualTo("rw-------");
        assertThat(stage.run("inspect", bundle.toString())).isZero();
        assertThat(stage.printed.toString())
                .contains("1 connections, 2 requests", "2  GET /orders/{n}", "not encrypted")
                .contains("upstream prices (http): 3 recorded replies", "upstream cache (redis): 0 recorded replies")
                .contains("all sums are right");
        assertThat(stage.run("inspect", "--json", bundle.toString())).isZero();
        JsonNode read = JSON.readTree(stage.printed.toString());
        assertThat(read.at("/upstreams/0/replies").asInt()).isEqualTo(3);
        assertThat(read.at("/routes").path("GET /orders/{n}").asInt()).isEqualTo(2);
        assertThat(new String(stage.entry(BundleLimits.UPSTREAMS), StandardCharsets.UTF_8))
                .contains("ignore-query", "prices:80")
                .doesNotContain("hunter2", "connect-timeout");
    }

    @Test
    void serviceThatCallsNobody_needsNoJournal() throws Exception {
        String recording = folder.resolve("monday.understudy").toString();
        assertThat(stage.run("create", "--recording", recording, "-o", bundle.toString()))
                .as(stage.refused.toString())
                .isZero();
        assertThat(stage.printed.toString())
                .contains("1 connections, 2 requests")
                .doesNotContain("upstream ");
        assertThat(stage.run("inspect", "--json", bundle.toString())).isZero();
        assertThat(JSON.readTree(stage.printed.toString()).at("/upstreams")).isEmpty();
        Files.delete(bundle);
        Files.writeString(folder.resolve("aggregator.yaml"), "upstreams: []");
        assertThat(stage.make()).isEqualTo(2);
        assertThat(stage.refused.toString())
                .contains("aggregator.yaml: no upstreams (expected: at least one, or no --j");
    }

    @Test
    void connections_areChosen_andNothingOfOthersIsInIt() throws Exception {
        Path recording = folder.resolve("monday.understudy");
        Files.delete(recording);
        BundleStage.record(
                recording,
                BundleStage.block(7, "GET /orders/1 HTTP/1.1\r\nHost: a\r\n\r\n", StreamEvent.REQUEST),
                BundleStage.block(8, "GET /secret/2 HTTP/1.1\r\nHost: a\r\n\r\n", StreamEvent.REQUEST),
                BundleStage.block(7, "GET /orders/3 HTTP/1.1\r\nHost: a\r\n\r\n", StreamEvent.REQUEST));
        assertThat(stage.make("--path", "/orders")).as(stage.refused.toString()).isZero();
        assertThat(stage.printed.toString()).contains("1 connections, 2 requests", "2  GET /orders/{n}");
        assertThat(new String(stage.entry(BundleLimits.RECORDING), StandardCharsets.ISO_8859_1))
                .contains("/orders/1", "/orders/3")
                .doesNotContain("secret");
        Files.delete(bundle);
        assertThat(stage.make()).isZero();
        assertThat(stage.printed.toString()).contains("2 connections, 3 requests");
        Files.delete(bundle);
        assertThat(stage.make("--connection", "9")).isEqualTo(2);
        assertThat(stage.refused.toString()).contains("none of its connections is chosen");
    }

    @Test
    void failingConnections_areChosen_withWhatTheirCookiesDidBefore() throws Exception {
        Path recording = folder.resolve("monday.understudy");
        Files.delete(recording);
        String cookie = "Cookie: lang=en; session=0123456789ab";
        BundleStage.record(
                recording,
                asked(7, "/login", ""),
                replied(7, "200 OK", "Set-Cookie: session=0123456789ab; Path=/", "welcome"),
                asked(8, "/other", "Cookie: lang=en"),
                replied(8, "200 OK", "", "fine"),
                asked(9, "/orders", cookie),
                replied(9, "200 OK", "", "{\"total\": -5}"),
                asked(10, "/after", cookie),
                replied(10, "200 OK", "", "too late"));

        assertThat(stage.make("--fails", "status 200", "--fails", "json /total < 0"))
                .as(stage.refused.toString())
                .isZero();
        assertThat(stage.printed.toString()).contains("2 connections, 2 requests");
        assertThat(new String(stage.entry(BundleLimits.RECORDING), StandardCharsets.ISO_8859_1))
                .contains("/login", "/orders")
                .doesNotContain("/other", "/after");

        Files.delete(bundle);
        assertThat(stage.make("--fails", "status 5xx")).isEqualTo(2);
        assertThat(stage.refused.toString()).contains("none of its connections is chosen");
        assertThat(stage.make("--fails", "odd")).isEqualTo(2);
        assertThat(stage.refused.toString()).contains("odd (expected: status 500");
    }

    private static ByteBuf asked(long connection, String path, String header) {
        return BundleStage.block(
                connection, "GET " + path + " HTTP/1.1\r\nHost: a\r\n" + line(header) + "\r\n", StreamEvent.REQUEST);
    }

    private static ByteBuf replied(long connection, String status, String header, String body) {
        return BundleStage.block(
                connection,
                "HTTP/1.1 " + status + "\r\nContent-Length: " + body.length() + "\r\n" + line(header) + "\r\n" + body,
                StreamEvent.REPLY);
    }

    private static String line(String header) {
        return header.isEmpty() ? "" : header + "\r\n";
    }

    @Test
    void noiseRules_areCheckedWhenItIsMade() throws Exception {
        Path noise = folder.resolve("noise.yaml");
        Files.writeString(noise, "rules: [{path: body.total, value: sometimes}]");
        assertThat(stage.make("--noise", noise.toString())).isEqualTo(2);
        assertThat(stage.refused.toString()).contains("noise.yaml:1:", "value: sometimes (expected: ");
        assertThat(bundle).doesNotExist();
        Files.writeString(noise, "rules: [{path: body.total, value: number}]");
        assertThat(stage.make("--noise", noise.toString()))
                .as(stage.refused.toString())
                .isZero();
        assertThat(stage.printed.toString()).contains("1 noise rules, for places that may differ");
    }

    @Test
    void sameContents_areTheSameEntriesInTheSameOrder() throws Exception {
        stage.make();
        String first = sums();
        Files.delete(bundle);
        stage.make();
        assertThat(sums()).isEqualTo(first);
        assertThat(stage.make()).as("a bundle isn't replaced").isEqualTo(2);
        assertThat(stage.refused.toString()).contains("is there already");
    }

    @Test
    void journalOfARunningAggregator_isRefused() throws Exception {
        try (Spill running = stage.journal()) {
            assertThat(running.directory()).exists();
            assertThat(stage.make()).isEqualTo(2);
        }
        assertThat(stage.refused.toString()).contains("an aggregator that runs has it", "stop that aggregator first");
        assertThat(bundle).doesNotExist();
    }

    @Test
    void whatCantBeRead_isOneLineOfTheWholeCommand() throws Exception {
        assertThat(stage.run("inspect", folder.resolve("none").toString())).isEqualTo(2);
        assertThat(stage.refused.toString()).isEqualTo(folder.resolve("none") + ": no such file\n");
        Files.delete(folder.resolve("journal/cache"));
        assertThat(stage.make()).isEqualTo(2);
        assertThat(stage.refused.toString().lines())
                .hasSize(1)
                .allMatch(line -> line.contains("journal of upstream cache"));
    }

    @Test
    void folderOfOthers_isRefused() throws Exception {
        Files.writeString(folder.resolve("journal/prices/Passwords.TXT"), "hunter2");
        assertThat(stage.make()).isEqualTo(2);
        assertThat(stage.refused.toString()).contains("Passwords.TXT", "expected: an aggregator's disk-directory");
    }

    /** Inspects a bundle again and again, in a process of its own. */
    public static void main(String[] args) throws Exception {
        try {
            for (boolean first = true; ; first = false) {
                BundleContents contents = BundleContents.read(Path.of(args[0]), new BundleTrust());
                if (first) {
                    System.out.println(contents.manifest());
                }
            }
        } catch (BundleException refused) {
            System.out.println(refused.getMessage());
        }
    }

    @Test
    void signalWhileItIsUnpacked_leavesNoFile() throws Exception {
        for (int n = 0; n < 500; n++) {
            Files.writeString(folder.resolve("journal/prices/segment-9" + n), "a reply");
        }
        stage.make();
        Path temporary = Files.createDirectory(folder.resolve("temporary"));
        for (int round = 0; round < 2; round++) {
            try (SessionProgram inspecting = SessionProgram.start(
                    List.of("env", "JDK_JAVA_OPTIONS=-Djava.io.tmpdir=" + temporary),
                    BundleTest.class,
                    bundle.toString())) {
                assertThat(inspecting.line()).contains("journal/prices");
                new ProcessBuilder("kill", "-TERM", Long.toString(inspecting.pid()))
                        .start()
                        .waitFor();
                assertThat(inspecting.await()).isEqualTo(143);
            }
            try (Stream<Path> left = Files.list(temporary)) {
                assertThat(left.filter(file -> file.getFileName().toString().startsWith("understudy")))
                        .isEmpty();
            }
        }
    }

    private String sums() throws IOException {
        try (BundleFile file = BundleFile.open(bundle, bundle, null)) {
            return file.manifest().entries().toString();
        }
    }
}
