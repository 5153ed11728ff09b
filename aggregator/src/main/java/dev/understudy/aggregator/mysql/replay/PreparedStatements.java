package dev.understudy.aggregator.mysql.replay;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.PendingRequest;
import dev.understudy.aggregator.mysql.exchange.LargeRows;
import dev.understudy.aggregator.mysql.exchange.MySqlReply;
import dev.understudy.aggregator.mysql.sql.Execution;
import dev.understudy.aggregator.mysql.sql.LongRest;
import dev.understudy.aggregator.mysql.sql.MySqlForms;
import dev.understudy.aggregator.mysql.sql.MySqlScript;
import dev.understudy.aggregator.mysql.sql.MySqlSession;
import dev.understudy.aggregator.mysql.sql.MySqlStatementKind;
import dev.understudy.aggregator.replay.UpstreamReplay;
import dev.understudy.divergence.wire.mysql.MalformedPacketException;
import dev.understudy.divergence.wire.mysql.MySqlReader;
import dev.understudy.divergence.wire.mysql.command.Execute;
import dev.understudy.divergence.wire.mysql.result.Err;
import dev.understudy.divergence.wire.mysql.result.Ok;
import dev.understudy.divergence.wire.mysql.result.PreparedShape;
import dev.understudy.divergence.wire.mysql.result.Result;
import dev.understudy.divergence.wire.mysql.result.ResultWriter;
import dev.understudy.divergence.wire.mysql.result.Rows;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The prepared statements of a debug session, under numbers of its own. Confined to the connection's event loop. */
final class PreparedStatements {
    private static final int MOST = 16_382;

    private final UpstreamReplay<MySqlReply> replay;
    private final PastAnswers past;
    private final MySqlSession session;
    private final MySqlAnswers answers;
    private final MySqlDelivery delivery;
    private final MySqlOutlet outlet;
    private final BooleanSupplier fits;
    private final Runnable done;
    private final Map<Integer, DebugStatement> statements = new HashMap<>();
    private @Nullable DebugStatement last;
    private int numbers;
    private long bytes;
    private PendingRequest preparing = () -> {};
    private boolean gone;

    /** @param fits whether there is room for what the session holds now */
    PreparedStatements(
            UpstreamReplay<MySqlReply> replay,
            PastAnswers past,
            MySqlSession session,
            MySqlAnswers answers,
            MySqlDelivery delivery,
            MySqlOutlet outlet,
            BooleanSupplier fits,
            Runnable done) {
        this.replay = replay;
        this.past = past;
        this.session = session;
        this.answers = answers;
        this.delivery = delivery;
        this.outlet = outlet;
        this.fits = fits;
        this.done = done;
    }

    /** Memory that the statements take. */
    long heldBytes() {
        return bytes;
    }

    private void charge(DebugStatement statement) {
        bytes -= statement.charged;
        statement.charged = statement.heldBytes();
        bytes += statement.charged;
    }

    void prepare(byte[] payload, @Nullable LongRest rest) {
        String text = MySqlForms.text(new MySqlReader(payload).skip(1).rest());
        MySqlScript script = read(text, rest);
        Form form = MySqlForms.preparing(session, script.sql());
        MySqlStatementKind command = script.command();
        boolean plain = (command.local() || command == MySqlStatementKind.PING) && text.indexOf('?') < 0;
        long patience = plain ? 0 : replay.patience().toNanos();
        preparing = past.ofPreparation(form, patience, preparation -> {
            if (gone) {
                return;
            }
            Err error = null;
            PreparedShape shape = null;
            if (preparation != null) {
                error = preparation.error();
                shape = preparation.shape();
            } else if (plain) {
                shape = command == MySqlStatementKind.PING
                        ? One.shape(session.agreed())
                        : new PreparedShape(List.of(), List.of(), 0);
            }
            if (shape != null && statements.size() < MOST) {
                add(script, text, shape);
            } else if (shape != null) {
                last = null;
                replay.local();
                outlet.write(MySqlMismatchErrors.tooManyStatements(MOST));
            } else {
                last = null;
                String why = "production has not prepared this statement lately";
                outlet.write(error != null ? error : MySqlMismatchErrors.miss(replay.notLearned(form, why, patience)));
            }
            done.run();
        });
    }

    /**
     * What a text asks for.
     *
     * @param rest what is known of it if the text is its beginning only; null if it is all of it
     * @throws MalformedPacketException if that is too little
     */
    static MySqlScript read(String text, @Nullable LongRest rest) {
        MySqlScript script = rest == null ? MySqlScript.of(text) : MySqlScript.begun(text, rest);
        if (script == null) {
            throw new MalformedPacketException("a text of this kind is too long to be answered from a recording");
        }
        return script;
    }

