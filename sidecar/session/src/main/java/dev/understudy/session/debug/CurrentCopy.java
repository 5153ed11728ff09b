package dev.understudy.session.debug;

import dev.understudy.session.clone.CloneDriver;
import dev.understudy.session.clone.CloneException;
import dev.understudy.session.clone.CopyNames;
import dev.understudy.session.clone.DebugCopy;
import dev.understudy.session.clone.ServiceSnapshot;
import dev.understudy.session.ledger.FileLedger;
import dev.understudy.session.program.AgentLoad;
import dev.understudy.session.program.ProgramFailure;
import dev.understudy.session.program.SidecarControl.AgentRun;
import dev.understudy.session.program.StopTime;
import dev.understudy.session.target.TargetSurvey;
import dev.understudy.sidecar.verdict.CopyState;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The session's copy. A fresh one takes its place when that is due: in the same world, with the same name, so that it
 * gets the orders and probes of the one before. Guarded by its lock.
 */
final class CurrentCopy {
    private final TargetSurvey target;
    private final Stage stage;
    private final CloneDriver driver;
    private final DebugSettings settings;
    private final FileLedger ledger;
    private final SessionProgress progress;
    private final CountDownLatch stopped;
    private final CopyOccasion occasion;
    private final String name;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable DebugCopy copy;
    private boolean isClosed;

    CurrentCopy(TargetSurvey target, SessionScene scene, Stage stage, CopyOccasion occasion) {
        this.target = target;
        this.stage = stage;
        this.driver = scene.driver();
        this.settings = scene.settings();
        this.ledger = scene.ledger();
        this.progress = scene.progress();
        this.stopped = scene.stopped();
        this.occasion = occasion;
        this.name = occasion.agent(ledger.session());
    }

    /** Makes the first one, and gives it what clients send. */
    void make() throws CloneException, ProgramFailure, IOException, InterruptedException {
        lock.lock();
        try {
            stage.awaitSnapshot();
            Taken taken = snapshot();
            if (!taken.snapshot().suspension().isZero()) {
                progress.reached(SessionStep.SNAPSHOT, cost(taken.snapshot()));
            }
            DebugCopy made = start(taken.snapshot());
            progress.reached(SessionStep.COPIED, "process " + made.pid() + ", " + made.state());
            observe(made, AgentRun.NONE);
            progress.reached(SessionStep.OBSERVED, name);
            playBefore(taken.moment());
            stage.begin(taken.moment());
            progress.reached(SessionStep.LIVE, "");
        } finally {
            lock.unlock();
        }
    }

    /** A copy with production's memory has all of that already. */
    private void playBefore(StopTime moment) throws IOException, InterruptedException {
        if (driver.state() != CopyState.LIVE) {
            String played = occasion.before().play(stage.world(), moment.answered());
            if (!played.isEmpty()) {
                progress.line(played);
            }
        } else if (occasion.before() != CopyOccasion.RecordedTraffic.NONE) {
            stage.forget(moment);
        }
    }

    /**
     * Makes a fresh one in place of the one that runs, which goes on if there is no snapshot.
     *
     * @throws IOException if that failed; the message says whether there still is a copy
     */
    void renew(int epoch, String cause) throws IOException, InterruptedException {
        lock.lock();
        try {
            if (isClosed) {
                throw new IOException("the copy before has been removed");
            }
            if (!driver.canRenew()) {
                throw new IOException(
                        "a container's copy can't be replaced (expected: a process's); end the session and begin anew");
            }
            progress.line("a fresh copy is made (" + cause.toLowerCase(Locale.ROOT) + ")");
            long began = System.nanoTime();
            // what came since the sidecar cut its input is in the snapshot, but for what is under way
            stage.tee("off");
            stage.awaitSnapshot();
            Taken taken = snapshotOrGoOn();
            AgentRun before = agent();
            DebugCopy made = start(taken.snapshot());
            observe(made, before);
            stage.begin(taken.moment());
            progress.line(String.format(
                    Locale.ROOT,
                    "epoch %d: a fresh copy has taken the place, process %d, after %.1f s%s",
                    epoch,
                    made.pid(),
                    (System.nanoTime() - began) / 1e9,
                    taken.snapshot().suspension().isZero() ? "" : "; production: " + cost(taken.snapshot())));
        } catch (CloneException | ProgramFailure failed) {
            progress.line("no fresh copy: " + failed.getMessage());
            throw new IOException(failed.getMessage(), failed);
        } finally {
            lock.unlock();
        }
    }

    private record Taken(ServiceSnapshot snapshot, StopTime moment) {}

    private Taken snapshotOrGoOn() throws CloneException, IOException, InterruptedException {
        Taken taken = null;
        try {
            taken = snapshot();
            return taken;
        } catch (CloneException failed) {
            progress.line("the copy before goes on: " + failed.getMessage());
            throw failed;
        } finally {
            if (taken == null) {
                long now = System.nanoTime();
                stage.begin(new StopTime(now, now));
            }
        }
    }

    private Taken snapshot() throws CloneException, InterruptedException {
        try (FreezeWatch freeze = FreezeWatch.start(target.process())) {
            ServiceSnapshot snapshot = driver.snapshot(target.process(), settings.limits(), ledger);
            return new Taken(snapshot, freeze.end(snapshot.suspension()));
        }
    }

    private static String cost(ServiceSnapshot snapshot) {
        return String.format(
                Locale.ROOT,
                "it stood still for %.2f s, %d MiB",
                snapshot.suspension().toMillis() / 1e3,
                snapshot.bytes() >> 20);
    }

    /** The agent that reports under the copy's name, before there is another. */
    private AgentRun agent() throws InterruptedException {
        try {
            return stage.control().agent(name);
        } catch (IOException late) {
            return AgentRun.NONE;
        }
    }

    /** In the place of the one before, whose addresses it has. */
    private DebugCopy start(ServiceSnapshot snapshot)
            throws CloneException, ProgramFailure, IOException, InterruptedException {
        try {
            stage.check();
            destroy();
            DebugCopy made = driver.restore(snapshot, stage.world(), names(), stage.agent(name), ledger);
            copy = made;
            return made;
        } finally {
            driver.delete(snapshot, ledger);
        }
    }

    private void observe(DebugCopy made, AgentRun before) throws CloneException, ProgramFailure, InterruptedException {
        if (!driver.startsAgent()) {
            AgentLoad.into(made, target.process(), stage.agent(name), name, before, stage.control());
        } else if (CopyStart.await(
                made, target.copiedPorts(), settings.startLimit(), () -> driver.output(made), progress, stopped)) {
            AgentLoad.awaitReport(name, before, stage.control());
        }
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

    /** Why there is none any more; "" while it runs, or while another is made. */
    String end() {
        if (!lock.tryLock()) {
            return "";
        }
        try {
            DebugCopy current = copy;
            if (current == null) {
                return "the copy couldn't be replaced, and is gone";
            }
            return current.isAlive()
                    ? ""
                    : "the copy has ended: process " + current.pid() + "; see its own log"
                            + (driver.startsAgent() ? CopyStart.last(() -> driver.output(current)) : "");
        } finally {
            lock.unlock();
        }
    }

    private void destroy() throws InterruptedException {
        DebugCopy before = copy;
        copy = null;
        if (before != null) {
            driver.destroy(before, ledger);
        }
    }

    /** Ends it; a fresh one that is under way is awaited. */
    void remove() throws InterruptedException {
        lock.lock();
        try {
            isClosed = true;
            destroy();
        } finally {
            lock.unlock();
        }
    }
}
