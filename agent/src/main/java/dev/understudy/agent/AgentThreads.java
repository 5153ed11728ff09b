package dev.understudy.agent;

import dev.understudy.agent.bootstrap.LagClock;
import dev.understudy.agent.bootstrap.Observations;
import dev.understudy.agent.bootstrap.OtherAgent;
import dev.understudy.agent.bootstrap.Points;
import dev.understudy.agent.bootstrap.Samples;
import dev.understudy.agent.bootstrap.allocation.Allocations;
import dev.understudy.agent.bootstrap.lock.Nestings;
import dev.understudy.agent.branch.BranchDirectory;
import dev.understudy.agent.branch.SecondLevel;
import dev.understudy.agent.budget.Controller;
import dev.understudy.agent.budget.Costs;
import dev.understudy.agent.budget.Governor;
import dev.understudy.agent.budget.Metering;
import dev.understudy.agent.budget.Observing;
import dev.understudy.agent.budget.Stacking;
import dev.understudy.agent.budget.Standing;
import dev.understudy.agent.budget.WindowFeed;
import dev.understudy.agent.cache.WovenCache;
import dev.understudy.agent.carry.CarryCheck;
import dev.understudy.agent.counter.Measuring;
import dev.understudy.agent.execution.ExecutionBatch;
import dev.understudy.agent.execution.ExecutionOrder;
import dev.understudy.agent.export.AgentReport;
import dev.understudy.agent.export.FaultLine;
import dev.understudy.agent.export.LockReport;
import dev.understudy.agent.export.MeasuredFields;
import dev.understudy.agent.export.ObservationWriter;
import dev.understudy.agent.export.OverheadBatch;
import dev.understudy.agent.export.OwnThreads;
import dev.understudy.agent.export.SidecarClient;
import dev.understudy.agent.export.SpanExport;
import dev.understudy.agent.export.Stderr;
import dev.understudy.agent.flight.FlightEvents;
import dev.understudy.agent.leak.AllocationSites;
import dev.understudy.agent.leak.ConstructorTransformer;
import dev.understudy.agent.leak.LeakWatch;
import dev.understudy.agent.leak.UseTransformer;
import dev.understudy.agent.loading.DeferredTransformer;
import dev.understudy.agent.lock.LockOrder;
import dev.understudy.agent.lock.OpenedLocks;
import dev.understudy.agent.orders.Order;
import dev.understudy.agent.orders.OrderFollower;
import dev.understudy.agent.orders.PartOrder;
import dev.understudy.agent.orders.ProbeOrder;
import dev.understudy.agent.orders.RedactOrder;
import dev.understudy.agent.patch.PatchOrder;
import dev.understudy.agent.patch.PatchTransformer;
import dev.understudy.agent.point.HitBatch;
import dev.understudy.agent.point.PointOrder;
import dev.understudy.agent.point.PointTransformer;
import dev.understudy.agent.reach.Reachability;
import dev.understudy.agent.ring.RingLog;
import dev.understudy.agent.stack.AllocationSampling;
import dev.understudy.agent.stack.StackBatchWriter;
import dev.understudy.agent.stack.StackSampler;
import dev.understudy.agent.value.Secrets;
import dev.understudy.agent.weave.ProbeDirectory;
import dev.understudy.agent.weave.WeavingTransformer;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the agent does beside the application: one thread listens to the window, one ticks, one reports, one follows the
 * operator's orders, one brings classes to the second level.
 *
 * <p>All of it is set up on the first of them, once the application's start has come to a rest or some seconds have
 * passed, so that the two don't compete.
 */
final class AgentThreads implements Runnable {
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(Governor.TICK_MILLIS);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long REPORT_MILLIS = Long.getLong("dev.understudy.agent.reportMillis", 1000); // less in tests
    /** An exchange that has gone on for so long is told of, though it hasn't ended. */
    private static final long OPEN_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** What looking at the places of points may take of the budget. */
    private static final double POINTS_SHARE = 0.25;

    private static final int KEPT_TICKS = 10;

    private final AgentConfig config;
    private final Instrumentation instrumentation;
    private final ProbeDirectory directory;
    private final BranchDirectory branches;
    private final SecondLevel deep;
    private final WeavingTransformer weaving;
    private final List<WovenCache> caches;
    private final DeferredTransformer patches;
    private final DeferredTransformer places;
    private final DeferredTransformer constructors;
    private final DeferredTransformer uses;
    private final EgressSetup egress;
    private final OwnThreads threads;
    private final StartupRest rest;
    private @Nullable CarryCheck warmed;
    private volatile List<String> followed = List.of();

