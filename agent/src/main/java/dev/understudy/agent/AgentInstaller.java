package dev.understudy.agent;

import dev.understudy.agent.bootstrap.Calls;
import dev.understudy.agent.bootstrap.Coroutines;
import dev.understudy.agent.bootstrap.Elements;
import dev.understudy.agent.bootstrap.Exchanges;
import dev.understudy.agent.bootstrap.Gates;
import dev.understudy.agent.bootstrap.Handover;
import dev.understudy.agent.bootstrap.LagClock;
import dev.understudy.agent.bootstrap.Locks;
import dev.understudy.agent.bootstrap.Logged;
import dev.understudy.agent.bootstrap.Observations;
import dev.understudy.agent.bootstrap.OwnClasses;
import dev.understudy.agent.bootstrap.Points;
import dev.understudy.agent.bootstrap.Probes;
import dev.understudy.agent.bootstrap.Sockets;
import dev.understudy.agent.bootstrap.allocation.Allocations;
import dev.understudy.agent.bootstrap.allocation.Uses;
import dev.understudy.agent.branch.BranchDirectory;
import dev.understudy.agent.branch.SecondLevel;
import dev.understudy.agent.cache.WovenCache;
import dev.understudy.agent.carry.CarryTransformer;
import dev.understudy.agent.export.Stderr;
import dev.understudy.agent.leak.ConstructorTransformer;
import dev.understudy.agent.leak.UseTransformer;
import dev.understudy.agent.loading.LoaderTransformer;
import dev.understudy.agent.loading.Reach;
import dev.understudy.agent.lock.LockSites;
import dev.understudy.agent.logging.LoggingTransformer;
import dev.understudy.agent.patch.PatchTransformer;
import dev.understudy.agent.point.PointTransformer;
import dev.understudy.agent.request.ServerTransformer;
import dev.understudy.agent.weave.ApplicationCode;
import dev.understudy.agent.weave.ProbeDirectory;
import dev.understudy.agent.weave.Weaver;
import dev.understudy.agent.weave.WeavingTransformer;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Installs the agent, in its own class loader: what it needs of the JVM, then the transformers, then its threads.
 */
public final class AgentInstaller {
    private static final int TOLD = 3;

    private AgentInstaller() {}

    /** Called by {@link Agent}, once; {@code attached} if the application runs already. False if it can't be. */
    public static boolean install(@Nullable String arguments, Instrumentation instrumentation, boolean attached) {
        AgentConfig config;
        try {
            config = AgentConfig.of(arguments == null ? "" : arguments, System.getenv());
        } catch (IllegalArgumentException wrong) {
            for (String problem : String.valueOf(wrong.getMessage()).split("\n", -1)) {
                Stderr.line("wrong setting: " + problem);
            }
            Stderr.line("inert: nothing is instrumented");
            return false;
        }
        if (!NeededModules.areIn(ModuleLayer.boot())) {
            return false;
        }
        openThreadIds(instrumentation);
        ProbeDirectory directory = new ProbeDirectory();
        WovenCache cache = cache(config);
        BranchDirectory branches = new BranchDirectory();
        SecondLevel deep = new SecondLevel(branches);
        Reach reach = new Reach(unreached());
        WeavingTransformer weaving = new WeavingTransformer(
                application(config),
                new Weaver(directory, cache, config.clockLags(), deep, config.locks() ? new LockSites(branches) : null),
                reach,
                failures("isn't woven"));
        ServerTransformer servers = new ServerTransformer(failures("doesn't begin exchanges"));
        PatchTransformer patches = new PatchTransformer();
        PointTransformer points = new PointTransformer(weaving);
        LoggingTransformer logging = new LoggingTransformer(failures("doesn't tell of errors that are logged"));
        ConstructorTransformer constructors = new ConstructorTransformer();
        UseTransformer uses = new UseTransformer();
        AgentThreads threads = new AgentThreads(
                config,
                instrumentation,
                directory,
                branches,
                deep,
                weaving,
                cache,
                patches,
                points,
                constructors,
                uses);
        if (attached) {
            threads.warm();
        }
        touchBootstrap();
        instrumentation.addTransformer(
                reach.guarding(new LoaderTransformer(failures("doesn't lead to the agent"))), true);
        LoadedClasses.retransform(
                instrumentation, false, LoaderTransformer::wants); // before any of them is asked for the bootstrap part
        instrumentation.addTransformer(patches, true);
        instrumentation.addTransformer(points, true);
        instrumentation.addTransformer(weaving, true);
        instrumentation.addTransformer(reach.guarding(servers), true);
        instrumentation.addTransformer(reach.guarding(logging), true);
        if (config.executors()) {
            instrumentation.addTransformer(
                    reach.guarding(new CarryTransformer(failures("doesn't hand exchanges on"))), true);
        }
        instrumentation.addTransformer(reach.guarding(constructors), true);
        instrumentation.addTransformer(reach.guarding(uses), true);
        LoadedClasses.retransform(
                instrumentation,
                attached,
                loaded -> servers.knows(loaded.getName())
                        || LoggingTransformer.knows(loaded.getName())
                        || (config.executors() && CarryTransformer.knows(loaded))
                        || (attached && weaving.wants(loaded)));
        threads.start();
        Stderr.line(
                "debug agent on; sidecar " + config.sidecar() + ", budget " + config.budget() + " of a core, weaving "
                        + (config.packages().isEmpty() ? "the application's own code" : config.packages()));
        return true;
    }

