package dev.understudy.aggregator.postgres.replay;

import dev.understudy.aggregator.postgres.exchange.PgResult;
import dev.understudy.aggregator.postgres.exchange.PgScript;
import dev.understudy.divergence.wire.postgres.PgMessage;

/** What a debug session has to say to one statement. */
sealed interface PgAnswer {
    /** Memory that it takes. */
    long bytes();

    /** A result, recorded or of our own. */
    record Result(PgResult result) implements PgAnswer {
        @Override
        public long bytes() {
            return result.bytes();
        }
    }

    /** A recorded reply that is given message by message. */
    record Verbatim(PgScript script) implements PgAnswer {
        @Override
        public long bytes() {
            return script.bytes();
        }
    }

    /** An error of our own. */
    record Refusal(PgMessage error) implements PgAnswer {
        @Override
        public long bytes() {
            return error.body().length;
        }
    }
}
