package dev.understudy.aggregator.mysql.record;

import dev.understudy.aggregator.record.Unrecorded;
import dev.understudy.divergence.wire.mysql.PacketTaker;
import dev.understudy.divergence.wire.mysql.result.Result;
import dev.understudy.divergence.wire.mysql.result.ResultReader;
import dev.understudy.divergence.wire.mysql.result.Rows;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The results of a statement are coming. */
final class StatementAnswer implements Answering {
    private final MySqlPublication publication;
    private final long most;
    private final Question question;
    private final @Nullable MySqlStatement prepared;
    private final ResultReader reader;
    private final RowOverflow overflow;
    private final Runnable underWay;
    private boolean file;
    private boolean tooLarge;

    /** @param prepared null if the statement was sent as text */
    StatementAnswer(
            MySqlPublication publication,
            long most,
            Question question,
            @Nullable MySqlStatement prepared,
            ResultReader reader) {
        this.publication = publication;
        this.most = most;
        this.question = question;
        this.prepared = prepared;
        this.reader = reader;
        this.overflow = publication.overflow();
        this.underWay = publication.begin(question);
    }

    @Override
    public boolean read(byte[] payload, long nanos) {
        if (file) {
            return true; // whether the file was taken is no answer to what will be asked
        }
        if (!reader.read(payload)) {
            if (reader.heldBytes() > publication.fromLarge() && reader.inRows()) {
                spill();
            }
            if (reader.heldBytes() > most) {
                lose();
            }
            return false;
        }
        file = reader.asksForFile();
        if (file) {
            overflow.abandon();
            underWay.run();
            publication.dropped(Unrecorded.BULK_COPY);
            return false;
        }
        finished(reader.results(), nanos);
        underWay.run();
        return true;
    }

    @Override
    public @Nullable PacketTaker large() {
        if (!reader.inRows()) {
            return null;
        }
        spill();
        return overflow.row(reader.complete());
    }

    private void spill() {
        List<byte[]> rows = reader.takeRows();
        if (!rows.isEmpty() && !overflow.add(reader.complete(), rows)) {
            lose();
        }
    }

    /** Too much of it can't go to files: many columns, or many results. */
    private void lose() {
        tooLarge = true;
        reader.forgetRows();
        overflow.abandon();
    }

    private void finished(List<Result> results, long nanos) {
        publication.ran(question, results);
        MySqlStatement statement = prepared;
        if (statement != null && results.get(results.size() - 1) instanceof Rows rows) {
            statement.columns = rows.columns();
            if (reader.cursor()) {
                statement.cursor = new Cursor(question, rows, overflow);
                return;
            }
        }
        if (tooLarge) {
            publication.lost(question, Unrecorded.TOO_LARGE);
        } else {
            publication.publish(question, results, true, overflow, nanos);
        }
    }

    @Override
    public long heldBytes() {
        return reader.heldBytes() + overflow.heldBytes();
    }

    @Override
    public boolean isLosable() {
        return !question.script().command().local()
                && question.script().statements().size() == 1;
    }

    @Override
    public boolean listens() {
        return file;
    }

    @Override
    public void abandon() {
        underWay.run();
        overflow.abandon();
    }
}
