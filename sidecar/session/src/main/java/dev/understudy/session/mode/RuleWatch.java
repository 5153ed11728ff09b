package dev.understudy.session.mode;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.session.clone.CloneException;
import dev.understudy.session.debug.CopyOccasion;
import dev.understudy.session.debug.SessionScene;
import dev.understudy.session.debug.TapSession;
import dev.understudy.session.ledger.Sessions;
import dev.understudy.session.outcome.OutcomeTrace;
import dev.understudy.session.program.ProgramFailure;
import dev.understudy.session.program.SidecarControl.Outcome;
import dev.understudy.session.trigger.AlertPort;
import dev.understudy.session.trigger.RuleBook;
import dev.understudy.session.trigger.RuleBook.Firing;
import dev.understudy.session.trigger.RuleConditions;
import dev.understudy.session.trigger.WatchRules;
import dev.understudy.session.trigger.WatchRules.AlertSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Waits for rules, and has a copy made whenever one of them fires. Confined to its session's thread. */
public final class RuleWatch implements TapSession.TapWatch {
    private static final long PAUSE_MILLIS = 500;

    private final WatchRules rules;
    private final Clock clock;
    private int copies;

    /** @param clock of schedules, cool-downs and caps */
    public RuleWatch(WatchRules rules, Clock clock) {
        this.rules = rules;
        this.clock = clock;
    }

    @Override
    public Optional<Outcome> watch(TapSession session) throws ProgramFailure, IOException, InterruptedException {
        RuleBook book = new RuleBook(rules.rules(), clock);
        SessionScene scene = session.scene();
        Path status = scene.ledger().directory().resolve(Sessions.RULES);
        Optional<Outcome> last = Optional.empty();
        RecordedMinutes minutes = new RecordedMinutes(
                session.control(),
                session.ports(),
                session.recordings(),
                rules.recording(),
                scene.stopped(),
                scene.progress()::line);
        AlertSettings alerts = rules.alerts();
        try (RuleConditions conditions = new RuleConditions(book, clock, System.nanoTime());
                @Nullable AlertPort port = alerts == null ? null : AlertPort.open(alerts, book)) {
            // what clients send from the next line on is recorded
            look(minutes, conditions, scene);
            scene.progress()
                    .line("watching " + rules.rules().size() + " rules"
                            + (port == null ? "" : "; alerts: http:/" + port.address() + "/v1/alerts"));
            while (!scene.stopped().await(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
                if (!session.check()) {
                    scene.progress().line("production has ended");
                    break;
                }
                look(minutes, conditions, scene);
                Files.write(status, new ObjectMapper().writeValueAsBytes(book.document()));
                Optional<Firing> firing = book.take();
                if (firing.isPresent()) {
                    last = copy(session, firing.get(), minutes);
                    conditions.forget(System.nanoTime());
                    book.done();
                }
            }
        } finally {
            Files.deleteIfExists(status);
        }
        return last;
    }

    /** On a busy machine the sidecar may be late; alerts and logs are looked at all the same. */
    private static void look(RecordedMinutes minutes, RuleConditions conditions, SessionScene scene)
            throws IOException, InterruptedException {
        try {
            minutes.tick();
        } catch (IOException late) {
            scene.progress().live("the recording isn't renewed: " + late.getMessage());
        }
        conditions.look(minutes.all(), System.nanoTime());
    }

    /** One that can't be made doesn't end the watch: the next may, unless a program of the session has ended. */
    private Optional<Outcome> copy(TapSession session, Firing firing, RecordedMinutes minutes)
            throws InterruptedException {
        SessionScene scene = session.scene();
        String trace = OutcomeTrace.id();
        scene.progress().line("rule " + firing.rule().name() + " fired: " + firing.why() + "; trace " + trace);
        try {
            session.control().alert(firing.rule().name(), firing.why(), trace);
        } catch (IOException late) {
            scene.progress().line("the console isn't told of it: " + late.getMessage());
        }
        try {
            return Optional.of(
                    session.copy(new CopyOccasion(++copies, firing.rule().name(), trace, firing.at(), minutes)));
        } catch (CloneException | ProgramFailure | IOException failed) {
            scene.progress().line("no copy this time: " + failed.getMessage());
            return Optional.empty();
        }
    }
}
