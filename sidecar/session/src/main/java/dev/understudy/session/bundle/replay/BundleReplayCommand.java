package dev.understudy.session.bundle.replay;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.understudy.divergence.noise.NoiseRule;
import dev.understudy.session.bundle.BundleFolder;
import dev.understudy.session.bundle.BundleTrust;
import dev.understudy.session.bundle.BundleUpstreams;
import dev.understudy.session.program.ProgramFiles;
import dev.understudy.sidecar.command.control.Exit;
import dev.understudy.sidecar.command.report.RedactOption;
import dev.understudy.sidecar.command.report.ReplayFiles;
import dev.understudy.sidecar.record.Contents;
import dev.understudy.sidecar.replay.Outcome;
import dev.understudy.sidecar.replay.Replay;
import dev.understudy.sidecar.replay.ReplayReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code understudy bundle replay}: starts a service against a bundle, and compares its replies. */
@Command(
        name = "replay",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        description = {
            "Starts a service whose upstreams answer with the bundle's recorded replies, sends it the recorded"
                    + " traffic, compares its replies with the recorded ones, and stops it. Whatever address you"
                    + " don't replace by a placeholder the service really calls.",
            "",
            "In COMMAND and in the values of --env, {port} becomes a free port at which the service has to listen,"
                    + " and {upstream:NAME} the host:port of an upstream; {upstream:NAME:host} and"
                    + " {upstream:NAME:port} are its parts.",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all replies are the same or equivalent, and all calls of the service got a recorded reply",
            "1:some replies are not, or none was compared; all calls got a recorded reply",
            "2:the bundle is damaged or not to be trusted, or the service or its upstreams couldn't be started",
            "3:not faithful: the bundle has no reply for some calls, or an upstream wasn't asked; they are named"
        })
public final class BundleReplayCommand implements Callable<Integer> {
    private static final double FASTEST = 1000;
    private static final int NOT_FAITHFUL = 3;

    @Parameters(index = "0", paramLabel = "FILE", description = "The bundle.")
    private Path file = Path.of("");

    @Parameters(index = "1..*", arity = "1..*", paramLabel = "COMMAND", description = "Starts the service; after --.")
    private List<String> command = List.of();

    @Option(
            names = "--env",
            paramLabel = "KEY=VALUE",
            description = "A variable of the service's environment; repeatable.")
    private Map<String, String> environment = new LinkedHashMap<>();

    @Option(
            names = "--without",
            paramLabel = "NAME",
            description = "An upstream of the bundle that the service isn't given; repeatable. Each other one has to be"
                    + " in COMMAND or --env.")
    private Set<String> without = new LinkedHashSet<>();

    @Option(
            names = "--speed",
            defaultValue = "1",
            paramLabel = "N",
            description = "How many times the recorded pace, up to 1000 (default: ${DEFAULT-VALUE}).")
    private double speed = 1;

    @Option(
            names = "--start-limit",
            defaultValue = "60",
            paramLabel = "SECONDS",
            description = "How long the service may take until it listens (default: ${DEFAULT-VALUE}).")
    private int startLimit = 60;

    @Option(
            names = "--patience",
            defaultValue = "10",
            paramLabel = "SECONDS",
            description = "How long a reply is waited for before its connection goes on (default: ${DEFAULT-VALUE}).")
    private int patience = 10;

    @Mixin
    private BundleTrust trust = new BundleTrust();

    @Mixin
    private ReplayFiles reports = new ReplayFiles();

    @Mixin
    private RedactOption redact = new RedactOption();

