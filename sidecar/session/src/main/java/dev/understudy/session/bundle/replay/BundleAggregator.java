package dev.understudy.session.bundle.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.relay.stream.OwnerOnly;
import dev.understudy.session.bundle.BundleException;
import dev.understudy.session.bundle.BundleFolder;
import dev.understudy.session.bundle.BundleUpstreams;
import dev.understudy.session.program.ProgramFiles;
import dev.understudy.session.program.SessionTokens;
import dev.understudy.sidecar.command.control.ControlClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An aggregator that gives the replies of a bundle, on loopback; it records nothing and dials no upstream. */
final class BundleAggregator implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String READY = "understudy aggregator ready:";
    private static final Pattern CONTROL = Pattern.compile(" control=127\\.0\\.0\\.1:([0-9]+)$");
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ReplayProgram program;
    private final Map<String, InetSocketAddress> upstreams;
    private final ControlClient control;

    private BundleAggregator(ReplayProgram program, Map<String, InetSocketAddress> upstreams, ControlClient control) {
        this.program = program;
        this.upstreams = Map.copyOf(upstreams);
        this.control = control;
    }

    /**
     * Starts it, and waits until it has read the journals.
     *
     * @param jar the program's
     * @throws BundleException if it doesn't serve
     */
    static BundleAggregator start(Path jar, BundleFolder folder, BundleUpstreams bundled)
            throws IOException, InterruptedException {
        SessionTokens tokens = SessionTokens.fresh();
        Path settings = Files.createFile(folder.path().resolve("aggregator.yaml"), OwnerOnly.file());
        Files.write(settings, settings(folder, bundled, tokens));
        List<String> command = new ArrayList<>(List.of(
                ProgramFiles.ownJava().toString(),
                // it lives for a replay: what more the second compiler would do for it takes longer
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC"));
        command.addAll(ProgramFiles.sharing(jar));
        command.addAll(List.of("-jar", jar.toString(), "--config", settings.toString()));
        ReplayProgram program = ReplayProgram.start(
                "the aggregator",
                command,
                Map.of("UNDERSTUDY_RUN", folder.path().toString()),
                folder.path());
        folder.before(program::close);
        try {
            BundleAggregator started = of(program, bundled, program.awaitLine(READY, PATIENCE), tokens);
            started.awaitLoaded();
            return started;
        } catch (IOException | InterruptedException | RuntimeException failed) {
            program.close();
            throw failed;
        }
    }

    /** The names in its first line may be anybody's; where its ports are is asked. */
    private static BundleAggregator of(
            ReplayProgram program, BundleUpstreams bundled, String ready, SessionTokens tokens)
            throws IOException, InterruptedException {
        Matcher port = CONTROL.matcher(ready);
        if (!port.find()) {
            throw new BundleException("the aggregator is ready without a control port: " + ready);
        }
        ControlClient control =
                ControlClient.ofAggregator(URI.create("http://127.0.0.1:" + port.group(1)), tokens.admin());
        JsonNode status = control.get("/v1/status").path("upstreams");
        Map<String, InetSocketAddress> upstreams = new LinkedHashMap<>();
        for (BundleUpstreams.Settings upstream : bundled.all()) {
            String address = status.path(upstreams.size()).at("/debug/address").asText();
            upstreams.put(
                    upstream.name(),
                    new InetSocketAddress(
                            "127.0.0.1", Integer.parseInt(address.substring(address.lastIndexOf(':') + 1))));
        }
        return new BundleAggregator(program, upstreams, control);
    }

    /** JSON is YAML, too. */
    private static byte[] settings(BundleFolder folder, BundleUpstreams bundled, SessionTokens tokens)
            throws IOException {
        List<Object> entries = new ArrayList<>();
        for (BundleUpstreams.Settings upstream : bundled.all()) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("name", upstream.name());
            entry.put("protocol", upstream.protocol());
            entry.put("production", Map.of("listen", "none", "upstream", upstream.addresses()));
            entry.put("debug", Map.of("listen", "127.0.0.1:0"));
            entry.put("miss", upstream.miss());
            // all that will ever be recorded is there
            entry.put("wait", "1ms");
            if (!upstream.form().isEmpty()) {
                entry.put("form", upstream.form());
            }
            if (!upstream.mismatch().isEmpty()) {
                entry.put("mismatch", upstream.mismatch());
            }
            entries.add(entry);
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("upstreams", entries);
        document.put(
                "journal",
                Map.of(
                        "disk-directory", folder.journal().toString(),
                        "age", "876000h",
                        "disk", "16GiB",
                        "large", "16GiB"));
        document.put("control", Map.of("listen", "127.0.0.1:0", "token", tokens.admin()));
        return JSON.writeValueAsBytes(document);
    }

    private void awaitLoaded() throws IOException, InterruptedException {
        long begun = System.nanoTime();
        while (isLoading()) {
            if (System.nanoTime() - begun > PATIENCE.toNanos()) {
                throw new BundleException(
                        "the aggregator hasn't read its journals after " + PATIENCE.toSeconds() + " s");
            }
            Thread.sleep(20);
        }
    }

    private boolean isLoading() throws IOException, InterruptedException {
        for (JsonNode upstream : control.get("/v1/status").path("upstreams")) {
            if (upstream.at("/journal/disk/loading").asBoolean()) {
                return true;
            }
        }
        return false;
    }

    /** Where each upstream is answered, by its name. */
    Map<String, InetSocketAddress> upstreams() {
        return upstreams;
    }

    /**
     * What became of the service's calls up to now.
     *
     * @param without upstreams that it isn't given
     */
    BundleCalls calls(Set<String> without) throws IOException, InterruptedException {
        JsonNode status = control.get("/v1/status").path("upstreams");
        return BundleCalls.of(
                status,
                control.get("/v1/misses?limit=1&kinds=" + BundleCalls.MOST_KINDS)
                        .path("kinds"),
                without);
    }

    @Override
    public void close() {
        program.close();
    }
}
