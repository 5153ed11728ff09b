package dev.understudy.aggregator.postgres.record;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.journal.Match;
import dev.understudy.aggregator.postgres.exchange.PgReply;
import dev.understudy.aggregator.postgres.sql.PgForms;
import dev.understudy.aggregator.postgres.sql.PgSessionState;
import dev.understudy.aggregator.postgres.sql.PgStatementKind;
import dev.understudy.divergence.wire.postgres.PgMessage;
import dev.understudy.divergence.wire.postgres.PgWriter;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** While production's server is busy with a statement, the debug side's is known to be under way. */
class RequestUnderWayTest extends PgRecorderStage {
    private static final String SLOW = "SELECT pg_sleep(60)";

    @Test
    void queryThatIsntAnswered_isUnderWayUntilItIs() {
        start();
        client(query(SLOW), query("DELETE FROM t"));
        assertThat(why(SLOW)).contains("own call is under way");
        assertThat(why("DELETE FROM t")).doesNotContain("own call is under way");

        server(row("x"), tag("SELECT 1"), ready('I'));

        assertThat(why("DELETE FROM t")).contains("own call is under way");
        server(tag("DELETE 1"), ready('I'));
        assertThat(why("DELETE FROM t")).doesNotContain("own call is under way");
    }

    @Test
    void preparedStatement_isUnderWayBeforeTheServerHasConfirmedIt() {
        start();
        client(parse(SLOW), bind(), execute(), SYNC);
        assertThat(why(SLOW)).contains("own call is under way");
        server(message('1'), message('2'), row("x"), tag("SELECT 1"), ready('I'));
        assertThat(why(SLOW)).isEqualTo("recorded");
    }

    @Test
    void statementThatWasPreparedBefore_isUnderWayUntilItIsRefused() {
        start();
        client(parse(SLOW), SYNC);
        server(message('1'), ready('I'));
        assertThat(why(SLOW)).doesNotContain("own call is under way");
        client(bind(), execute(), SYNC);
        assertThat(why(SLOW)).contains("own call is under way");
        server(
                new PgWriter()
                        .string("SERROR")
                        .string("C57014")
                        .string("Mcancelled")
                        .int8(0)
                        .toMessage('E'),
                ready('I'));
        assertThat(why(SLOW)).doesNotContain("own call is under way");
    }

    @Test
    void connectionThatIsGivenUp_hasNothingUnderWay() {
        start();
        client(query(SLOW));
        assertThat(why(SLOW)).contains("own call is under way");
        server(new PgMessage('Z', new byte[2]));
        assertThat(why(SLOW)).doesNotContain("own call is under way");
    }

    private String why(String sql) {
        List<Match<PgReply>> found = new ArrayList<>();
        Form form = PgForms.statement(new PgSessionState("u", "", ""), sql, PgStatementKind.of(sql));
        journal.take(form, 0, ImmediateEventExecutor.INSTANCE, found::add);
        return found.get(0) instanceof Match.Miss<PgReply> miss ? miss.why() : "recorded";
    }

    private static PgMessage query(String sql) {
        return new PgWriter().string(sql).toMessage('Q');
    }
}