    @Option(
            names = "--root",
            paramLabel = "DIRECTORY",
            hidden = true,
            defaultValue = "${sys:understudy.root:-.}",
            description = "The checkout with the programs.")
    private Path root = Path.of(".");

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        check();
        try (BundleFolder folder = BundleFolder.open()) {
            BundleUpstreams bundled = folder.unpack(file, trust);
            checkUpstreams(bundled);
            Contents contents = folder.traffic(file);
            List<NoiseRule> noise = folder.noise(file);
            try (BundleAggregator aggregator = aggregator(folder, bundled)) {
                return replay(folder, contents, noise, aggregator);
            }
        }
    }

    /** Null if there is nobody to answer for. */
    private @Nullable BundleAggregator aggregator(BundleFolder folder, BundleUpstreams bundled)
            throws IOException, InterruptedException {
        return bundled.all().isEmpty() ? null : BundleAggregator.start(ProgramFiles.aggregator(root), folder, bundled);
    }

    private void check() {
        require(speed > 0 && speed <= FASTEST, "--speed " + speed + " (expected: above 0, to 1000)");
        require(startLimit > 0 && startLimit <= 3600, "--start-limit " + startLimit + " (expected: 1 to 3600)");
        require(patience > 0 && patience <= 3600, "--patience " + patience + " (expected: 1 to 3600)");
        require(
                Stream.concat(command.stream(), environment.values().stream())
                        .anyMatch(word -> word.contains(Placeholders.PORT)),
                "no " + Placeholders.PORT + " in COMMAND or --env (expected: where the service is to listen)");
    }

    /** A service that isn't given an upstream would ask the one of its own settings: perhaps a real one. */
    private void checkUpstreams(BundleUpstreams bundled) {
        Set<String> names = new LinkedHashSet<>();
        bundled.all().forEach(upstream -> names.add(upstream.name()));
        for (String name : without) {
            require(names.contains(name), "--without " + name + " (expected: one of " + names + ")");
        }
        for (String name : names) {
            boolean given = Stream.concat(command.stream(), environment.values().stream())
                    .anyMatch(word -> Placeholders.names(word, name));
            require(
                    given || without.contains(name),
                    "no {upstream:" + name + "} in COMMAND or --env (expected: it, or --without " + name + ")");
        }
    }

    private void require(boolean right, String otherwise) {
        if (!right) {
            throw new ParameterException(spec.commandLine(), otherwise);
        }
    }

    private int replay(
            BundleFolder folder, Contents contents, List<NoiseRule> noise, @Nullable BundleAggregator aggregator)
            throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        int port = freePort();
        Placeholders filled = new Placeholders(port, aggregator == null ? Map.of() : aggregator.upstreams());
        List<String> words = new ArrayList<>();
        for (String word : command) {
            words.add(filled.fill(word));
        }
        Map<String, String> variables = new LinkedHashMap<>();
        for (Map.Entry<String, String> variable : environment.entrySet()) {
            variables.put(variable.getKey(), filled.fill(variable.getValue()));
        }
        try (ReplayProgram service =
                ReplayProgram.start("the service", words, variables, Path.of("").toAbsolutePath())) {
            folder.before(service::close);
            InetSocketAddress to = service.awaitPort(port, Duration.ofSeconds(startLimit));
            long begun = System.nanoTime();
            Outcome outcome = Replay.run(
                    folder.recording(),
                    List.copyOf(contents.connections()),
                    to,
                    speed,
                    Duration.ofSeconds(patience),
                    redact.masking(),
                    noise);
            outcome.told().forEach(out::println);
            out.println(outcome.summary((System.nanoTime() - begun) / 1_000_000));
            if (contents.torn() != null) {
                out.println("the recording is torn: " + contents.torn());
            }
            BundleCalls calls = aggregator == null ? BundleCalls.NONE : aggregator.calls(without);
            out.println(calls.summary());
            calls.lines().forEach(line -> out.println("    " + line));
            out.flush();
            boolean isWhole = contents.torn() == null && outcome.compared() > 0;
            write(outcome, outcome.isSame() && isWhole, contents, calls);
            if (!calls.isFaithful()) {
                return NOT_FAITHFUL;
            }
            return outcome.isSame() && isWhole ? Exit.FINE : Exit.ATTENTION;
        }
    }

    private void write(Outcome outcome, boolean isSame, Contents contents, BundleCalls calls) throws IOException {
        List<String> notes = new ArrayList<>();
        if (contents.torn() != null) {
            notes.add("the recording is torn: " + contents.torn());
        }
        notes.add(calls.summary());
        notes.addAll(calls.lines());
        ReplayReport report = new ReplayReport(outcome, isSame && calls.isFaithful(), notes);
        ObjectNode document = report.json();
        document.put("faithful", calls.isFaithful())
                .put("callsAnswered", calls.answered())
                .put("callsMissed", calls.missed())
                .put("torn", contents.torn());
        calls.unasked().forEach(document.putArray("upstreamsUnasked")::add);
        reports.write(report, document);
    }

    /** One that was free a moment ago. */
    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
