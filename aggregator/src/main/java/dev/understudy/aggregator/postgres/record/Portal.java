package dev.understudy.aggregator.postgres.record;

import dev.understudy.aggregator.body.LargeBodies;
import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.postgres.exchange.QueryStep;
import dev.understudy.aggregator.postgres.sql.Parameter;
import dev.understudy.aggregator.record.Overflow;
import dev.understudy.divergence.wire.postgres.Formats;
import dev.understudy.divergence.wire.postgres.MessageTaker;
import dev.understudy.divergence.wire.postgres.PgMessage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A statement with its parameters, and the rows and notices that its execution has brought so far, however many fetches
 * that took. All parts of a result together are bounded like a single message.
 */
final class Portal {
    private static final int PER_PORTAL = 300;
    private static final int PER_MESSAGE = 56;
    private static final int PART = 1 << 20;

    final PgRecordedStatement statement;
    final List<Parameter> parameters;
    final Formats formats;
    final List<PgMessage> rows = new ArrayList<>(1);
    final List<PgMessage> notices = new ArrayList<>(0);
    long startNanos;

    /** What it asks for; null before it is known to be executed. */
    @Nullable
    Form form;

    boolean executed;
    boolean finished;

    /** What the server refused, if it refused anything. */
    QueryStep refusedAt = QueryStep.EXECUTE;

    boolean copying;

    /** Under which the next part of the result goes; null while no part has gone. */
    @Nullable
    Form continuation;

    final Overflow overflow = new Overflow();

    /** Whether there are files for parts, so that all together aren't bounded here. */
    boolean spills;

    private final Allowance allowance;
    private final long boundBytes;
    private long held;
    private long passed;
    private boolean tooLarge;

    Portal(PgRecordedStatement statement, List<Parameter> parameters, Formats formats, Allowance allowance) {
        this.statement = statement;
        this.parameters = parameters;
        this.formats = formats;
        this.allowance = allowance;
        long bytes = PER_PORTAL;
        for (Parameter parameter : parameters) {
            byte[] value = parameter.value();
            bytes += PER_MESSAGE + (value == null ? 0 : value.length);
        }
        this.boundBytes = bytes;
    }

    /** Memory that it takes besides its rows and its statement. */
    long boundBytes() {
        return boundBytes;
    }

    void execute(long nanos) {
        if (!executed) {
            executed = true;
            startNanos = nanos;
        }
    }

    void row(PgMessage row) {
        keep(rows, row);
    }

    /** A piece of a COPY … TO STDOUT. */
    void copied(PgMessage piece) {
        copying = true;
        keep(rows, piece);
    }

    void notice(PgMessage notice) {
        keep(notices, notice);
    }

    /** Whether so much is held that a part should go. */
    boolean full() {
        return held >= PART;
    }

    /** Has the rows so far go to files, where there is room for more than here. */
    void spill(LargeBodies bodies) {
        if (!tooLarge && !rows.isEmpty()) {
            WireMessages.write(rows, overflow.into(bodies));
            rows.clear();
            allowance.giveBack(held);
            held = 0;
            notices.forEach(notice -> held += PER_MESSAGE + notice.body().length);
            allowance.take(held);
        }
    }

    /** Has the next row, or piece of a COPY, go to files as it comes, behind those so far. */
    MessageTaker large(LargeBodies bodies, char type, int length) {
        copying |= type == 'd';
        spill(bodies);
        return WireMessages.taker(type, length, overflow.into(bodies));
    }

    /** Bytes of the parts that have gone. */
    long passed() {
        return passed;
    }

    /** A part of the result is gone, so the whole is of no use. */
    void lose() {
        tooLarge = true;
        release();
    }

    boolean tooLarge() {
        return tooLarge;
    }

    /** Nothing is held here any longer. */
    void release() {
        rows.clear();
        notices.clear();
        overflow.abandon();
        allowance.giveBack(held);
        passed += held;
        held = 0;
    }

    private void keep(List<PgMessage> list, PgMessage message) {
        if (tooLarge) {
            return;
        }
        long bytes = (long) PER_MESSAGE + message.body().length;
        if ((!spills && passed + held + bytes > allowance.capacity()) || !allowance.take(bytes)) {
            lose();
            return;
        }
        held += bytes;
        list.add(message);
    }
}
