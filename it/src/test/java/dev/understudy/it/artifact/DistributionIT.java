package dev.understudy.it.artifact;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import dev.understudy.it.stage.NeedsPrograms;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The archive that users download, in an empty folder: its programs, completions, manual pages and units. */
@Tag("any-jdk")
class DistributionIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Pattern READY = Pattern.compile("ready: shop=(\\S+) control=(\\S+)");
    private static final String BASH = "/bin/bash";

    @TempDir
    static Path folder;

    private static UnpackedArchive archive;

    @BeforeAll
    static void unpack() throws Exception {
        archive = UnpackedArchive.in(folder);
    }

    @Test
    void sidecar_relaysClients_andShowsItsStatus() throws Exception {
        HttpServer production = shop();
        HttpServer debug = shop();
        Path settings = Files.writeString(folder.resolve("sidecar.yaml"), """
                listeners:
                  - { name: shop, protocol: http, listen: "127.0.0.1:0",
                      production: "127.0.0.1:%d", debug: "127.0.0.1:%d" }
                control: { listen: "127.0.0.1:0" }
                tap: { lane-nice: 0 }
                """.formatted(
                        production.getAddress().getPort(), debug.getAddress().getPort()));
        Path output = folder.resolve("sidecar.log");
        Process sidecar = archive.start(output, "sidecar", "--config", settings.toString());
        try {
            Matcher ready = awaited(sidecar, output);

            assertThat(get("http://" + ready.group(1) + "/")).isEqualTo("seats: 3");
            assertThat(archive.understudy("status", "--url", "http://" + ready.group(2)))
                    .contains("shop");
        } finally {
            sidecar.descendants().forEach(ProcessHandle::destroyForcibly);
            sidecar.destroyForcibly().onExit().join();
            production.stop(0);
            debug.stop(0);
        }
    }

    private static HttpServer shop() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext("/", exchange -> {
            byte[] body = "seats: 3".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        return server;
    }

    /** One of each jar. */
    @ParameterizedTest
    @ValueSource(strings = {"status", "debug", "mcp", "ask", "aggregator", "weave"})
    void command_isThere(String command) throws Exception {
        assertThat(archive.understudy(command, "--help")).contains("Usage: understudy");
    }

    /** From their second start on, programs read their classes from an archive beside their jar. */
    @ParameterizedTest
    @ValueSource(strings = {"sidecar", "aggregator"})
    void program_leavesAnArchiveOfItsClasses(String program) throws Exception {
        assertThat(archive.understudy(program, "--help")).contains("Usage: understudy");

        try (Stream<Path> files = Files.list(archive.file(Path.of("lib")))) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .anyMatch(file -> file.matches(program + "-.*-java\\d+\\.jsa"))
                    .noneMatch(file -> file.startsWith("archive."));
        }
    }

    /** An engine that never answers is the worst that a machine can have. */
    @Test
    void doctor_looksAtTheMachine_changesNothing_andNeverHangs() throws Exception {
        Path bin = Files.createDirectories(folder.resolve("hanging"));
        Path home = Files.createDirectories(folder.resolve("untouched"));
        Files.writeString(bin.resolve("docker"), "#!/bin/sh\nexec sleep 1000\n");
        assertThat(bin.resolve("docker").toFile().setExecutable(true)).isTrue();

        String json = archive.run(List.of(
                "/bin/sh",
                "-c",
                "export HOME=%s PATH=%s:$PATH; %s doctor --json --limit 3 || test $? = 1"
                        .formatted(home, bin, archive.file(Path.of("bin/understudy")))));

        JsonNode read = new ObjectMapper().readTree(json);
        assertThat(read.path("failures").asInt()).as(json).isZero();
        assertThat(read.at("/checks/0/level").asText()).isEqualTo("ok");
        JsonNode engine = StreamSupport.stream(read.path("checks").spliterator(), false)
                .filter(check -> check.path("name").asText().equals("engine"))
                .findFirst()
                .orElseThrow();
        assertThat(engine.path("level").asText()).isEqualTo("warn");
        assertThat(engine.path("finding").asText()).contains("no answer");
        assertThat(home).isEmptyDirectory();
    }

    @Test
    @NeedsPrograms("bash")
    void bash_completesCommandsAndOptions() throws Exception {
        String script = share("bash-completion/completions/understudy");

        assertThat(bash(script, "understudy", "sus")).contains("suspects");
        assertThat(bash(script, "understudy", "probes", "ar")).contains("arm");
        assertThat(bash(script, "understudy", "aggregator", "--fau")).contains("--faults");
        assertThat(bash(script, "understudy", "weave", "--ca")).contains("--cache");
    }

    @Test
    @NeedsPrograms("fish")
    void fish_completesCommandsAndOptions() throws Exception {
        String script = share("fish/vendor_completions.d/understudy.fish");

        assertThat(fish(script, "understudy sus")).contains("suspects\tRanks the methods");
        assertThat(fish(script, "understudy probes ar")).contains("arm\t");
        assertThat(fish(script, "understudy aggregator --fau")).contains("--faults");
        assertThat(fish(script, "understudy aggregator --log-format ")).contains("json");
        assertThat(fish(script, "understudy probes sus")).doesNotContain("suspects");
    }

    @Test
    @NeedsPrograms("zsh")
    void zsh_completesCommandsAndOptions() throws Exception {
        String script = share("zsh/site-functions/_understudy");

        assertThat(zsh(script, "understudy", "")).contains("suspects:Ranks the methods", "aggregator:");
        assertThat(zsh(script, "understudy", "probes", "")).contains("arm:").doesNotContain("suspects:");
        assertThat(zsh(script, "understudy", "aggregator", "--")).contains("--faults:");
        assertThat(zsh(script, "understudy", "aggregator", "--log-format", "")).contains("json");
    }

    @Test
    void everyListedCommand_hasAPage() throws Exception {
        List<String> commands = archive.understudy("help")
                .lines()
                .filter(line -> line.matches("  [a-z]+ {2,}.*"))
                .map(line -> line.strip().split(" ", 2)[0])
                .toList();

        assertThat(commands).contains("sidecar", "debug", "weave").doesNotContain("demo");
        for (String command : commands) {
            assertThat(archive.file(Path.of("share/man/man1/understudy-" + command + ".1")))
                    .exists();
        }
    }

    @Test
    @NeedsPrograms("groff")
    void pages_haveNoErrors_andSayWhatTheCommandSays() throws Exception {
        List<String> pages = new ArrayList<>();
        try (Stream<Path> files = Files.list(archive.file(Path.of("share/man/man1")))) {
            files.sorted().map(Path::toString).forEach(pages::add);
        }
        List<String> check = new ArrayList<>(List.of("-man", "-ww", "-z"));
        check.addAll(pages);

        assertThat(pages).hasSizeGreaterThan(40);
        assertThat(archive.installed("groff", check.toArray(String[]::new))).isEmpty();
        String tee = archive.installed("groff", "-man", "-Tutf8", "-P-cbou", share("man/man1/understudy-tee.1"));
        assertThat(tee).contains("understudy-tee", "SYNOPSIS", "--url");
    }

    @ParameterizedTest
    @ValueSource(strings = {"sidecar", "aggregator"})
    @NeedsPrograms("systemd-analyze")
    void unit_isRight_andHardened(String program) throws Exception {
        String name = "understudy-" + program + ".service";
        String installed = Files.readString(Path.of(share("systemd/" + name)))
                .replace("/opt/understudy", archive.file(Path.of("")).toString());
        Path unit = Files.writeString(folder.resolve(name), installed);

        String problems = archive.run(List.of("/usr/bin/systemd-analyze", "verify", "--man=no", unit.toString()));
        assertThat(problems.lines().filter(line -> line.contains(name))).isEmpty();
        // 0 is nothing exposed, 10 is everything; fails above 2.5
        archive.run(
                List.of("/usr/bin/systemd-analyze", "security", "--offline=true", "--threshold=25", unit.toString()));
    }

    @Test
    void bothArchives_holdTheSame_withTheTimeOfTheSources() throws Exception {
        Map<String, String> tar = new TreeMap<>();
        archive.tar("-tvzf", UnpackedArchive.file(".tar.gz").toString(), "--full-time", "--utc")
                .lines()
                .filter(line -> line.startsWith("-"))
                .map(line -> line.split(" +", 6))
                .forEach(words -> tar.put(words[5], words[0] + " " + words[1] + " " + words[3] + " " + words[4]));
        TreeSet<String> zipped = new TreeSet<>();
        TreeSet<Instant> times = new TreeSet<>();
        try (ZipFile zip = new ZipFile(UnpackedArchive.file(".zip").toFile())) {
            zip.stream()
                    .filter(entry -> !entry.isDirectory())
                    .map(ZipEntry::getName)
                    .forEach(zipped::add);
            zip.stream().map(entry -> entry.getLastModifiedTime().toInstant()).forEach(times::add);
        }

        assertThat(zipped).isEqualTo(tar.keySet());
        assertThat(times).hasSize(1);
        assertThat(new TreeSet<>(tar.values()))
                .allMatch(text -> text.matches("-rw(x|-)r-(x|-)r-(x|-) root/root 2026-11-20 00:00:00"));
        assertThat(tar.get(UnpackedArchive.NAME + "/bin/understudy")).startsWith("-rwxr-xr-x");
    }

    private static Matcher awaited(Process process, Path output) {
        return await().atMost(PATIENCE)
                .until(
                        () -> {
                            Matcher found = READY.matcher(Files.readString(output));
                            if (!found.find() && !process.isAlive()) {
                                throw new AssertionError(Files.readString(output));
                            }
                            return found;
                        },
                        found -> found.reset().find());
    }

    private static String get(String uri) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(uri)).build(), BodyHandlers.ofString())
                .body();
    }

    private static String share(String name) {
        return archive.file(Path.of("share", name)).toString();
    }

    private static String bash(String script, String... words) throws Exception {
        return archive.run(List.of(BASH, "--norc", "-c", """
                source %s
                COMP_WORDS=(%s)
                COMP_CWORD=%d
                _complete_understudy 2>/dev/null
                printf '%%s\\n' "${COMPREPLY[@]}"
                """.formatted(script, quoted(words), words.length - 1)));
    }

    private static String fish(String script, String line) throws Exception {
        return archive.run(
                List.of("/usr/bin/fish", "--no-config", "-c", "source " + script + "; complete -C '" + line + "'"));
    }

    /** The function itself, with what it would offer printed. */
    private static String zsh(String script, String... words) throws Exception {
        return archive.run(List.of("/bin/zsh", "-f", "-c", """
                _describe() { print -l -- "${(@P)@[-1]}" }
                _files() { print files }
                words=(%s) CURRENT=%d
                source %s
                """.formatted(quoted(words), words.length, script)));
    }

    private static String quoted(String... words) {
        return Stream.of(words).map(word -> "'" + word + "'").reduce("", (all, word) -> (all + " " + word).strip());
    }
}
