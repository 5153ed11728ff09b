package dev.understudy.aggregator.mysql.record;

import dev.understudy.divergence.wire.mysql.PacketTaker;
import dev.understudy.divergence.wire.mysql.result.Result;
import dev.understudy.divergence.wire.mysql.result.ResultReader;
import dev.understudy.divergence.wire.mysql.result.Rows;
import java.util.List;

/** More rows of a cursor are coming. */
final class FetchAnswer implements Answering {
    private final MySqlPublication publication;
    private final MySqlStatement statement;
    private final Cursor cursor;
    private final ResultReader reader;

    FetchAnswer(MySqlPublication publication, MySqlStatement statement, Cursor cursor, ResultReader reader) {
        this.publication = publication;
        this.statement = statement;
        this.cursor = cursor;
        this.reader = reader;
    }

    @Override
    public boolean read(byte[] payload, long nanos) {
        if (!reader.read(payload)) {
            if (reader.heldBytes() + cursor.bytes() > publication.fromLarge()) {
                cursor.spill(reader.takeRows());
            }
            return false;
        }
        Result fetched = reader.results().get(0);
        if (statement.cursor == cursor && fetched instanceof Rows rows) {
            cursor.add(rows);
            if (!reader.cursor()) {
                statement.cursor = null;
                publication.publish(cursor.question, List.of(cursor.read()), true, cursor.overflow, nanos);
            }
        }
        return true;
    }

    @Override
    public PacketTaker large() {
        cursor.spill(reader.takeRows());
        return cursor.overflow.row(0);
    }

    @Override
    public long heldBytes() {
        return reader.heldBytes();
    }
}
