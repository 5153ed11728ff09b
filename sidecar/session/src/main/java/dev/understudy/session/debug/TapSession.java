package dev.understudy.session.debug;

import dev.understudy.session.clone.CloneException;
import dev.understudy.session.network.NetworkFailure;
import dev.understudy.session.program.ProgramFailure;
import dev.understudy.session.program.SidecarControl;
import dev.understudy.session.program.SidecarControl.Outcome;
import dev.understudy.session.target.ListeningPort;
import dev.understudy.session.target.TargetSurvey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A session that only listens in, until somebody has it make a copy. Confined to one thread; all that was made is
 * removed when it ends.
 */
public final class TapSession {
    private final TargetSurvey target;
    private final SessionScene scene;
    private final Stage stage;

    private TapSession(TargetSurvey target, SessionScene scene, Stage stage) {
        this.target = target;
        this.scene = scene;
        this.stage = stage;
    }

    /** What is done while it listens in. */
    @FunctionalInterface
    public interface TapWatch {
        /**
         * Runs until the session is to end.
         *
         * @return the last copy's outcome; empty if there was no copy
         */
        Optional<Outcome> watch(TapSession session)
                throws CloneException, ProgramFailure, IOException, InterruptedException;
    }

    /** Runs it. */
    public static Optional<Outcome> run(TargetSurvey target, SessionScene scene, TapWatch watch)
            throws CloneException, NetworkFailure, ProgramFailure, IOException, InterruptedException {
        scene.progress()
                .line("session " + scene.ledger().session() + "  "
                        + scene.ledger().target() + ", no copy until a rule fires");
        try (Stage stage = Stage.set(target, scene)) {
            try {
                return watch.watch(new TapSession(target, scene, stage));
            } finally {
                stage.release(scene.hurried());
            }
        }
    }

    /** Makes a copy, observes it, and removes it again; what is listened to goes on meanwhile. */
    public Outcome copy(CopyOccasion occasion)
            throws CloneException, ProgramFailure, IOException, InterruptedException {
        try {
            return new DebugSession(target, scene.again(), occasion).observed(stage);
        } finally {
            DebugSession.dropInput(stage);
        }
    }

    /** Whether the session is to end. */
    public boolean isStopped() {
        return scene.stopped().getCount() == 0;
    }

    /** Makes sure that production, and all that listens in, is still there; false if production has ended. */
    public boolean check() throws ProgramFailure {
        stage.check();
        return target.process().isAlive();
    }

    /** What is printed. */
    public SessionScene scene() {
        return scene;
    }

    /** What the sidecar is asked by. */
    public SidecarControl control() {
        return stage.control();
    }

    /** The ports that are listened to. */
    public List<ListeningPort> ports() {
        return target.copiedPorts();
    }

    /** Where their recordings are. */
    public Path recordings() {
        return stage.recordings();
    }
}
