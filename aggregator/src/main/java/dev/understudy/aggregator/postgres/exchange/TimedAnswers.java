package dev.understudy.aggregator.postgres.exchange;

import dev.understudy.aggregator.fact.AnswerTimeline;
import dev.understudy.divergence.wire.postgres.PgMessage;
import java.util.Objects;

/** What PostgreSQL's server answered to requests that use up nothing, by time. */
public final class TimedAnswers {
    private TimedAnswers() {}

    /** Results of queries that every session may be given. */
    public static final class OfQuery extends AnswerTimeline<PgResult> {
        /** None yet. */
        public OfQuery() {
            super(PgResult::bytes);
        }

        @Override
        protected boolean equal(PgResult one, PgResult other) {
            return one.answer() == other.answer()
                    && one.formats().equals(other.formats())
                    && Objects.equals(one.columns(), other.columns());
        }
    }

    /** How a statement that concerns its session ended: CommandComplete, or ErrorResponse. */
    public static final class OfSession extends AnswerTimeline<PgMessage> {
        /** None yet. */
        public OfSession() {
            super(message -> message.body().length);
        }

        @Override
        protected boolean equal(PgMessage one, PgMessage other) {
            return one.equals(other);
        }
    }
}