    AgentThreads(
            AgentConfig config,
            Instrumentation instrumentation,
            ProbeDirectory directory,
            BranchDirectory branches,
            SecondLevel deep,
            WeavingTransformer weaving,
            List<WovenCache> caches,
            DeferredTransformer patches,
            DeferredTransformer places,
            DeferredTransformer constructors,
            DeferredTransformer uses,
            EgressSetup egress) {
        this.config = config;
        this.instrumentation = instrumentation;
        this.directory = directory;
        this.branches = branches;
        this.deep = deep;
        this.weaving = weaving;
        this.rest = new StartupRest(weaving);
        this.caches = caches;
        this.patches = patches;
        this.places = places;
        this.constructors = constructors;
        this.uses = uses;
        this.egress = egress;
        this.threads = egress.threads();
    }

    /** Before anything is woven in an application that runs already. */
    void warm() {
        rest.attached();
        if (config.executors()) {
            warmed = check();
            warmed.warm();
        }
    }

    void start() {
        rest.begin();
        threads.start("agent", this);
    }

    @Override
    public void run() {
        rest.await();
        OtherAgent.untold(this::tryServe); // it may have come after this thread
    }

    private void tryServe() {
        try {
            serve();
        } catch (GeneralSecurityException noTls) {
            Stderr.line("nothing is sampled: " + noTls);
        }
    }

    private void serve() throws GeneralSecurityException {
        OpenedLocks.open(instrumentation); // before anything is observed
        Stacking stacking = new Stacking(config.stacks());
        StackSampler stacks = new StackSampler(stacking);
        Costs costs = Costs.calibrated();
        Measuring measuring = Measuring.begin(config.measure(), instrumentation);
        Governor governor = new Governor(
                Controller.of(config.budget(), config.oneIn(), config.lag(), System.nanoTime()),
                costs,
                directory::probes,
                probe -> directory.probe(probe).gate(),
                System::nanoTime,
                () -> threads.cpuNanos() + Points.spentNanos() + Allocations.spentNanos(),
                Observing.calibrated(),
                branches::numbers,
                stacking,
                new Metering(measuring.nanos()),
                config.quota());
        Reachability reachability = new Reachability(instrumentation, weaving::wants, weaving::lastLoadNanos);
        threads.start("reach", reachability);
        Deepening deepening =
                new Deepening(config, instrumentation, weaving, directory, branches, deep, governor, reachability);
        threads.start("deepening", deepening);
        SidecarClient sidecar = new SidecarClient(config.sidecar(), config.token(), config.tls(), threads);
        egress.link();
        Semaphore news = new Semaphore(0);
        PatchTransformer patching = new PatchTransformer();
        patches.becomes(patching);
        PatchOrder patch = new PatchOrder(instrumentation, patching, sidecar::get);
        Secrets secrets = new Secrets(config.redact());
        PointTransformer placing = new PointTransformer(weaving);
        places.becomes(placing);
        PointOrder points = new PointOrder(
                instrumentation,
                placing,
                directory,
                secrets,
                () -> governor.standing().budget() <= 0);
        ExecutionOrder executions = new ExecutionOrder(instrumentation, directory, secrets);
        ProbeOrder probes = new ProbeOrder(governor, directory, reachability);
        LeakWatch leaks =
                new LeakWatch(config.leaks(), () -> governor.standing().budget() <= 0, allocationSites(), Stderr::line);
        threads.start("leaks", leaks);
        AllocationSampling allocations = allocations(() -> governor.standing().budget() <= 0);
        SettingOrder settings = new SettingOrder(
                config, new SettingChange(governor, stacking, deepening, leaks, measuring, allocations, secrets));
        List<Order> kinds = List.of(
                settings,
                new RedactOrder(secrets),
                deepening,
                probes,
                new PartOrder(config.name(), governor, directory),
                patch,
                points,
                executions);
        OrderFollower orders = new OrderFollower(sidecar::get, kinds, news::release);
        AgentReport report = new AgentReport(
                config.name(),
                directory,
                governor,
                stacks,
                weaving::failed,
                orders,
                patch::inForce,
                leaks,
                new LockReport(branches, new LockOrder(Nestings::poll)),
                deepening::classes,
                () -> followed,
                new MeasuredFields(measuring, settings::quota),
                egress.control(),
                settings::shown);
        HitBatch hits = new HitBatch(config.name(), points);
        ExecutionBatch executed = new ExecutionBatch(config.name(), executions);
        threads.start(
                "report",
                () -> report(sidecar, governor, stacks, allocations, report, hits, executed, news, measuring));
        threads.start("orders", orders);
        if (config.executors()) {
            threads.start("executors", this::tryExecutors);
        }
        WindowFeed feed =
                new WindowFeed(sidecar.http(), sidecar::window, orders::connected, Stderr::refused, reading -> {
                    orders.told(reading.orders());
                    Samples.wanted(reading.spans() || !config.otlp().startsWith(config.sidecar()));
                    if (config.clockLags()) {
                        LagClock.lag(reading.lagMillis(), System.nanoTime());
                    }
                    if (governor.reading(reading)) {
                        Points.allow(0, 0);
                        Allocations.allow(false);
                        news.release(); // a window that closes is told at once
                    }
                });
        threads.start("window", feed);
        threads.start("stacks", stacks);
        SpanExport spans = spans(sidecar, measuring);
        Consumer<Standing> flight =
                FlightEvents.open(directory, measuring::counters).andThen(ring(governor, stacks));
        long patienceEnds = System.nanoTime() + PATIENCE_NANOS;
        boolean heard = false;
        for (long due = System.nanoTime(); ; due = Math.max(due + TICK_NANOS, System.nanoTime())) {
            LockSupport.parkNanos(due - System.nanoTime());
            governor.tick();
            Standing standing = governor.standing();
            long looking = (long) (standing.budget() * POINTS_SHARE * TICK_NANOS);
            Points.allow(looking, KEPT_TICKS * looking);
            Allocations.allow(standing.budget() > 0);
            flight.accept(standing);
            heard |= standing.window() != null;
            if (!heard && System.nanoTime() - patienceEnds > 0) {
                heard = true;
                Stderr.line("nothing heard from " + config.sidecar() + " yet; until then no probe is armed");
            }
            feed.watch();
            OtherAgent.find();
            if (spans != null) {
                spans.drain();
            }
        }
    }

