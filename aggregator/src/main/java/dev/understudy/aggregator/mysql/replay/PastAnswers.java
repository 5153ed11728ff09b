package dev.understudy.aggregator.mysql.replay;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.PendingRequest;
import dev.understudy.aggregator.fact.AnswerTimeline;
import dev.understudy.aggregator.fact.ServerFacts;
import dev.understudy.aggregator.mysql.exchange.MySqlReply;
import dev.understudy.aggregator.mysql.exchange.MySqlTimelines;
import dev.understudy.aggregator.mysql.exchange.Preparation;
import dev.understudy.aggregator.sql.ReplayPosition;
import io.netty.util.concurrent.EventExecutor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What production's server answered, at the time that one debug session has come to, to requests that use up nothing.
 * Confined to the connection's event loop.
 */
final class PastAnswers {
    private final EventExecutor executor;
    private final ServerFacts facts;
    private final ReplayPosition position;

    PastAnswers(EventExecutor executor, ServerFacts facts, ReplayPosition position) {
        this.executor = executor;
        this.facts = facts;
        this.position = position;
    }

    /** The session was given a reply that production had at this time. */
    void reached(long endNanos) {
        position.reached(endNanos);
    }

    /** What became of a statement that concerns its session only; null if nothing is known of it. */
    @Nullable
    MySqlReply ofSession(Form form) {
        return now(facts.known(form, MySqlTimelines.OfSession.class));
    }

    /** The answer to a command of the protocol, empty for a mere OK; null if nothing is known of it. */
    byte @Nullable [] ofCommand(Form form) {
        return now(facts.known(form, MySqlTimelines.OfCommand.class));
    }

    /** Whether a catalogue query was answered. */
    boolean knowsCatalogue(Form form) {
        return facts.known(form, MySqlTimelines.OfCatalogue.class) != null;
    }

    /** Gives the answer to a catalogue query, at once or later; null if none has come in that time. */
    PendingRequest ofCatalogue(Form form, long patience, Consumer<@Nullable MySqlReply> then) {
        return facts.await(
                form, MySqlTimelines.OfCatalogue.class, executor, patience, known -> then.accept(now(known)));
    }

    /**
     * Gives what became of preparing a statement, at once or later; null if nothing is known of it by then. What was
     * refused before may be taken meanwhile: that is waited for.
     */
    PendingRequest ofPreparation(Form form, long patience, Consumer<@Nullable Preparation> then) {
        return facts.await(
                form,
                MySqlTimelines.OfPreparation.class,
                known -> known.goesOn(position.nanos()) || !refuses(known),
                executor,
                patience,
                known -> then.accept(
                        now(known == null ? facts.known(form, MySqlTimelines.OfPreparation.class) : known)));
    }

    private static boolean refuses(MySqlTimelines.OfPreparation known) {
        Preparation latest = known.latest();
        return latest != null && latest.error() != null;
    }

    private <T> @Nullable T now(@Nullable AnswerTimeline<T> known) {
        AnswerTimeline.Timed<T> timed = known == null ? null : known.at(position.nanos());
        if (timed == null) {
            return null;
        }
        position.passed(timed.until());
        return timed.answer();
    }
}
