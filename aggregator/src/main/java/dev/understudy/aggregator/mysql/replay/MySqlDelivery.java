package dev.understudy.aggregator.mysql.replay;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.mysql.exchange.LargeRows;
import dev.understudy.aggregator.mysql.exchange.MySqlReply;
import dev.understudy.aggregator.mysql.sql.MySqlSession;
import dev.understudy.aggregator.replay.UpstreamReplay;
import dev.understudy.divergence.wire.mysql.result.Result;
import dev.understudy.divergence.wire.mysql.result.ResultWriter;
import dev.understudy.divergence.wire.mysql.result.Rows;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gives answers to the debug client: what is in memory at once, what lies in files as fast as it reads. Confined to its
 * event loop.
 */
final class MySqlDelivery {
    private static final String LOST = "the rest of it can't be read back from disk";

    private final UpstreamReplay<MySqlReply> replay;
    private final MySqlSession session;
    private final MySqlOutlet outlet;
    private @Nullable FiledRows underway;

    MySqlDelivery(UpstreamReplay<MySqlReply> replay, MySqlSession session, MySqlOutlet outlet) {
        this.replay = replay;
        this.session = session;
        this.outlet = outlet;
    }

    /** Writes for a client with these capabilities. */
    ResultWriter writer() {
        return new ResultWriter(session.agreed(), outlet::write);
    }

    /** Gives all results; {@code done} is told once they are written, at once or later. */
    void give(MySqlAnswer answer, Form form, Runnable done) {
        LargeRows elsewhere = answer.elsewhere();
        if (elsewhere == null) {
            writer().write(answer.results());
            done.run();
        } else {
            underway = new FiledRows(elsewhere.body(), outlet);
            give(answer.results(), 0, elsewhere, form, done);
        }
    }

    private void give(List<Result> results, int number, LargeRows elsewhere, Form form, Runnable done) {
        FiledRows filed = underway;
        if (filed == null) {
            return;
        }
        if (number == results.size()) {
            closed();
            done.run();
            return;
        }
        Result result = results.get(number);
        boolean more = number + 1 < results.size();
        writer().begin(result, more);
        filed.write(elsewhere.of(number), whole -> {
            if (!whole) {
                closed();
                unfit(filed, form);
                done.run();
                return;
            }
            if (result instanceof Rows rows) {
                rows.rows().forEach(outlet::write);
            }
            writer().end(result, more);
            give(results, number + 1, elsewhere, form, done);
        });
    }

    /** Says that the rest of these rows can't be given, where there is a place to say it. */
    void unfit(FiledRows rows, Form form) {
        if (rows.inRow()) {
            replay.unfit(form, LOST);
            outlet.close();
        } else {
            unfit(form, LOST);
        }
    }

    /** The recorded reply can't be given. */
    void unfit(Form form, String why) {
        replay.unfit(form, why);
        outlet.write(MySqlMismatchErrors.notPresentable(why));
    }

    void closed() {
        if (underway != null) {
            underway.close();
            underway = null;
        }
    }
}
