package dev.understudy.aggregator.mysql.record;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.fact.ServerFacts;
import dev.understudy.aggregator.mysql.exchange.MySqlReply;
import dev.understudy.aggregator.mysql.exchange.MySqlTimelines;
import dev.understudy.aggregator.mysql.sql.Execution;
import dev.understudy.aggregator.mysql.sql.LongRest;
import dev.understudy.aggregator.mysql.sql.MySqlForms;
import dev.understudy.aggregator.mysql.sql.MySqlScript;
import dev.understudy.aggregator.mysql.sql.MySqlSession;
import dev.understudy.aggregator.record.Recording;
import dev.understudy.aggregator.record.Unrecorded;
import dev.understudy.divergence.wire.mysql.MySqlReader;
import dev.understudy.divergence.wire.mysql.PacketTaker;
import dev.understudy.divergence.wire.mysql.command.BoundValue;
import dev.understudy.divergence.wire.mysql.command.CommandCode;
import dev.understudy.divergence.wire.mysql.command.Execute;
import dev.understudy.divergence.wire.mysql.command.QueryText;
import dev.understudy.divergence.wire.mysql.command.UserChange;
import dev.understudy.divergence.wire.mysql.result.Ok;
import dev.understudy.divergence.wire.mysql.result.ResultReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Knows how the answer to each command looks, and what it means for the session. */
final class Commands {
    private static final int OK = 0x00;
    private static final int EOF = 0xfe;
    private static final int ERR = 0xff;

    private final Recording<MySqlReply> recording;
    private final ServerFacts facts;
    private final MySqlSession session;
    private final MySqlPublication publication;
    private final Statements statements = new Statements();

    Commands(Recording<MySqlReply> recording, ServerFacts facts, MySqlSession session) {
        this.recording = recording;
        this.facts = facts;
        this.session = session;
        this.publication = new MySqlPublication(recording, facts, session);
    }

    /** What reads the answer to this; null if nobody knows how that looks. */
    @Nullable
    Answering answering(MySqlRequest asked) {
        return switch (asked.code()) {
            case CommandCode.QUERY -> query(asked);
            case CommandCode.STMT_PREPARE -> prepare(asked);
            case CommandCode.STMT_EXECUTE, CommandCode.STMT_BULK_EXECUTE -> execute(asked);
            case CommandCode.STMT_FETCH -> fetch(asked);
            case CommandCode.STMT_RESET ->
                (payload, nanos) -> {
                    if (!refused(payload)) {
                        resetStatement(asked);
                    }
                    return true;
                };
            case CommandCode.INIT_DB -> single(asked, () -> session.use(MySqlForms.name(argument(asked))));
            case CommandCode.RESET_CONNECTION ->
                single(asked, () -> {
                    session.reset();
                    forget();
                });
            case CommandCode.SET_OPTION ->
                single(asked, () -> session.multiStatements(new MySqlReader(argument(asked)).int16() == 0));
            case CommandCode.PING, CommandCode.DEBUG, CommandCode.STATISTICS -> single(asked, () -> {});
            case CommandCode.CHANGE_USER -> changeUser(asked);
            case CommandCode.FIELD_LIST -> fields();
            case CommandCode.CREATE_DB, CommandCode.DROP_DB, CommandCode.REFRESH, CommandCode.PROCESS_KILL ->
                (payload, nanos) -> {
                    publication.dropped(Unrecorded.NOT_THE_PROTOCOL);
                    return true;
                };
            case CommandCode.PROCESS_INFO ->
                new UnknownAnswer(publication, new ResultReader(session.agreed(), List.of()));
            default -> null;
        };
    }

    /** A command to which the server says nothing. */
    void unanswered(MySqlRequest asked) {
        switch (asked.code()) {
            case CommandCode.STMT_CLOSE -> {
                MySqlStatement closed = statements.remove(Execute.statement(asked.payload()));
                if (closed != null) {
                    closeCursor(closed, asked.nanos());
                }
            }
            case CommandCode.STMT_SEND_LONG_DATA -> {
                MySqlStatement statement = statements.get(Execute.statement(asked.payload()));
                if (statement != null) {
                    statement.sent.add(asked.payload(), asked.rest());
                }
            }
            default -> {
                // QUIT: what follows is the end of the connection
            }
        }
    }

    /** The server has let the client in, or hasn't. */
    void loggedIn(byte[] payload, long nanos) {
        boolean refused = refused(payload);
        if (!refused || MySqlTimelines.refusesDatabase(payload)) {
            Form form = MySqlForms.database(MySqlForms.LOGIN, session.database());
            publication.answered(form, refused ? payload : new byte[0], nanos);
        }
    }

    /** An answer can't be read. */
    void lost() {
        publication.dropped(Unrecorded.NOT_THE_PROTOCOL);
        publication.mayHaveWritten();
    }

    long heldBytes() {
        return statements.heldBytes();
    }

    void closed(long nanos) {
        statements.all().forEach(statement -> closeCursor(statement, nanos));
        publication.closed();
    }

    private @Nullable Answering query(MySqlRequest asked) {
        QueryText query = QueryText.read(asked.payload(), session.agreed());
        String text = MySqlForms.text(query.sql());
        LongRest rest = asked.rest();
        MySqlScript script = rest == null ? MySqlScript.of(text) : MySqlScript.begun(text, rest);
        if (script == null) {
            return null;
        }
        Form form = MySqlForms.query(session, script.sql(), script.command(), query.attributes())
                .in(MySqlForms.trace(text, query.attributes()));
        return statement(asked, script, query.attributes(), form, null, List.of());
    }