    private static ApplicationCode application(AgentConfig config) {
        return config.packages().isEmpty()
                ? ApplicationCode.ofProgram(
                        System.getProperty("sun.java.command", ""), System.getProperty("java.class.path", ""))
                : ApplicationCode.inPackages(config.packages());
    }

    private static WovenCache cache(AgentConfig config) {
        if (config.cache().isEmpty()) {
            return WovenCache.none();
        }
        try {
            return WovenCache.of(Path.of(config.cache()), jar(), config.locks());
        } catch (IOException | URISyntaxException | RuntimeException unusable) {
            Stderr.line("woven classes aren't kept: " + unusable);
            return WovenCache.none();
        }
    }

    private static Path jar() throws IOException, URISyntaxException {
        URL own = Objects.requireNonNull(AgentInstaller.class.getResource("AgentInstaller.classdata"));
        return Path.of(((JarURLConnection) own.openConnection()).getJarFileURL().toURI());
    }

    /** Lets the bootstrap part call Thread's own getId; from JDK 19 on there is a final method for that. */
    private static void openThreadIds(Instrumentation instrumentation) {
        if (Runtime.version().feature() < 19) {
            instrumentation.redefineModule(
                    Object.class.getModule(),
                    Set.of(),
                    Map.of(),
                    Map.of("java.lang", Set.of(Probes.class.getModule())),
                    Set.of(),
                    Map.of());
        }
    }

    /** Initialises what woven code calls, so that no application thread does it in the midst of a class's loading. */
    private static void touchBootstrap() {
        for (int i = 0; i < Probes.TRAINING; i++) {
            Probes.exit(Probes.enter(0));
        }
        Observations.allow(0, 0);
        Points.done(Points.put(0, Points.due(0)));
        Gates.set(true, Gates.CAPACITY - 1);
        Exchanges.begun();
        Logged.event(Logged.class, Logged.class, "");
        touchHandover();
        LagClock.lagMillis();
        OwnClasses.find(null);
        Allocations.made(LagClock.class, 0);
        Uses.used(LagClock.class);
        Allocations.allow(false);
        Sockets.reading(Sockets.class);
        Locks.entering(null, null, 0);
    }

    private static void touchHandover() {
        Runnable task = () -> {};
        Handover.trial(() -> Handover.handed(task));
        Handover.run(task);
        Handover.end(Handover.execute(task));
        Handover.end(Handover.fire(task));
        Handover.end(Handover.own(task));
        Handover.before(task);
        Handover.idle(task);
        Handover.end(Coroutines.resumed(task));
        Coroutines.run(task);
        Elements.taking(task);
        Handover.trial(() -> Elements.put(new AtomicInteger()));
        Elements.taken(new AtomicInteger(), task);
        Calls.closed();
    }

    private static java.util.function.BiConsumer<String, Throwable> failures(String consequence) {
        AtomicInteger told = new AtomicInteger();
        return (className, problem) -> {
            if (told.getAndIncrement() < TOLD) {
                Stderr.line(className + " " + consequence + " and stays as it was: " + problem);
            }
        };
    }

    private static Consumer<String> unreached() {
        AtomicInteger told = new AtomicInteger();
        return loader -> {
            if (told.getAndIncrement() < TOLD) {
                Stderr.line("classes of " + loader + " stay as they were, since it doesn't lead to the agent");
            }
        };
    }
}
