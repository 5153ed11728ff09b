package dev.understudy.aggregator.postgres.exchange;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.PackedReader;
import dev.understudy.aggregator.exchange.PackedWriter;
import dev.understudy.aggregator.exchange.ReplyCodec;
import dev.understudy.aggregator.fact.TransactionCodec;
import dev.understudy.divergence.wire.postgres.Column;
import dev.understudy.divergence.wire.postgres.Formats;
import dev.understudy.divergence.wire.postgres.PgMessage;
import dev.understudy.divergence.wire.postgres.value.TextStyle;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * PostgreSQL's replies on disk: the messages of a result with their columns, or of a script; and which transaction they
 * were part of, which stays in memory for as long as its process lives.
 */
public final class PgReplyCodec implements ReplyCodec<PgReply> {
    private static final int RESULT = 0;
    private static final int SCRIPT = 1;

    /** Bytes that a column takes at least. */
    private static final int LEAST_COLUMN = 4;

    private final TransactionCodec<PgMessage, PgTransaction> transactions =
            new TransactionCodec<>(PgTransaction::new, PgMessages.CODEC);

    @Override
    public int format() {
        return 0x5003;
    }

    @Override
    public Object kept(PgReply reply) {
        return reply.transaction();
    }

    @Override
    public void encode(PgReply reply, PackedWriter out) {
        transactions.encode(reply.transaction(), out);
        if (reply instanceof PgScript script) {
            out.octet(SCRIPT).octet(script.status()).number(script.largeAt());
            messages(script.messages(), out);
        } else if (reply instanceof PgResult result) {
            out.octet(RESULT);
            result(result, out);
        }
    }

    @Override
    public PgReply decode(PackedReader in, @Nullable Object kept) throws IOException {
        PgTransaction written = transactions.decode(in, kept == null);
        PgTransaction transaction = kept instanceof PgTransaction same ? same : written;
        int kind = in.octet();
        return switch (kind) {
            case SCRIPT -> {
                char status = (char) in.octet();
                int largeAt = in.number();
                yield new PgScript(messages(in), status, transaction, in.large(), largeAt);
            }
            case RESULT -> result(in, transaction);
            default -> throw new IOException("a reply of kind " + kind);
        };
    }

    private static void result(PgResult result, PackedWriter out) {
        List<Column> columns = result.columns();
        out.octet(columns == null ? 0 : 1);
        if (columns != null) {
            out.number(columns.size());
            columns.forEach(column -> column(column, out));
        }
        short[] formats = result.formats().codes();
        out.number(formats.length);
        for (short format : formats) {
            out.number(format & 0xffff);
        }
        messages(result.rows(), out);
        messages(result.notices(), out);
        PgMessages.CODEC.encode(result.end(), out);
        Form next = result.next();
        out.octet(next == null ? 0 : 1);
        if (next != null) {
            out.form(next);
        }
        TextStyle style = result.style();
        out.text(style.timeZone())
                .octet((style.isoDates() ? 1 : 0)
                        | (style.hexBytes() ? 2 : 0)
                        | (style.exactFloats() ? 4 : 0)
                        | (style.postgresIntervals() ? 8 : 0)
                        | (result.refusedAt().code() << 4));
    }

    private static PgResult result(PackedReader in, PgTransaction transaction) throws IOException {
        List<Column> columns = in.octet() == 0 ? null : columns(in);
        short[] codes = new short[in.count(1)];
        for (int i = 0; i < codes.length; i++) {
            codes[i] = (short) in.number();
        }
        List<PgMessage> rows = messages(in);
        List<PgMessage> notices = messages(in);
        PgMessage end = PgMessages.CODEC.decode(in);
        Form next = in.octet() == 0 ? null : in.form();
        String zone = in.text();
        int flags = in.octet();
        TextStyle style = new TextStyle(zone, (flags & 1) != 0, (flags & 2) != 0, (flags & 4) != 0, (flags & 8) != 0);
        return new PgResult(
                columns,
                Formats.of(codes),
                rows,
                notices,
                end,
                next,
                style,
                transaction,
                in.large(),
                QueryStep.of(flags >> 4));
    }

    private static void column(Column column, PackedWriter out) {
        out.text(column.name())
                .word(((long) column.table() << 32) | (column.type() & 0xffffffffL))
                .word(((long) column.modifier() << 32)
                        | ((column.attribute() & 0xffffL) << 16)
                        | (column.size() & 0xffffL));
    }

    private static List<Column> columns(PackedReader in) throws IOException {
        int count = in.count(LEAST_COLUMN);
        List<Column> columns = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            String name = in.text();
            long types = in.word();
            long rest = in.word();
            columns.add(new Column(
                    name, (int) (types >>> 32), (short) (rest >>> 16), (int) types, (short) rest, (int) (rest >>> 32)));
        }
        return List.copyOf(columns);
    }

    private static void messages(List<PgMessage> messages, PackedWriter out) {
        out.number(messages.size());
        messages.forEach(message -> PgMessages.CODEC.encode(message, out));
    }

    private static List<PgMessage> messages(PackedReader in) throws IOException {
        int count = in.count(2);
        List<PgMessage> messages = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            messages.add(PgMessages.CODEC.decode(in));
        }
        return messages;
    }
}
