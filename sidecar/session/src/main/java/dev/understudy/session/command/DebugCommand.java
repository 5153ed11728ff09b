package dev.understudy.session.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.relay.control.StopSignal;
import dev.understudy.session.clone.AbsentDriver;
import dev.understudy.session.clone.CloneDriver;
import dev.understudy.session.clone.CloneException;
import dev.understudy.session.clone.CloneLimits;
import dev.understudy.session.clone.process.ContainerLiveDriver;
import dev.understudy.session.clone.process.ContainerRestartDriver;
import dev.understudy.session.clone.process.CriuProgram;
import dev.understudy.session.clone.process.ProcessDriver;
import dev.understudy.session.clone.process.RestartDriver;
import dev.understudy.session.debug.ColdSession;
import dev.understudy.session.debug.DebugSession;
import dev.understudy.session.debug.DebugSettings;
import dev.understudy.session.debug.SessionScene;
import dev.understudy.session.debug.TapSession;
import dev.understudy.session.host.NetworkNamespace;
import dev.understudy.session.ledger.FileLedger;
import dev.understudy.session.ledger.Sessions;
import dev.understudy.session.mode.RuleWatch;
import dev.understudy.session.network.NetworkFailure;
import dev.understudy.session.outcome.OutcomeSettings;
import dev.understudy.session.plan.PlanJson;
import dev.understudy.session.plan.PlanText;
import dev.understudy.session.plan.SessionPlan;
import dev.understudy.session.plan.SessionPlanner;
import dev.understudy.session.plan.TargetOptions;
import dev.understudy.session.program.ProgramFailure;
import dev.understudy.session.program.ProgramFiles;
import dev.understudy.session.program.SidecarControl.Outcome;
import dev.understudy.session.program.SourceArchive;
import dev.understudy.session.target.ContainerFacts;
import dev.understudy.session.target.TargetException;
import dev.understudy.session.target.TargetSurvey;
import dev.understudy.session.target.survey.SurveyOptions;
import dev.understudy.session.target.survey.TargetSurveyor;
import dev.understudy.session.trigger.WatchRules;
import dev.understudy.sidecar.command.control.Exit;
import dev.understudy.sidecar.verdict.CopyState;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code understudy debug}: a session, from a running service to its report. */
@Command(
        name = "debug",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        description = {
            "Makes a debug copy of a running service, with its memory where that is possible, and gives it what "
                    + "new clients send. The service runs on. Needs root.",
            "",
            "Ctrl-C ends the session: the copy and all else that was made is removed, and the report is written.",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:no --fail-on rule holds; or the plan can be carried out",
            "1:at least one rule holds; or something is left that couldn't be removed",
            "2:the session couldn't be made, or the plan can't be carried out"
        })
public final class DebugCommand implements Callable<Integer> {
    private static final int MOST_PORT = 65_535;

    @Mixin
    private TargetOptions target = new TargetOptions();

    @Mixin
    private SessionsOptions sessions = new SessionsOptions();

    @Mixin
    private RenewalOptions renewal = new RenewalOptions();

    @Mixin
    private ModeOptions mode = new ModeOptions();

    @Mixin
    private SourceOptions source = new SourceOptions();

    @Option(names = "--dry-run", description = "Only prints the plan; changes nothing.")
    private boolean dryRun;

    @Option(names = "--json", description = "Prints the plan, or the list of sessions, as JSON.")
    private boolean json;

    /** How the copy of a running process is made. */
    enum CopyWay {
        AUTO,
        CRIU,
        RESTART
    }

    @Option(
            names = "--clone",
            paramLabel = "HOW",
            defaultValue = "auto",
            description = "How the copy of a running process is made: criu copies it with its memory (LIVE), restart"
                    + " starts its command once more (RESTARTED), auto takes criu where its checks pass, and else"
                    + " restart (default: ${DEFAULT-VALUE}).")
    private CopyWay way = CopyWay.AUTO;

    @Option(
            names = "--debugger",
            paramLabel = "PORT",
            description = "Has a copy that is started anew open this port to a debugger, in its own network. Whoever"
                    + " reaches it may do what the service may; the session prints the address.")
    private int debugger;

    @Option(
            names = "--user",
            paramLabel = "NAME",
            defaultValue = "",
            description = "As whom a command runs (default: this user).")
    private String user = "";

    @Option(
            names = "--start-limit",
            paramLabel = "TIME",
            defaultValue = "3m",
            converter = TimeConverter.class,
            description = "How long what the session starts may take until it listens (default: ${DEFAULT-VALUE}).")
    private Duration startLimit = Duration.ofMinutes(3);

