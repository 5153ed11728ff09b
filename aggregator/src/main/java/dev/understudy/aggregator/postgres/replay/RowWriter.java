package dev.understudy.aggregator.postgres.replay;

import dev.understudy.aggregator.postgres.exchange.PgResult;
import dev.understudy.divergence.wire.postgres.Column;
import dev.understudy.divergence.wire.postgres.Formats;
import dev.understudy.divergence.wire.postgres.PgMessage;
import dev.understudy.divergence.wire.postgres.PgReader;
import dev.understudy.divergence.wire.postgres.PgWriter;
import dev.understudy.divergence.wire.postgres.value.PgValues;
import dev.understudy.divergence.wire.postgres.value.TextStyle;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the rows of a result in the formats and the style of the session that they are for. */
final class RowWriter {
    /** PostgreSQL's own limit (MaxTupleAttributeNumber). */
    private static final int MOST_COLUMNS = 1664;

    private final PgResult result;
    private final Formats wanted;
    private final TextStyle style;
    private final boolean asRecorded;

    RowWriter(PgResult result, Formats wanted, TextStyle style) {
        this.result = result;
        this.wanted = wanted;
        this.style = style;
        this.asRecorded = asRecorded();
    }

    /** The row as this session is to see it; null if one of its values can't be rewritten. */
    @Nullable
    PgMessage row(int index) {
        PgMessage row = result.rows().get(index);
        return asRecorded ? row : rewritten(row);
    }

    /** Whether rows are passed on as they were recorded, whatever their values. */
    boolean passes() {
        return result.columns() == null ? wanted.sameFor(MOST_COLUMNS, result.formats()) : asRecorded;
    }

    /** Why {@link #row} gave null. */
    String reason() {
        return "it was recorded in formats %s and is asked for in %s, with a type that can't be rewritten"
                .formatted(result.formats(), wanted);
    }

    /** Why a row of more bytes than may be held can't be given where {@link #passes} is false. */
    String tooLong() {
        return "it was recorded in formats %s and is asked for in %s, and has a row that is too long to be rewritten"
                .formatted(result.formats(), wanted);
    }

    /** CommandComplete after the last rows of a fetch: it counts the rows of that fetch only. */
    PgMessage end(int rowsOfThisFetch) {
        List<Column> columns = result.columns();
        if (result.end().type() != 'C' || columns == null || columns.isEmpty()) {
            return result.end();
        }
        String tag = new String(result.end().body(), StandardCharsets.UTF_8);
        int number = tag.lastIndexOf(' ') + 1;
        boolean counts = number > 0 && number < tag.length() && Character.isDigit(tag.charAt(number));
        return counts
                ? new PgWriter()
                        .string(tag.substring(0, number) + rowsOfThisFetch)
                        .toMessage('C')
                : result.end();
    }

    private boolean asRecorded() {
        List<Column> columns = result.columns();
        if (columns == null) {
            int values =
                    result.rows().isEmpty() ? 0 : result.rows().get(0).reader().int16();
            return wanted.sameFor(values, result.formats());
        }
        for (int i = 0; i < columns.size(); i++) {
            int type = columns.get(i).type();
            if (!PgValues.same(type, result.formats().binary(i), result.style(), wanted.binary(i), style)) {
                return false;
            }
        }
        return true;
    }

    private @Nullable PgMessage rewritten(PgMessage row) {
        List<Column> columns = result.columns();
        if (columns == null) {
            return null;
        }
        PgReader reader = row.reader();
        int count = reader.count(4);
        PgWriter writer = new PgWriter().int16(count);
        for (int i = 0; i < count; i++) {
            byte[] value = reader.value();
            byte[] rewritten = value == null ? null : rewritten(value, i, columns);
            if (value != null && rewritten == null) {
                return null;
            }
            writer.value(rewritten);
        }
        return writer.toMessage('D');
    }

    private byte @Nullable [] rewritten(byte[] value, int i, List<Column> columns) {
        int type = i < columns.size() ? columns.get(i).type() : 0;
        return PgValues.transcode(type, result.formats().binary(i), value, result.style(), wanted.binary(i), style);
    }
}
