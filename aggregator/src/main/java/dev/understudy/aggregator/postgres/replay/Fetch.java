package dev.understudy.aggregator.postgres.replay;

import dev.understudy.aggregator.body.LargeBody;
import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.postgres.exchange.PgResult;
import dev.understudy.divergence.wire.postgres.Formats;
import dev.understudy.divergence.wire.postgres.PgMessage;
import dev.understudy.divergence.wire.postgres.value.TextStyle;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads one result in fetches of the size that the debug client wants, whatever production wanted, and goes after its
 * parts where it was recorded in several.
 */
final class Fetch {
    private static final PgMessage SUSPENDED = new PgMessage('s', new byte[0]);

    private final String sql;
    private final Formats formats;
    private final TextStyle style;
    private final PgOutlet outlet;
    private final PgAnswers answers;
    private PgResult part;
    private RowWriter rows;
    private int position;
    private int sent;
    private int limit;
    private long read;
    private Consumer<@Nullable PgMessage> then = error -> {};
    private @Nullable LargeMessages large;
    private boolean begun;
    private boolean reading;
    private boolean looking;
    private boolean running;

    Fetch(String sql, PgResult first, Formats formats, TextStyle style, PgOutlet outlet, PgAnswers answers) {
        this.sql = sql;
        this.formats = formats;
        this.style = style;
        this.outlet = outlet;
        this.answers = answers;
        this.part = first;
        this.rows = new RowWriter(first, formats, style);
        this.large = large(first);
    }

    /**
     * Writes so many rows, or all that are left for 0, and what follows them; {@code whenDone} is told the error that
     * is to be the end instead, or null.
     */
    void read(int most, Consumer<@Nullable PgMessage> whenDone) {
        limit = most;
        sent = 0;
        then = whenDone;
        reading = true;
        run();
    }

    /** A loop rather than a recursion: all parts may be there at once. */
    private void run() {
        if (running) {
            return;
        }
        running = true;
        try {
            while (reading && !looking) {
                step();
            }
        } finally {
            running = false;
        }
    }

    /** Writes what this part has, and goes after the next one if the client wants more. */
    private void step() {
        PgMessage error = write();
        Form next = part.next();
        if (error == null && outlet.full() && outlet.waits(this::readOn)) {
            looking = true;
            return;
        }
        if (error != null) {
            done(error);
        } else if (limit > 0 && sent == limit) {
            outlet.write(SUSPENDED);
            done(null);
        } else if (position == part.rows().size() && large != null && large.hasNext()) {
            LargeMessages from = large;
            looking = true;
            from.next(run -> piece(from, run));
        } else if (position == part.rows().size()) {
            if (next == null) {
                done(end());
            } else {
                looking = true;
                answers.more(next, this::found);
            }
        }
    }

    /** The client has read what was on its way. */
    private void readOn() {
        looking = false;
        run();
    }

    private @Nullable LargeMessages large(PgResult result) {
        LargeBody body = result.large();
        return body == null
                ? null
                : new LargeMessages(body, outlet, rows.passes() ? LargeMessages.HELD : answers.mostHeld());
    }

    /** Some of the rows that lie in files, or some of one. */
    private void piece(LargeMessages from, LargeMessages.@Nullable Run run) {
        looking = false;
        byte[] stretch = run == null ? null : run.stretch();
        if (run == null) {
            lost(from);
        } else if (stretch == null) {
            part = part.piece(run.messages());
            rows = new RowWriter(part, formats, style);
            position = 0;
            run();
        } else if (rows.passes()) {
            outlet.write(stretch);
            count(run.last() ? 1 : 0);
            run();
        } else {
            from.close();
            done(answers.unfit(sql, rows.tooLong()));
        }
    }

    private void lost(LargeMessages from) {
        PgMessage error = answers.unfit(sql, LargeMessages.LOST);
        if (from.within()) {
            reading = false;
            outlet.close(); // there is no place for an error
        } else {
            done(error);
        }
    }

    private void count(int row) {
        sent += row;
        read += row;
    }

    private void found(PgAnswer answer) {
        looking = false;
        if (answer instanceof PgAnswer.Result more) {
            part = more.result();
            rows = new RowWriter(part, formats, style);
            large = large(part);
            position = 0;
            begun = false;
            run();
        } else {
            done(answer instanceof PgAnswer.Refusal refusal ? refusal.error() : answers.unfit(sql, "it is cut off"));
        }
    }

    private void done(@Nullable PgMessage error) {
        reading = false;
        then.accept(error);
    }

    private @Nullable PgMessage write() {
        if (!begun) {
            begun = true;
            part.notices().forEach(outlet::write);
        }
        while (position < part.rows().size() && (limit <= 0 || sent < limit) && !outlet.full()) {
            PgMessage row = rows.row(position);
            if (row == null) {
                return answers.unfit(sql, rows.reason());
            }
            outlet.write(row);
            position++;
            count(1);
        }
        return null;
    }

    private @Nullable PgMessage end() {
        PgMessage end = rows.end(sent);
        if (end.type() == 'E') {
            return end;
        }
        if (end.type() == 's') {
            return answers.unfit(sql, "production read only " + read + " rows of it");
        }
        outlet.write(end);
        return null;
    }
}
