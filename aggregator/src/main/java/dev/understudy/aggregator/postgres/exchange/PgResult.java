package dev.understudy.aggregator.postgres.exchange;

import dev.understudy.aggregator.body.LargeBody;
import dev.understudy.aggregator.exchange.Checksum;
import dev.understudy.aggregator.exchange.Form;
import dev.understudy.divergence.content.ValueWords;
import dev.understudy.divergence.wire.postgres.Column;
import dev.understudy.divergence.wire.postgres.Formats;
import dev.understudy.divergence.wire.postgres.PgMessage;
import dev.understudy.divergence.wire.postgres.PgReader;
import dev.understudy.divergence.wire.postgres.value.PgValues;
import dev.understudy.divergence.wire.postgres.value.TextStyle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of one statement, or a part of it, whichever protocol and however many fetches it took.
 *
 * @param columns null if production never had them described; empty if the statement returns no rows
 * @param formats of the values in {@code rows}
 * @param rows the DataRow messages
 * @param notices in the order in which they came
 * @param end CommandComplete, EmptyQueryResponse, ErrorResponse, or PortalSuspended where production read no further,
 *     or where the result goes on elsewhere
 * @param next under which form the result goes on; null if this is its end
 * @param style of the session that the text values were written for
 * @param large the rows as wire bytes, if they lie in files; {@code rows} is empty then. Null if they don't
 * @param refusedAt which step of the extended protocol the server refused, if {@code end} is an error
 */
public record PgResult(
        @Nullable List<Column> columns,
        Formats formats,
        List<PgMessage> rows,
        List<PgMessage> notices,
        PgMessage end,
        @Nullable Form next,
        TextStyle style,
        PgTransaction transaction,
        @Nullable LargeBody large,
        QueryStep refusedAt)
        implements PgReply {
    /** What an array, its message and its place in a list cost besides the bytes. */
    private static final int PER_MESSAGE = 56;

    /** What a column costs besides its name's letters. */
    private static final int PER_COLUMN = 96;

    /** A result whose rows are all in memory. */
    public PgResult(
            @Nullable List<Column> columns,
            Formats formats,
            List<PgMessage> rows,
            List<PgMessage> notices,
            PgMessage end,
            @Nullable Form next,
            TextStyle style,
            PgTransaction transaction) {
        this(columns, formats, rows, notices, end, next, style, transaction, null, QueryStep.EXECUTE);
    }

    public PgResult {
        rows = PgRecordedRows.of(rows);
        notices = List.copyOf(notices);
    }

    /** The same, of this transaction. */
    public PgResult of(PgTransaction other) {
        return new PgResult(columns, formats, rows, notices, end, next, style, other, large, refusedAt);
    }

    /** The same with these rows, which were read from its files. */
    public PgResult piece(List<PgMessage> read) {
        return new PgResult(columns, formats, read, List.of(), end, next, style, transaction, null, refusedAt);
    }

    @Override
    public long bytes() {
        long bytes = 160 + bytes(rows) + bytes(notices) + end.body().length;
        return bytes + columnBytes(columns);
    }

    static long columnBytes(@Nullable List<Column> columns) {
        long bytes = 0;
        for (Column column : columns == null ? List.<Column>of() : columns) {
            bytes += PER_COLUMN + column.name().length();
        }
        return bytes;
    }

    @Override
    public void addTo(ValueWords words) {
        for (int i = 0; i < rows.size() && !words.full(); i++) {
            PgReader row = rows.get(i).reader();
            int count = row.count(4);
            for (int column = 0; column < count; column++) {
                byte[] value = row.value();
                byte[] text = value == null ? null : text(value, column);
                if (text != null) {
                    words.add(text);
                }
            }
        }
    }

    /** Null if a binary value can't be written as text. */
    private byte @Nullable [] text(byte[] value, int column) {
        if (!formats.binary(column)) {
            return value;
        }
        int type = columns == null || column >= columns.size()
                ? 0
                : columns.get(column).type();
        return PgValues.transcode(type, true, value, style, false, style);
    }

    @Override
    public long answer() {
        Checksum sum = answer(rows).add(end.body());
        LargeBody body = large;
        return body == null
                ? sum.value()
                : sum.add((int) (body.sum() >>> 32)).add((int) body.sum()).value();
    }

    static Checksum answer(List<PgMessage> messages) {
        Checksum sum = new Checksum();
        messages.forEach(message -> sum.add(message.body()));
        return sum;
    }

    static long bytes(List<PgMessage> messages) {
        if (messages instanceof PgRecordedRows rows) {
            return rows.bytes();
        }
        long bytes = 0;
        for (PgMessage message : messages) {
            bytes += PER_MESSAGE + message.body().length;
        }
        return bytes;
    }
}
