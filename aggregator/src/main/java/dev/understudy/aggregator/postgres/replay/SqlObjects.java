package dev.understudy.aggregator.postgres.replay;

import dev.understudy.aggregator.postgres.sql.PgForms;
import dev.understudy.aggregator.postgres.sql.PreparedNames;
import dev.understudy.divergence.wire.postgres.PgErrors;
import dev.understudy.divergence.wire.postgres.PgMessage;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Statements and portals that a client names and hasn't made by the protocol: SQL may have. What production's server
 * said of such a portal is looked up; of such a statement nothing is recorded. Confined to the connection's event loop.
 */
final class SqlObjects {
    private final PgAnswers answers;
    private final PgOutlet outlet;
    private boolean prepares;

    SqlObjects(PgAnswers answers, PgOutlet outlet) {
        this.answers = answers;
        this.outlet = outlet;
    }

    /** The client has sent this text. */
    void sent(String sql) {
        prepares = prepares || PreparedNames.mayPrepare(sql);
    }

    /** The error for a statement that isn't known. */
    PgMessage noStatement(String name) {
        return prepares && !name.isEmpty()
                ? answers.unasked(
                        "statement", "the statement that SQL prepared as ", name, "such statements aren't recorded")
                : PgErrors.error("26000", "prepared statement \"" + name + "\" does not exist", null, null);
    }

    /** Describes a portal, or executes it; {@code then} gets the error that is the answer, or null. */
    void portal(PgForms.PortalStep step, String name, Consumer<@Nullable PgMessage> then) {
        if (name.isEmpty()) {
            then.accept(PgErrors.error("34000", "portal \"\" does not exist", null, null));
            return;
        }
        answers.portal(step, name, answer -> {
            if (answer instanceof PgAnswer.Refusal refusal) {
                then.accept(refusal.error());
            } else if (answer instanceof PgAnswer.Verbatim verbatim) {
                List<PgMessage> messages = verbatim.script().messages();
                PgMessage last = messages.isEmpty() ? null : messages.get(messages.size() - 1);
                boolean failed = last != null && last.type() == 'E';
                messages.stream().filter(one -> one.type() != 'E').forEach(outlet::write);
                then.accept(failed ? last : null);
            } else {
                then.accept(answers.unfit(name, "it is no portal's"));
            }
        });
    }
}
