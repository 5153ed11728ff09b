package dev.understudy.session.debug;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.session.clone.CloneDriver;
import dev.understudy.session.clone.CloneException;
import dev.understudy.session.ledger.FileLedger;
import dev.understudy.session.network.NetworkFailure;
import dev.understudy.session.outcome.Certainty;
import dev.understudy.session.outcome.OutcomeDelivery;
import dev.understudy.session.outcome.SessionFindings;
import dev.understudy.session.plan.EncryptedUpstreams;
import dev.understudy.session.plan.LiveUpstreams;
import dev.understudy.session.program.AggregatorProgram.CopyCalls;
import dev.understudy.session.program.ProgramFailure;
import dev.understudy.session.program.SidecarControl.Outcome;
import dev.understudy.session.target.TargetSurvey;
import dev.understudy.session.target.survey.UpstreamConnections;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * One session, from a running service to its report: a stage is set around production, a copy is made and observed, and
 * all of it is removed again. Whatever goes wrong, what was made is removed, and production runs on.
 */
public final class DebugSession {
    private static final Duration LIVE = Duration.ofSeconds(1);
    /** The ranking is looked at less often: it is computed anew for that. */
    private static final int LOOK_EVERY = 3;

    private final TargetSurvey target;
    private final SessionScene scene;
    private final CloneDriver driver;
    private final DebugSettings settings;
    private final FileLedger ledger;
    private final SessionProgress progress;
    private final CountDownLatch stopped;
    private final CopyOccasion occasion;

    /** A session that hasn't begun. */
    public DebugSession(TargetSurvey target, SessionScene scene) {
        this(target, scene, CopyOccasion.begin());
    }

    /** One that makes its copy for a reason. */
    DebugSession(TargetSurvey target, SessionScene scene, CopyOccasion occasion) {
        this.target = target;
        this.scene = scene;
        this.driver = scene.driver();
        this.settings = scene.settings();
        this.ledger = scene.ledger();
        this.progress = scene.progress();
        this.stopped = scene.stopped();
        this.occasion = occasion;
    }

    /**
     * Runs until it is stopped, its time is over, or one of its parts ends. All that was made is removed then, but for
     * the report.
     *
     * @return the report's exit code and sentences
     */
    public Outcome run() throws CloneException, NetworkFailure, ProgramFailure, IOException, InterruptedException {
        progress.line("session " + ledger.session() + "  " + ledger.target() + ", copy " + driver.state() + " by "
                + driver.name());
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
        EncryptedUpstreams.notes(target.recordedUpstreams()).forEach(note -> progress.line("note: " + note));
        LiveUpstreams.warnings(target.upstreams()).forEach(warning -> progress.line("warning: " + warning));
        try {
            return observe(stage);
        } catch (CloneException | ProgramFailure | IOException failed) {
            // before the wait for production's connections, which may be long
            progress.line("ending: " + failed.getMessage());
            dropInput(stage);
            throw failed;
        }
    }

    /** What is kept for a copy that won't come would keep the sidecar from its end. */
    static void dropInput(Stage stage) throws InterruptedException {
        try {
            stage.tee("off");
        } catch (IOException gone) {
            // then nothing is kept, either
        }
    }

    private Outcome observe(Stage stage) throws CloneException, ProgramFailure, IOException, InterruptedException {
        CurrentCopy copy = new CurrentCopy(target, scene, stage, occasion);
        try {
            copy.make();
            stage.renewals(copy::renew);
            announce(stage);
            follow(stage, copy);
            stage.tee("off");
            report(stage.calls());
            return delivered(stage);
        } finally {
            copy.remove();
        }
    }

    private void report(CopyCalls calls) {
        if (calls.live() > 0) {
            progress.line("the copy read " + calls.live() + " times from live upstreams");
        }
        if (calls.missed() > 0) {
            progress.line("the copy asked upstreams " + calls.missed()
                    + " times for what isn't recorded: it got an error each time");
        }
        if (calls.notLetThrough() > 0) {
            progress.line("of these, live upstreams didn't get " + calls.notLetThrough()
                    + ", as they aren't known to only read");
        }
    }

    /** How to look at it. In a container's network that is possible from in there only. */
    private void announce(Stage stage) throws IOException, InterruptedException {
        Path own = Path.of("/proc/self/ns/mnt");
        Path targets = Path.of("/proc", Long.toString(target.process().pid()), "ns", "mnt");
        String entrance = Files.readSymbolicLink(own).equals(Files.readSymbolicLink(targets))
                ? ""
                : "; each by: nsenter --net=/proc/" + target.process().pid() + "/ns/net COMMAND";
        String link = stage.control().consoleLink();
        if (!link.isEmpty()) {
            progress.line("console, for one minute: " + link + "; later: understudy console");
        }
        if (settings.debugger() > 0) {
            String address = stage.world().copys().getHostAddress() + ":" + settings.debugger();
            progress.line("debugger: " + address + ", or understudy ide --address " + address + entrance);
        }
        progress.line("for other commands: . " + stage.environmentFile() + entrance);
    }

    private Outcome delivered(Stage stage) throws IOException, InterruptedException {
        JsonNode suspects = stage.control().suspects();
        Outcome outcome = stage.control().report(settings.page(), settings.reportOptions());
        SessionFindings findings = new SessionFindings(
                ledger.session(),
                ledger.target(),
                driver.state().name(),
                occasion.cause(),
                occasion.trace(),
                occasion.begun(),
                Instant.now(),
                outcome.code(),
                outcome.text(),
                settings.page(),
                suspects);
        for (String said : new OutcomeDelivery(settings.outcome()).deliver(findings)) {
            progress.line(said);
        }
        return outcome;
    }

    private void follow(Stage stage, CurrentCopy copy) throws ProgramFailure, IOException, InterruptedException {
        Duration lasting = settings.lasting();
        long over = System.nanoTime() + (lasting == null ? Long.MAX_VALUE / 2 : lasting.toNanos());
        Certainty certainty = new Certainty();
        int looks = 0;
        while (!stopped.await(LIVE.toMillis(), TimeUnit.MILLISECONDS)) {
            stage.check();
            String end = copy.end();
            if (!end.isEmpty()) {
                progress.line(end);
                return;
            }
            if (!target.process().isAlive()) {
                progress.line(
                        "production has ended: process " + target.process().pid());
                return;
            }
            if (System.nanoTime() - over > 0) {
                return;
            }
            try {
                if (settings.untilCertain()
                        && looks++ % LOOK_EVERY == 0
                        && certainty.look(stage.control().suspects())) {
                    progress.line("the first suspect is certain: " + certainty.first());
                    return;
                }
                progress.live(LiveLine.of(stage.control().status(), stage.calls()));
            } catch (IOException late) {
                // on a busy machine; a program that hangs is noticed by the stage
            }
        }
    }
}