    private @Nullable Answering prepare(MySqlRequest asked) {
        String text = MySqlForms.text(new MySqlReader(asked.payload()).skip(1).rest());
        LongRest rest = asked.rest();
        MySqlScript script = rest == null ? MySqlScript.of(text) : MySqlScript.begun(text, rest);
        if (script == null) {
            return null;
        }
        Form form = MySqlForms.preparing(session, script.sql());
        return new PrepareAnswer(facts, statements, text, script, form, session.agreed());
    }

    private Answering execute(MySqlRequest asked) {
        MySqlStatement statement = statements.get(Execute.statement(asked.payload()));
        if (statement == null) {
            return new UnknownAnswer(publication, new ResultReader(session.agreed(), List.of()));
        }
        closeCursor(statement, asked.nanos());
        Execution execution = Execution.read(
                asked.payload(), asked.rest(), session.agreed(), statement.parameters, statement.types, statement.sent);
        statement.types = execution.types();
        List<BoundValue> values = execution.values();
        Form form = MySqlForms.prepared(session, statement.script.sql(), statement.script.command(), values)
                .in(MySqlForms.trace(statement.text, values));
        return statement(asked, statement.script, values, form, statement, statement.columns);
    }

    private Answering statement(
            MySqlRequest asked,
            MySqlScript script,
            List<BoundValue> values,
            Form form,
            @Nullable MySqlStatement prepared,
            List<byte[]> columns) {
        Question question = new Question(script, values, form, publication.transaction(), asked.nanos());
        ResultReader reader = new ResultReader(session.agreed(), columns);
        return new StatementAnswer(publication, recording.largestMessage(), question, prepared, reader);
    }

    private Answering fetch(MySqlRequest asked) {
        MySqlStatement statement = statements.get(Execute.statement(asked.payload()));
        Cursor cursor = statement == null ? null : statement.cursor;
        if (statement == null || cursor == null) {
            // Either an error, or rows of a result that was given up.
            return new UnknownAnswer(publication, ResultReader.ofFetch(session.agreed(), List.of()));
        }
        ResultReader reader = ResultReader.ofFetch(session.agreed(), cursor.columns());
        return new FetchAnswer(publication, statement, cursor, reader);
    }

    private void resetStatement(MySqlRequest asked) {
        MySqlStatement statement = statements.get(Execute.statement(asked.payload()));
        if (statement != null) {
            closeCursor(statement, asked.nanos());
            statement.sent.forget();
        }
    }

    /** Nobody will read on: what was read is all that there is. */
    private void closeCursor(MySqlStatement statement, long nanos) {
        Cursor cursor = statement.cursor;
        if (cursor != null) {
            statement.cursor = null;
            publication.publish(cursor.question, List.of(cursor.read()), false, cursor.overflow, nanos);
        }
    }

    private Answering single(MySqlRequest asked, Runnable succeeded) {
        Form form = MySqlForms.command(asked.code(), argument(asked));
        return (payload, nanos) -> {
            boolean refused = refused(payload);
            boolean text = asked.code() == CommandCode.STATISTICS || asked.code() == CommandCode.DEBUG;
            publication.answered(form, refused || text ? payload : new byte[0], nanos);
            if (!refused) {
                succeeded.run();
            }
            return true;
        };
    }

    private static byte[] argument(MySqlRequest asked) {
        return new MySqlReader(asked.payload()).skip(1).rest();
    }

    private static boolean refused(byte[] payload) {
        return payload.length == 0 || (payload[0] & 0xff) == ERR;
    }

    private Answering changeUser(MySqlRequest asked) {
        UserChange change = UserChange.read(asked.payload(), session.agreed());
        Form form = MySqlForms.database(CommandCode.CHANGE_USER, change.database());
        return new Answering() {
            @Override
            public boolean read(byte[] payload, long nanos) {
                int first = payload.length == 0 ? ERR : payload[0] & 0xff;
                if (first == OK) {
                    session.changeUser(change.collation(), change.database());
                    forget();
                    session.status(Ok.read(payload, session.agreed()).status());
                }
                if (first == OK || MySqlTimelines.refusesDatabase(payload)) {
                    publication.answered(form, first == OK ? new byte[0] : payload, nanos);
                }
                return first == OK || first == ERR;
            }

            @Override
            public boolean listens() {
                return true;
            }

            @Override
            public boolean isLosable() {
                return false;
            }
        };
    }

    private static Answering fields() {
        return (payload, nanos) -> {
            int first = payload.length == 0 ? ERR : payload[0] & 0xff;
            return first == ERR || (first == EOF && payload.length <= 8);
        };
    }

    private void forget() {
        statements.clear();
        publication.abandoned();
    }

    /** The answer to a statement that isn't known here, which so has no form. */
    private static final class UnknownAnswer implements Answering {
        private final MySqlPublication publication;
        private final ResultReader reader;

        UnknownAnswer(MySqlPublication publication, ResultReader reader) {
            this.publication = publication;
            this.reader = reader;
        }

        @Override
        public boolean read(byte[] payload, long nanos) {
            boolean last = reader.read(payload);
            reader.forgetRows();
            if (last) {
                publication.dropped(Unrecorded.INCOMPLETE);
            }
            return last;
        }

        @Override
        public @Nullable PacketTaker large() {
            return reader.inRows() ? new RowOverflow(null).row(0) : null;
        }
    }
}
