package dev.understudy.agent;

import dev.understudy.agent.bootstrap.AgentClassLoader;
import dev.understudy.agent.bootstrap.AgentFaults;
import dev.understudy.agent.bootstrap.Calls;
import dev.understudy.agent.bootstrap.Coroutines;
import dev.understudy.agent.bootstrap.Elements;
import dev.understudy.agent.bootstrap.Gates;
import dev.understudy.agent.bootstrap.Handover;
import dev.understudy.agent.bootstrap.LagClock;
import dev.understudy.agent.bootstrap.Locks;
import dev.understudy.agent.bootstrap.Logged;
import dev.understudy.agent.bootstrap.Observations;
import dev.understudy.agent.bootstrap.OtherServers;
import dev.understudy.agent.bootstrap.OwnClasses;
import dev.understudy.agent.bootstrap.Points;
import dev.understudy.agent.bootstrap.Probes;
import dev.understudy.agent.bootstrap.ServedExchanges;
import dev.understudy.agent.bootstrap.Sockets;
import dev.understudy.agent.bootstrap.allocation.Allocations;
import dev.understudy.agent.bootstrap.allocation.Uses;
import dev.understudy.agent.branch.BranchDirectory;
import dev.understudy.agent.branch.SecondLevel;
import dev.understudy.agent.cache.WovenCache;
import dev.understudy.agent.carry.CarryTransformer;
import dev.understudy.agent.export.OwnThreads;
import dev.understudy.agent.export.Stderr;
import dev.understudy.agent.loading.DeferredTransformer;
import dev.understudy.agent.loading.LoaderTransformer;
import dev.understudy.agent.loading.Reach;
import dev.understudy.agent.lock.LockSites;
import dev.understudy.agent.logging.LoggingTransformer;
import dev.understudy.agent.request.ServerTransformer;
import dev.understudy.agent.weave.ApplicationCode;
import dev.understudy.agent.weave.JdkEdits;
import dev.understudy.agent.weave.ProbeDirectory;
import dev.understudy.agent.weave.Weaver;
import dev.understudy.agent.weave.WeavingTransformer;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Installs the agent, in its own class loader: what it needs of the JVM, then the transformers, then its threads.
 */
public final class AgentInstaller {
    private static final int TOLD = 3;
    private static final String AS_IT_WAS = " and stays as it was";

    private AgentInstaller() {}

    /** Called by {@link Agent}, once; {@code attached} if the application runs already. False if it can't be. */
    public static boolean install(@Nullable String arguments, Instrumentation instrumentation, boolean attached) {
        String given = arguments == null ? "" : arguments;
        boolean installed = tryInstall(given, instrumentation, attached);
        if (!installed && AgentConfig.meansToDenyEgress(given, System.getenv())) {
            Stderr.line("EGRESS IS NOT ENFORCED: the agent is inert, whatever its setting egress says");
        }
        return installed;
    }

