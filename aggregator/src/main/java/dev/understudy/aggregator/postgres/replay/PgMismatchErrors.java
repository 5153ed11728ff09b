package dev.understudy.aggregator.postgres.replay;

import dev.understudy.aggregator.fault.Fault;
import dev.understudy.aggregator.fault.Injection;
import dev.understudy.aggregator.journal.Match;
import dev.understudy.aggregator.postgres.exchange.PgReply;
import dev.understudy.divergence.wire.postgres.PgErrors;
import dev.understudy.divergence.wire.postgres.PgMessage;

/**
 * The errors of our own. Their SQLSTATEs are of the class {@code UD}, which the standard leaves to implementations: no
 * driver or pool takes them for a broken connection ({@code 08…}, {@code 57P0…}; HikariCP also {@code 0A000}), and none
 * retries them ({@code 40…}).
 */
final class PgMismatchErrors {
    /** Nothing recorded fits. */
    static final String NOT_RECORDED = "UD001";

    /** What PostgreSQL says where its memory is short, which no driver takes for a broken connection either. */
    static final String OUT_OF_MEMORY = "53200";

    private PgMismatchErrors() {}

    static PgMessage miss(Match.Miss<?> miss) {
        return PgErrors.error(
                NOT_RECORDED,
                "understudy has no recorded reply for: " + miss.form().text(),
                miss.why(),
                miss.nearest().isEmpty() ? null : "nearest recorded: " + String.join(" | ", miss.nearest()));
    }

    /** An error on purpose. */
    static PgMessage injected(Fault.ErrorReply error, Injection injection) {
        return PgErrors.error(error.code(), injection.says(error), null, null);
    }

    static PgMessage notPresentable(String why) {
        return PgErrors.error(PgReply.NOT_PRESENTABLE, "understudy can't give the recorded reply: " + why, null, null);
    }

    static PgMessage outOfMemory() {
        return PgErrors.error(OUT_OF_MEMORY, "out of memory", "Debug connections hold as much as they may.", null);
    }

    static PgMessage failedTransaction() {
        return PgErrors.error(
                PgErrors.IN_FAILED_TRANSACTION,
                "current transaction is aborted, commands ignored until end of transaction block",
                null,
                null);
    }

    static PgMessage cancelled() {
        return PgErrors.error("57014", "canceling statement due to user request", null, null);
    }
}
