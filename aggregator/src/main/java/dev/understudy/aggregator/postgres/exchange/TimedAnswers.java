package dev.understudy.aggregator.postgres.exchange;

import dev.understudy.aggregator.fact.AnswerTimeline;
import dev.understudy.divergence.wire.postgres.PgMessage;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

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
            return one.answer() == other.answer() && alike(one, other);
        }

        @Override
        protected @Nullable PgResult common(PgResult one, PgResult other) {
            if (equal(one, other) || (alike(one, other) && begins(other, one))) {
                return one;
            }
            return alike(one, other) && begins(one, other) ? other : null;
        }

        private static boolean alike(PgResult one, PgResult other) {
            return one.formats().equals(other.formats()) && Objects.equals(one.columns(), other.columns());
        }

        /** Whether production read only the beginning of {@code whole} as {@code part}. */
        private static boolean begins(PgResult part, PgResult whole) {
            int rows = part.rows().size();
            return part.end().type() == 's'
                    && whole.end().type() != 'E'
                    && rows <= whole.rows().size()
                    && whole.rows().subList(0, rows).equals(part.rows());
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