    private static boolean tryInstall(String arguments, Instrumentation instrumentation, boolean attached) {
        AgentConfig config;
        try {
            config = AgentConfig.of(arguments, System.getenv());
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
        WovenCache cache = cache(config, false);
        WovenCache ofJdk = cache(config, true);
        JdkEdits edits = new JdkEdits(ofJdk, new FailureLines("takes longer to change than it should"));
        BranchDirectory branches = new BranchDirectory();
        SecondLevel deep = new SecondLevel(branches);
        Reach reach = new Reach(new Unreached());
        WeavingTransformer weaving = new WeavingTransformer(
                application(config),
                new Weaver(
                        directory,
                        cache,
                        config.clockLags(),
                        deep,
                        config.locks() ? new LockSites(branches) : null,
                        new FailureLines("takes longer to weave than it should")),
                reach,
                new FailureLines("isn't woven" + AS_IT_WAS));
        ServerTransformer servers =
                new ServerTransformer(edits, new FailureLines("doesn't begin exchanges" + AS_IT_WAS));
        DeferredTransformer patches = new DeferredTransformer();
        DeferredTransformer points = new DeferredTransformer();
        LoggingTransformer logging =
                new LoggingTransformer(edits, new FailureLines("doesn't tell of errors that are logged" + AS_IT_WAS));
        DeferredTransformer constructors = new DeferredTransformer();
        DeferredTransformer uses = new DeferredTransformer();
        EgressSetup egress = new EgressSetup(config, new OwnThreads());
        AgentThreads threads = new AgentThreads(
                config,
                instrumentation,
                directory,
                branches,
                deep,
                weaving,
                List.of(cache, ofJdk),
                patches,
                points,
                constructors,
                uses,
                egress);
        if (attached) {
            threads.warm();
        }
        touchBootstrap();
        instrumentation.addTransformer(
                reach.guarding(new LoaderTransformer(new FailureLines("doesn't lead to the agent" + AS_IT_WAS))), true);
        // before any of them is asked for the bootstrap part
        LoadedClasses.retransform(instrumentation, false, new Loaders());
        instrumentation.addTransformer(patches, true);
        instrumentation.addTransformer(points, true);
        instrumentation.addTransformer(weaving, true);
        instrumentation.addTransformer(reach.guarding(servers), true);
        instrumentation.addTransformer(reach.guarding(logging), true);
        if (config.executors()) {
            instrumentation.addTransformer(
                    reach.guarding(
                            new CarryTransformer(edits, new FailureLines("doesn't hand exchanges on" + AS_IT_WAS))),
                    true);
        }
        instrumentation.addTransformer(reach.guarding(constructors), true);
        instrumentation.addTransformer(reach.guarding(uses), true);
        egress.control().install(instrumentation, reach);
        LoadedClasses.retransform(
                instrumentation, attached, new Known(servers, config.executors(), attached ? weaving : null));
        if (cache.isEmpty()) {
            CompilerDirective.add(instrumentation);
        }
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

    private static WovenCache cache(AgentConfig config, boolean ofJdk) {
        if (config.cache().isEmpty()) {
            return WovenCache.none();
        }
        try {
            Path folder = Path.of(config.cache());
            Path jar = ((AgentClassLoader) AgentInstaller.class.getClassLoader())
                    .file()
                    .toPath();
            return ofJdk ? WovenCache.ofJdk(folder, jar) : WovenCache.of(folder, jar, config.locks());
        } catch (IOException | RuntimeException unusable) {
            if (!ofJdk) {
                Stderr.line("woven classes aren't kept: " + unusable);
            }
            return WovenCache.none();
        }
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
        ServedExchanges.begun();
        Logged.event(Logged.class, Logged.class, "");
        touchHandover();
        LagClock.lagMillis();
        OwnClasses.find(null);
        Allocations.made(LagClock.class, 0);
        Uses.used(LagClock.class);
        Allocations.allow(false);
        Sockets.reading(Sockets.class);
        Sockets.writing(Sockets.class, 0, 0);
        Locks.entering(null, null, 0);
        AgentFaults.count();
    }

    private static void touchHandover() {
        Touched task = new Touched(null);
        Handover.trial(new Touched(task));
        Handover.run(task);
        Handover.end(Handover.execute(task));
        Handover.end(Handover.fire(task));
        Handover.end(Handover.own(task));
        Handover.before(task);
        Handover.idle(task);
        Handover.end(Coroutines.resumed(task));
        Coroutines.run(task);
        Elements.taking(task);
        Handover.trial(new Touched(new AtomicInteger()));
        Elements.taken(new AtomicInteger(), task);
        Calls.closed();
        OtherServers.changed();
    }

    /**
     * A task that hands another over, or puts something else in a queue; none of all here is a lambda expression, as
     * they take long to link.
     */
    private static final class Touched implements Runnable {
        private final @Nullable Object other;

        Touched(@Nullable Object other) {
            this.other = other;
        }

        @Override
        public void run() {
            if (other instanceof Runnable) {
                Handover.handed(other);
            } else if (other != null) {
                Elements.put(other);
            }
        }
    }

    /** The classes to come by {@link LoaderTransformer} though they are loaded. */
    private static final class Loaders implements Predicate<Class<?>> {
        @Override
        public boolean test(Class<?> loaded) {
            return LoaderTransformer.wants(loaded);
        }
    }

    /**
     * The classes to come by the other transformers though they are loaded; hundreds are looked at before the
     * application begins.
     */
    private static final class Known implements Predicate<Class<?>> {
        private final ServerTransformer servers;
        private final boolean executors;
        private final @Nullable WeavingTransformer weaving;
        private final Set<String> ofJdk = new HashSet<>();

        Known(ServerTransformer servers, boolean executors, @Nullable WeavingTransformer weaving) {
            this.servers = servers;
            this.executors = executors;
            this.weaving = weaving;
            add(ServerTransformer.ofJdk());
            add(Set.of(LoggingTransformer.ofJdk()));
            if (executors) {
                add(CarryTransformer.ofJdk());
            }
        }

        private void add(Set<String> names) {
            for (String name : names) {
                ofJdk.add(name.replace('/', '.'));
            }
        }

        @Override
        public boolean test(Class<?> loaded) {
            String name = loaded.getName();
            if (loaded.getClassLoader() == null) {
                return ofJdk.contains(name);
            }
            return servers.knows(name)
                    || LoggingTransformer.knows(name)
                    || (executors && CarryTransformer.knows(loaded))
                    || (weaving != null && weaving.wants(loaded));
        }
    }

    /** Tells of the first few. */
    private static final class Unreached implements Consumer<String> {
        private final AtomicInteger told = new AtomicInteger();

        @Override
        public void accept(String loader) {
            if (told.getAndIncrement() < TOLD) {
                Stderr.line("classes of " + loader + " stay as they were, since it doesn't lead to the agent");
            }
        }
    }
}