    @Option(
            names = "--max-suspend",
            paramLabel = "TIME",
            defaultValue = "3s",
            converter = TimeConverter.class,
            description =
                    "The longest that the service may stand still for the snapshot; one that takes longer is given "
                            + "up (default: ${DEFAULT-VALUE}).")
    private Duration suspension = Duration.ofSeconds(3);

    @Option(
            names = "--for",
            paramLabel = "TIME",
            converter = TimeConverter.class,
            description = "Ends the session after this time.")
    private @Nullable Duration lasting;

    @Option(
            names = "--drain-pool",
            paramLabel = "TIME",
            converter = TimeConverter.class,
            description = "Waits that long at most, before the copy is made, for the service's pools to renew the "
                    + "connections that were made before the session: what they carry isn't recorded, so the copy's "
                    + "same calls miss. A pool renews itself by its own settings, such as HikariCP's maxLifetime "
                    + "(30 minutes). Without it, the copy is made at once.")
    private Duration poolPatience = Duration.ZERO;

    @Option(
            names = "--drain",
            paramLabel = "TIME",
            defaultValue = "30m",
            converter = TimeConverter.class,
            description =
                    "How long the end waits for the service's connections that pass through the session; they are cut "
                            + "then, or at the second Ctrl-C (default: ${DEFAULT-VALUE}).")
    private Duration drain = Duration.ofMinutes(30);

    @Option(
            names = "--images",
            paramLabel = "DIRECTORY",
            defaultValue = "/dev/shm",
            description =
                    "Where a snapshot is while the copy is made; in memory by default, since it holds all secrets "
                            + "of the service (default: ${DEFAULT-VALUE}).")
    private Path images = Path.of("/dev/shm");

    @Option(
            names = "--writable",
            paramLabel = "MIB",
            defaultValue = "1024",
            description = "What the copy may write to its own file system, in MiB (default: ${DEFAULT-VALUE}).")
    private int writable = 1024;

    @Option(
            names = "--criu",
            paramLabel = "FILE",
            description = "CRIU 4.2 or newer. Without it UNDERSTUDY_CRIU, and without that the one on the PATH.")
    private @Nullable Path criu;

    @Option(
            names = "--report",
            paramLabel = "FILE",
            description = "The report's page (default: understudy-SESSION.html).")
    private @Nullable Path page;