    private AllocationSites allocationSites() {
        ConstructorTransformer making = new ConstructorTransformer();
        UseTransformer using = new UseTransformer();
        constructors.becomes(making);
        uses.becomes(using);
        return new AllocationSites(instrumentation, making, using);
    }

    private CarryCheck check() {
        return new CarryCheck(work -> threads.daemon("executor", work));
    }

    private AllocationSampling allocations(BooleanSupplier paused) {
        AllocationSampling allocations =
                new AllocationSampling(config.name(), paused, work -> threads.start("allocations", work));
        String obstacle = allocations.limit(config.allocations());
        if (obstacle != null) {
            Stderr.line(obstacle);
        }
        return allocations;
    }

    private void tryExecutors() {
        followed = (warmed == null ? check() : warmed).followed();
        List<String> missing = CarryCheck.missing(followed);
        if (!missing.isEmpty()) {
            Stderr.line("requests aren't followed into tasks of these kinds: " + missing);
        }
    }

    /** Keeps a moment's figures in the operator's file, as calls are from now on; does nothing if there is none. */
    private Consumer<Standing> ring(Governor governor, StackSampler stacks) {
        if (config.ring().isEmpty()) {
            return standing -> {};
        }
        try {
            RingLog ring =
                    RingLog.open(Path.of(config.ring()), config.ringBytes(), directory, governor, stacks::dropped);
            return ring::tick;
        } catch (IOException | RuntimeException problem) {
            Stderr.line("no ring is kept: " + problem);
            return standing -> {};
        }
    }

    /** Null in a JVM that was linked without what OpenTelemetry needs, as is the module java.logging. */
    private @Nullable SpanExport spans(SidecarClient sidecar, Measuring measuring) {
        try {
            return new SpanExport(directory, config.service(), sidecar.spans(config.otlp()), measuring::counters);
        } catch (LinkageError missing) {
            Stderr.line("no spans are exported, this JVM lacks " + missing.getMessage());
            return null;
        }
    }

    private void report(
            SidecarClient sidecar,
            Governor governor,
            StackSampler stacks,
            AllocationSampling allocations,
            AgentReport report,
            HitBatch hits,
            ExecutionBatch executed,
            Semaphore news,
            Measuring measuring) {
        ObservationWriter observed = new ObservationWriter(config.name(), directory, branches, governor::isUnseen);
        StackBatchWriter taken = new StackBatchWriter(config.name(), stacks);
        OverheadBatch overheads = new OverheadBatch(config.name());
        FaultLine faults = new FaultLine(Stderr::line);
        try {
            while (true) {
                if (news.tryAcquire(REPORT_MILLIS, TimeUnit.MILLISECONDS)) {
                    news.drainPermits();
                }
                WovenCache.tick(caches, Stderr::line);
                measuring.sweep();
                faults.look();
                sidecar.report(report.write());
                Observations.tellOpen(OPEN_NANOS);
                for (byte[] batch = observed.write(); batch.length > 0; batch = observed.write()) {
                    observed.taken(sidecar.observed(batch));
                }
                byte[] batch = overheads.write();
                if (batch.length > 0) {
                    sidecar.overheads(batch);
                }
                byte[] told = hits.write();
                if (told.length > 0) {
                    hits.taken(sidecar.hits(told));
                }
                batch = executed.write();
                if (batch.length > 0) {
                    executed.taken(sidecar.execution(batch));
                }
                byte[] folded = taken.write();
                if (folded.length > 0) {
                    sidecar.stacks(folded);
                }
                byte[] made = allocations.write();
                if (made.length > 0) {
                    sidecar.allocations(made);
                }
            }
        } catch (InterruptedException | IOException ended) {
            Stderr.line("reports ended: " + ended);
        }
    }
}
