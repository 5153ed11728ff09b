package dev.understudy.session.debug;

import dev.understudy.session.clone.CloneDriver;
import dev.understudy.session.clone.CloneException;
import dev.understudy.session.clone.CopyAgent;
import dev.understudy.session.clone.CopyNames;
import dev.understudy.session.clone.DebugCopy;
import dev.understudy.session.clone.ServiceSnapshot;
import dev.understudy.session.ledger.FileLedger;
import dev.understudy.session.network.NetworkFailure;
import dev.understudy.session.program.AgentLoad;
import dev.understudy.session.program.ProgramFailure;
import dev.understudy.session.program.SidecarControl.Outcome;
import dev.understudy.session.program.StopTime;
import dev.understudy.session.target.TargetSurvey;
import dev.understudy.session.target.survey.UpstreamConnections;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * One session, from a running service to its report: a stage is set around production, a copy is made and observed, and
 * all of it is removed again. Whatever goes wrong, what was made is removed, and production runs on.
 */
public final class DebugSession {
    private static final Duration LIVE = Duration.ofSeconds(1);

    private final TargetSurvey target;
    private final SessionScene scene;
    private final CloneDriver driver;
    private final DebugSettings settings;
    private final FileLedger ledger;
    private final SessionProgress progress;
    private final CountDownLatch stopped;
    private StopTime began = new StopTime(0, 0);

    /** A session that hasn't begun. */
    public DebugSession(TargetSurvey target, SessionScene scene) {
        this.target = target;
        this.scene = scene;
        this.driver = scene.driver();
        this.settings = scene.settings();
        this.ledger = scene.ledger();
        this.progress = scene.progress();
        this.stopped = scene.stopped();
    }

    /**
     * Runs until it is stopped, its time is over, or one of its parts ends. All that was made is removed then, but for
     * the report.
     *
     * @return the report's exit code and sentences
     */
    public Outcome run() throws CloneException, NetworkFailure, ProgramFailure, IOException, InterruptedException {
        progress.line("session " + ledger.session() + "  process "
                + target.process().pid() + ", copy " + driver.state() + " by " + driver.name());
        try (Stage stage = Stage.set(target, scene)) {
            try {
                awaitPools(UpstreamConnections.of(target));
                return observed(stage);
            } finally {
                stage.release(scene.hurried());
            }
        }
    }

    /** Gives the pools of production the time to renew what isn't recorded. */
    private void awaitPools(UpstreamConnections before) throws IOException, InterruptedException {
        long end = System.nanoTime() + settings.poolPatience().toNanos();
        int left = before.left();
        while (left > 0 && System.nanoTime() - end < 0 && !stopped.await(LIVE.toMillis(), TimeUnit.MILLISECONDS)) {
            progress.live("waiting for " + left + " connections of production's pools to be renewed");
            left = before.left();
        }
        if (left > 0) {
            progress.line(
                    "note: " + left + " connections to upstreams aren't recorded until production renews them; what it"
                            + " asks there is a miss in the copy (see --drain-pool)");
        }
    }

    /** Makes the copy on a stage that is set, and observes it. */
    Outcome observed(Stage stage) throws CloneException, ProgramFailure, IOException, InterruptedException {
        try {
            return observe(stage);
        } catch (CloneException | ProgramFailure | IOException failed) {
            // before the wait for production's connections, which may be long
            progress.line("ending: " + failed.getMessage());
            throw failed;
        }
    }

    private Outcome observe(Stage stage) throws CloneException, ProgramFailure, IOException, InterruptedException {
        String name = "copy-" + ledger.session();
        DebugCopy copy = copy(stage, name);
        try {
            if (!driver.startsAgent()) {
                AgentLoad.into(copy, target.process(), settings.files().agent(), name, stage.control(), stage.tokens());
            } else if (isListening(copy)) {
                AgentLoad.awaitReport(name, stage.control());
            }
            progress.reached(SessionStep.OBSERVED, name);
            stage.begin(began);
            progress.reached(SessionStep.LIVE, "");
            progress.line("for other commands: . " + stage.environmentFile());
            follow(stage, copy);
            stage.tee("off");
            long missed = stage.missed();
            if (missed > 0) {
                progress.line("the copy asked upstreams " + missed
                        + " times for what isn't recorded: it got an error each time");
            }
            return stage.control().report(settings.page(), settings.reportOptions());
        } finally {
            driver.destroy(copy, ledger);
        }
    }

    /** What clients send waits for the copy meanwhile, but for what its snapshot has. */
    private DebugCopy copy(Stage stage, String name)
            throws CloneException, ProgramFailure, IOException, InterruptedException {
        ServiceSnapshot snapshot;
        stage.awaitSnapshot();
        try (FreezeWatch freeze = FreezeWatch.start(target.process())) {
            snapshot = driver.snapshot(target.process(), settings.limits(), ledger);
            began = freeze.end(snapshot.suspension());
        }
        try {
            if (!snapshot.suspension().isZero()) {
                progress.reached(
                        SessionStep.SNAPSHOT,
                        String.format(
                                Locale.ROOT,
                                "it stood still for %.2f s, %d MiB",
                                snapshot.suspension().toMillis() / 1e3,
                                snapshot.bytes() >> 20));
            }
            stage.check();
            CopyAgent agent = AgentLoad.at(settings.files().agent(), name, stage.control(), stage.tokens());
            DebugCopy copy = driver.restore(snapshot, stage.world(), names(), agent, ledger);
            progress.reached(SessionStep.COPIED, "process " + copy.pid() + ", " + copy.state());
            return copy;
        } finally {
            driver.delete(snapshot, ledger);
        }
    }

    private boolean isListening(DebugCopy copy) throws CloneException, InterruptedException {
        return CopyStart.await(
                copy, target.copiedPorts(), settings.startLimit(), () -> driver.output(copy), progress, stopped);
    }

    /** No name server is reached from the copy's world. */
    private CopyNames names() {
        return new CopyNames(
                target.recordedUpstreams().stream()
                        .filter(upstream -> !upstream.names().isEmpty())
                        .map(upstream -> upstream.address().getAddress().getHostAddress() + " "
                                + String.join(" ", upstream.names()))
                        .toList(),
                List.of());
    }

    private void follow(Stage stage, DebugCopy copy) throws ProgramFailure, IOException, InterruptedException {
        Duration lasting = settings.lasting();
        long end = System.nanoTime() + (lasting == null ? Long.MAX_VALUE / 2 : lasting.toNanos());
        while (!stopped.await(LIVE.toMillis(), TimeUnit.MILLISECONDS)) {
            stage.check();
            if (!copy.isAlive()) {
                progress.line("the copy has ended: process " + copy.pid() + "; see its own log"
                        + (driver.startsAgent() ? CopyStart.last(() -> driver.output(copy)) : ""));
                return;
            }
            if (!target.process().isAlive()) {
                progress.line(
                        "production has ended: process " + target.process().pid());
                return;
            }
            if (System.nanoTime() - end > 0) {
                return;
            }
            progress.live(LiveLine.of(stage.control().status(), stage.missed()));
        }
    }
}
