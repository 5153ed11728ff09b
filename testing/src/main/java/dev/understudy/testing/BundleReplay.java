package dev.understudy.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.testing.process.ChildProcess;
import dev.understudy.testing.process.LogText;
import dev.understudy.testing.process.ProgramArchive;
import dev.understudy.testing.process.TestedCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Starts a service against a bundle, as {@code understudy bundle replay} does: it gets the requests that production
 * got, its upstream calls get the recorded replies, and its replies are compared with production's.
 *
 * <pre>{@code
 * new BundleReplay(Path.of("src/test/resources/failure.bundle"))
 *         .service("target/service.jar", "--server.port=${port}", "--rates=http://${rates}")
 *         .run()
 *         .check();
 * }</pre>
 *
 * <p>Everything runs in processes on this machine; no upstream and no Docker is needed. One thread at a time.
 */
public final class BundleReplay {
    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^}:]*?)(\\.host|\\.port)?}");
    private static final List<String> JVM = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");
    private static final int MOST_TRIES = 20;
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final Path bundle;
    private final List<String> words = new ArrayList<>();
    private final List<String> without = new ArrayList<>();
    private @Nullable Path key;
    private @Nullable Path signer;
    private @Nullable Path folder;
    private @Nullable Path programs;
    private double speed = 1;
    private Duration patience = Duration.ofMinutes(10);

    /** @param bundle a file that {@code understudy bundle create} has made */
    public BundleReplay(Path bundle) {
        this.bundle = bundle.toAbsolutePath();
    }

    /**
     * How the service is started: options of the JVM, which begin with {@code -}; then a jar, or the name of a class on
     * the test's class path; then arguments.
     *
     * <p>{@code ${port}} is where it has to listen. {@code ${name}} is the system property of that name; if there is
     * none, the {@code host:port} of that upstream, whose parts are {@code ${name.host}} and {@code ${name.port}}.
     */
    public BundleReplay service(String... words) {
        this.words.clear();
        this.words.addAll(List.of(words));
        return this;
    }

    /** Upstreams of the bundle that the service isn't given. All others have to stand in its words. */
    public BundleReplay without(String... upstreams) {
        without.addAll(List.of(upstreams));
        return this;
    }

    /** The key that the bundle is encrypted with. */
    public BundleReplay key(Path key) {
        this.key = key;
        return this;
    }

    /** The public key of who has to have signed the bundle; any other is refused. */
    public BundleReplay signedBy(Path key) {
        this.signer = key;
        return this;
    }

    /** How many times the recorded pace, above 0, to 1000; by default 1. */
    public BundleReplay speed(double speed) {
        this.speed = speed;
        return this;
    }

    /**
     * Where the log, {@code bundle.json} and {@code summary.md} go; by default a new folder below {@code
     * target/understudy}.
     */
    public BundleReplay folder(Path folder) {
        this.folder = folder;
        return this;
    }

    /** Where our programs are unpacked, once for each version; by default below {@code target/understudy}. */
    public BundleReplay programs(Path folder) {
        programs = folder;
        return this;
    }

    /** How long all of it may take; by default ten minutes. */
    public BundleReplay patience(Duration patience) {
        this.patience = patience;
        return this;
    }

    /**
     * Replays the bundle, and stops the service.
     *
     * @throws IllegalStateException if the bundle is damaged, or the service doesn't start; with what was said
     * @throws UncheckedIOException if a file can't be written or read
     */
    public BundleResult run() {
        Path own = folder == null ? ReportFolder.fresh() : ReportFolder.at(folder);
        Path report = own.resolve("bundle.json");
        Path summary = own.resolve("summary.md");
        // what an earlier run has left would be taken for this one's
        delete(report);
        delete(summary);
        // has the bundle's contents while it runs, also if it has to be killed
        Path room = ReportFolder.at(own.resolve("tmp"));
        Path unpacked = ProgramArchive.unpack(programs == null ? ReportFolder.root() : programs);
        List<String> line = line(unpacked, room, report, summary);
        Map<String, String> environment =
                Map.of("UNDERSTUDY_RUN", own.resolve("run").toString());
        try (ChildProcess replay = ChildProcess.start("the replay", own.resolve("replay.log"), line, environment)) {
            replay.awaitEnd(patience);
            if (!Files.exists(report)) {
                throw new IllegalStateException(bundle + ": not replayed; " + LogText.head(replay.log()));
            }
            return BundleResult.of(read(report), own);
        } finally {
            remove(room);
        }
    }

    /** What was killed may go on writing for a moment. */
    private static void remove(Path room) {
        for (int tries = 1; ; tries++) {
            try {
                ProgramArchive.delete(room);
                return;
            } catch (UncheckedIOException busy) {
                if (tries == MOST_TRIES) {
                    throw busy;
                }
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        }
    }

    private List<String> line(Path unpacked, Path room, Path report, Path summary) {
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.addAll(JVM);
        line.add("-Djava.io.tmpdir=" + room);
        line.addAll(List.of("-jar", ProgramArchive.jar(unpacked, "session").toString()));
        line.addAll(List.of("bundle", "replay", "--root", unpacked.toString(), "--json", report.toString()));
        line.addAll(List.of("--markdown", summary.toString()));
        line.addAll(List.of("--speed", Double.toString(speed)));
        without.forEach(name -> line.addAll(List.of("--without", name)));
        if (key != null) {
            line.addAll(List.of("--decrypt", key.toAbsolutePath().toString()));
        }
        if (signer != null) {
            line.addAll(List.of("--signed-by", signer.toAbsolutePath().toString()));
        }
        line.add(bundle.toString());
        line.add("--");
        line.addAll(service());
        return line;
    }

    private List<String> service() {
        TestedCommand command = new TestedCommand(words);
        if (command.isAddress()) {
            throw new IllegalArgumentException("service: " + words + " (expected: what starts it, not its address)");
        }
        return new TestedCommand(words.stream().map(BundleReplay::placed).toList()).line(Map.of());
    }

    /** With the placeholders of the command for ours; names of system properties stay. */
    private static String placed(String word) {
        return PLACEHOLDER.matcher(word).replaceAll(found -> {
            String name = found.group(1);
            String part = found.group(2);
            if (part == null && name.equals("port")) {
                return "{port}";
            }
            String whole = part == null ? name : name + part;
            boolean isProperty = System.getProperty(whole) != null;
            String upstream = "{upstream:" + name + (part == null ? "" : part.replace('.', ':')) + '}';
            return Matcher.quoteReplacement(isProperty ? found.group() : upstream);
        });
    }

    private static JsonNode read(Path report) {
        try {
            return new ObjectMapper().readTree(report.toFile());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(report + ": can't be read: " + unreadable, unreadable);
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException stays) {
            throw new UncheckedIOException(file + ": can't be removed: " + stays, stays);
        }
    }
}