    @Option(
            names = "--fail-on",
            paramLabel = "RULE",
            defaultValue = "different",
            description = "What makes it exit with 1, as in understudy report (default: ${DEFAULT-VALUE}).")
    private String failOn = "different";

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
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        try {
            if (sessions.isGiven()) {
                return sessions.run(out, json);
            }
            return session(out);
        } catch (TargetException | CloneException | NetworkFailure | ProgramFailure | IOException failed) {
            err.println("understudy debug: " + failed.getMessage());
            err.flush();
            return Exit.WRONG;
        }
    }

    private int session(PrintWriter out)
            throws TargetException, CloneException, NetworkFailure, ProgramFailure, IOException, InterruptedException {
        Optional<WatchRules> rules = mode.rules();
        List<CloneDriver> drivers = new ArrayList<>();
        SessionPlan plan = new SessionPlanner(
                        found -> {
                            drivers.addAll(drivers(found.container()));
                            return drivers;
                        },
                        limits(images))
                .plan(target);
        if (dryRun || !plan.isPossible()) {
            out.println(
                    json
                            ? new ObjectMapper()
                                    .writerWithDefaultPrettyPrinter()
                                    .writeValueAsString(PlanJson.of(plan))
                            : PlanText.of(plan));
            out.flush();
            return plan.isPossible() ? Exit.FINE : Exit.WRONG;
        }
        TargetSurvey survey = plan.target().survey();
        if (survey == null && rules.isPresent()) {
            throw new TargetException("--rules with a command (expected: a running process, or a container)");
        }
        if (survey == null) {
            return run(
                    plan.target().command().get(0), new RestartDriver(CopyState.COLD, debugger), out, (scene, page) -> {
                        Path log = page.resolveSibling(
                                "understudy-" + scene.ledger().session() + ".log");
                        TargetSurveyor surveyor = new TargetSurveyor(new SurveyOptions(target.protocols(), false));
                        return new ColdSession(
                                        scene,
                                        plan.target().command(),
                                        user,
                                        plan.target().upstreams(),
                                        surveyor,
                                        log)
                                .run();
                    });
        }
        if (survey.copiedPorts().isEmpty()) {
            throw new TargetException("process " + survey.process().pid() + " listens on no port that can be copied"
                    + " (expected: one, or --protocol PORT=NAME for one that is left alone)");
        }
        NetworkNamespace network = NetworkNamespace.of(survey.process().pid());
        if (!network.entrance().isEmpty()) {
            return Relaunch.in(network);
        }
        CloneDriver driver = drivers.stream()
                .filter(each -> each.name().equals(plan.chosen().orElseThrow().name()))
                .findFirst()
                .orElseThrow();
        plan.fallback().ifPresent(why -> out.println("note: " + why));
        return run(plan.target().name(), driver, out, (scene, page) -> {
            return rules.isEmpty()
                    ? Optional.of(new DebugSession(survey, scene).run())
                    : TapSession.run(survey, scene, new RuleWatch(rules.get(), Clock.system(ZoneId.systemDefault())));
        });
    }

    /** A session, once there is a place for all that it makes. */
    private interface SessionRun {
        Optional<Outcome> in(SessionScene scene, Path page)
                throws TargetException, CloneException, NetworkFailure, ProgramFailure, IOException,
                        InterruptedException;
    }

    private CloneLimits limits(Path directory) {
        return new CloneLimits(suspension, directory, (long) writable << 20);
    }

    private List<CloneDriver> drivers(@Nullable ContainerFacts container) {
        List<CloneDriver> drivers = new ArrayList<>();
        if (way != CopyWay.RESTART) {
            drivers.add(live(container));
        }
        if (way != CopyWay.CRIU) {
            drivers.add(
                    container == null
                            ? new RestartDriver(CopyState.RESTARTED, debugger)
                            : new ContainerRestartDriver(container));
        }
        return drivers;
    }

    private CloneDriver live(@Nullable ContainerFacts container) {
        try {
            CriuProgram program = CriuProgram.find(Optional.ofNullable(criu), System.getenv());
            return container == null ? new ProcessDriver(program) : new ContainerLiveDriver(program, container);
        } catch (CloneException missing) {
            return new AbsentDriver(
                    container == null ? "process" : "container", CopyState.LIVE, String.valueOf(missing.getMessage()));
        }
    }

    private int run(String name, CloneDriver driver, PrintWriter out, SessionRun session)
            throws TargetException, CloneException, NetworkFailure, ProgramFailure, IOException, InterruptedException {
        if (debugger < 0 || debugger > MOST_PORT) {
            throw new TargetException("--debugger " + debugger + " (expected: a port, 1 to " + MOST_PORT + ")");
        }
        if (debugger > 0 && !(driver instanceof RestartDriver)) {
            throw new TargetException("--debugger with a copy by " + driver.name() + " (expected: --clone restart with"
                    + " a process, or a command: a JVM takes a debugger at its start only)");
        }
        if (renewal.plan().isAutomatic() && !driver.canRenew()) {
            throw new TargetException("--renew-every, --renew-on-divergence or --renew-on-overflow with a container"
                    + " (expected: with a process, as a container's copy can't be replaced)");
        }
        ProgramFiles files = ProgramFiles.in(root);
        List<SourceArchive> sources = source.read();
        Optional<WatchRules> rules = mode.rules();
        CountDownLatch stopped = new CountDownLatch(1);
        CountDownLatch hurried = new CountDownLatch(1);
        FileLedger ledger = Sessions.ofThisUser(Clock.systemUTC())
                .create(name, driver.state().name(), images);
        Path report = page == null ? Path.of("understudy-" + ledger.session() + ".html") : page;
        boolean isTerminal = Boolean.getBoolean("understudy.terminal");
        StopSignal signals = StopSignal.on(stopped::countDown, hurried::countDown);
        Optional<Outcome> outcome;
        try {
            DebugSettings settings = new DebugSettings(
                    files,
                    limits(ledger.images()),
                    poolPatience,
                    startLimit,
                    debugger,
                    rules.map(WatchRules::observe).orElse(lasting),
                    rules.map(WatchRules::untilCertain).orElse(mode.untilCertain()),
                    drain,
                    renewal.plan(),
                    report.toAbsolutePath(),
                    List.of("--fail-on", failOn),
                    mode.outcome(rules.map(WatchRules::outcome).orElse(OutcomeSettings.NONE)),
                    rules.map(WatchRules::recording).orElse(null),
                    sources);
            outcome = session.in(
                    SessionScene.of(driver, settings, ledger, out, isTerminal, stopped, hurried), settings.page());
        } finally {
            SessionsOptions.print(ledger.session(), ledger.finish(), out);
            out.flush();
            signals.close();
        }
        if (outcome.isEmpty() && rules.isPresent()) {
            out.println("no copy was made");
            out.flush();
            return Exit.FINE;
        }
        if (outcome.isEmpty()) {
            throw new ProgramFailure("stopped before there was a copy");
        }
        out.println(outcome.get().text());
        out.println("report: " + report);
        out.flush();
        return outcome.get().code();
    }
}