    private void add(MySqlScript script, String text, PreparedShape shape) {
        int number = ++numbers;
        DebugStatement statement =
                new DebugStatement(script, text, shape.parameters().size());
        charge(statement);
        if (!fits.getAsBoolean()) {
            bytes -= statement.charged;
            last = null;
            outlet.write(MySqlMismatchErrors.outOfMemory());
            return;
        }
        statements.put(number, statement);
        last = statement;
        writer().prepared(number, shape, session.status());
    }

    void execute(byte[] payload, @Nullable LongRest rest) {
        int number = Execute.statement(payload);
        DebugStatement statement = find(number);
        if (statement == null) {
            replay.local();
            outlet.write(MySqlMismatchErrors.unknownStatement(number));
            done.run();
            return;
        }
        Execution execute =
                Execution.read(payload, rest, session.agreed(), statement.parameters, statement.types, statement.sent);
        statement.types = execute.types();
        statement.cursor(null);
        charge(statement);
        MySqlScript script = statement.script;
        Form form = MySqlForms.prepared(session, script.sql(), script.command(), execute.values())
                .in(MySqlForms.trace(statement.text, execute.values()));
        answers.find(
                script, execute.values(), form, true, answer -> answered(statement, form, execute.cursor(), answer));
    }

    private void answered(DebugStatement statement, Form form, boolean wantsCursor, MySqlAnswer answer) {
        List<Result> results = answer.results();
        if (wantsCursor && results.size() == 1 && results.get(0) instanceof Rows rows && rows.ending() instanceof Ok) {
            open(statement, new OpenCursor(rows, answer, form, outlet), rows);
            done.run();
        } else if (answer.whole()) {
            delivery.give(answer, form, done);
        } else {
            LargeRows elsewhere = answer.elsewhere();
            if (elsewhere != null) {
                elsewhere.body().discard();
            }
            delivery.unfit(form, "production has read a part of its rows only");
            done.run();
        }
    }

    private void open(DebugStatement statement, OpenCursor cursor, Rows rows) {
        statement.cursor(cursor);
        charge(statement);
        if (fits.getAsBoolean()) {
            writer().openCursor(rows, session.status());
        } else {
            statement.cursor(null);
            charge(statement);
            outlet.write(MySqlMismatchErrors.outOfMemory());
        }
    }

    void fetch(byte[] payload) {
        replay.local();
        MySqlReader in = new MySqlReader(payload).skip(1);
        DebugStatement statement = find(in.int32());
        OpenCursor cursor = statement == null ? null : statement.cursor();
        int wanted = Math.max(1, in.int32());
        if (statement == null || cursor == null) {
            outlet.write(MySqlMismatchErrors.noCursor());
            done.run();
            return;
        }
        long some = Math.min(wanted, cursor.left());
        boolean last = wanted > some;
        if (last && !cursor.whole) {
            delivery.unfit(cursor.form, "production has read no further");
            done.run();
            return;
        }
        cursor.read(
                some,
                rows -> {
                    writer().fetched(rows, cursor.ending().withStatus(session.status()), last);
                    statement.cursor(last ? null : cursor);
                    charge(statement);
                    done.run();
                },
                rows -> {
                    delivery.unfit(rows, cursor.form);
                    statement.cursor(null);
                    charge(statement);
                    done.run();
                });
    }

    /** A piece of a parameter: nothing is answered. False if it is more than may be. */
    boolean send(byte[] payload, @Nullable LongRest rest) {
        DebugStatement statement = find(Execute.statement(payload));
        if (statement == null) {
            return true;
        }
        boolean taken = statement.send(payload, rest, replay.largestMessage());
        charge(statement);
        return taken;
    }

    void close(byte[] payload) {
        DebugStatement closed = statements.remove(Execute.statement(payload));
        if (closed != null) {
            closed.cursor(null);
            bytes -= closed.charged;
            last = last == closed ? null : last;
        }
    }

    void reset(byte[] payload) {
        replay.local();
        int number = Execute.statement(payload);
        DebugStatement statement = find(number);
        if (statement == null) {
            outlet.write(MySqlMismatchErrors.unknownStatement(number));
        } else {
            statement.cursor(null);
            statement.sent.forget();
            charge(statement);
            outlet.write(Ok.of(session.status()).encode(0, session.agreed()));
        }
        done.run();
    }

    void clear() {
        statements.values().forEach(statement -> statement.cursor(null));
        statements.clear();
        bytes = 0;
        last = null;
    }

    void closed() {
        gone = true;
        preparing.cancel();
        clear();
    }

    private @Nullable DebugStatement find(int number) {
        return number == Execute.LAST_PREPARED ? last : statements.get(number);
    }

    private ResultWriter writer() {
        return delivery.writer();
    }
}
