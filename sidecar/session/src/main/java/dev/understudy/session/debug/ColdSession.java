package dev.understudy.session.debug;

import dev.understudy.session.clone.CloneException;
import dev.understudy.session.ledger.FileLedger;
import dev.understudy.session.network.NetworkFailure;
import dev.understudy.session.program.ProgramFailure;
import dev.understudy.session.program.SidecarControl.Outcome;
import dev.understudy.session.target.TargetException;
import dev.understudy.session.target.TargetSurvey;
import dev.understudy.session.target.UpstreamAddress;
import dev.understudy.session.target.survey.TargetSurveyor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A session that starts production, too. Its upstreams are recorded before it begins, so that they answer what the copy
 * asks at its own start.
 */
public final class ColdSession {
    private final SessionScene scene;
    private final List<String> command;
    private final String user;
    private final List<UpstreamAddress> upstreams;
    private final TargetSurveyor surveyor;
    private final Path log;

    /**
     * A session that hasn't begun.
     *
     * @param user as whom the command runs; "" for this user
     * @param upstreams those that are recorded
     * @param log gets what the command prints
     */
    public ColdSession(
            SessionScene scene,
            List<String> command,
            String user,
            List<UpstreamAddress> upstreams,
            TargetSurveyor surveyor,
            Path log) {
        this.scene = scene;
        this.command = List.copyOf(command);
        this.user = user;
        this.upstreams = List.copyOf(upstreams);
        this.surveyor = surveyor;
        this.log = log;
    }

    /**
     * Runs until it is stopped, its time is over, or one of its parts ends; production is ended then, too.
     *
     * @return the report's exit code and sentences; empty if it was stopped before there was a copy
     */
    public Optional<Outcome> run()
            throws TargetException, CloneException, NetworkFailure, ProgramFailure, IOException, InterruptedException {
        SessionProgress progress = scene.progress();
        FileLedger ledger = scene.ledger();
        progress.line("session " + ledger.session() + "  " + command.get(0) + ", copy "
                + scene.driver().state() + " by " + scene.driver().name());
        try (Stage stage = Stage.record(upstreams, ColdStart.uid(user), scene)) {
            try (ColdStart production = ColdStart.of(command, user, log, progress, scene.hurried())) {
                progress.line("production's output: " + log);
                Optional<TargetSurvey> found =
                        production.await(surveyor, scene.settings().startLimit(), scene.stopped());
                if (found.isEmpty()) {
                    return Optional.empty();
                }
                TargetSurvey target = recorded(found.get());
                progress.reached(
                        SessionStep.STARTED, "process " + target.process().pid());
                stage.serve(target);
                return Optional.of(new DebugSession(target, scene).observed(stage));
            } finally {
                stage.release(scene.hurried());
            }
        }
    }

    /** What it is connected to without having been named isn't recorded, and not reached by the copy. */
    private TargetSurvey recorded(TargetSurvey found) {
        Set<InetSocketAddress> named =
                upstreams.stream().map(UpstreamAddress::address).collect(Collectors.toSet());
        List<String> others = found.recordedUpstreams().stream()
                .map(UpstreamAddress::address)
                .filter(address -> !named.contains(address))
                .map(address -> address.getAddress().getHostAddress() + ":" + address.getPort())
                .toList();
        if (!others.isEmpty()) {
            scene.progress()
                    .line("note: not recorded, and not reached by the copy: " + String.join(", ", others)
                            + "; name them by --upstream HOST:PORT");
        }
        return new TargetSurvey(
                found.process(),
                found.namespaces(),
                found.jvm(),
                found.residentBytes(),
                found.threads(),
                found.ports(),
                upstreams,
                found.unixPeers(),
                found.files(),
                found.notes());
    }
}
