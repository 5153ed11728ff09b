package dev.understudy.aggregator.mysql.exchange;

import dev.understudy.aggregator.body.LargeBody;
import dev.understudy.aggregator.exchange.PackedReader;
import dev.understudy.aggregator.exchange.PackedWriter;
import dev.understudy.aggregator.exchange.ReplyCodec;
import dev.understudy.aggregator.fact.TransactionCodec;
import dev.understudy.divergence.wire.mysql.result.Err;
import dev.understudy.divergence.wire.mysql.result.Ok;
import dev.understudy.divergence.wire.mysql.result.Result;
import dev.understudy.divergence.wire.mysql.result.ResultEnd;
import dev.understudy.divergence.wire.mysql.result.Rows;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * MySQL's replies on disk: their results, as they are in memory; and which transaction they were part of, which stays
 * in memory for as long as its process lives.
 */
public final class MySqlReplyCodec implements ReplyCodec<MySqlReply> {
    private static final int OK = 0;
    private static final int ERR = 1;
    private static final int ROWS = 2;

    /** Bytes that a result takes at least: its kind, and the numbers and lengths of an error. */
    private static final int LEAST_RESULT = 5;

    private final TransactionCodec<Err, MySqlTransaction> transactions =
            new TransactionCodec<>(MySqlTransaction::new, new Errors());

    @Override
    public int format() {
        return 0x3302;
    }

    @Override
    public Object kept(MySqlReply reply) {
        return reply.transaction();
    }

    @Override
    public void encode(MySqlReply reply, PackedWriter out) {
        transactions.encode(reply.transaction(), out);
        out.octet(reply.whole() ? 1 : 0).number(reply.results().size());
        LargeRows elsewhere = reply.elsewhere();
        out.octet(elsewhere == null ? 0 : 1);
        if (elsewhere != null) {
            elsewhere.counts().forEach(out::word);
        }
        for (Result result : reply.results()) {
            if (result instanceof Rows rows) {
                out.octet(ROWS);
                payloads(rows.columns(), out);
                payloads(rows.rows(), out);
            }
            ending(result.ending(), out);
        }
    }

    @Override
    public MySqlReply decode(PackedReader in, @Nullable Object kept) throws IOException {
        MySqlTransaction written = transactions.decode(in, kept == null);
        MySqlTransaction transaction = kept instanceof MySqlTransaction same ? same : written;
        boolean whole = in.octet() != 0;
        int count = in.count(LEAST_RESULT);
        if (count == 0) {
            throw new IOException("a reply without a result");
        }
        List<Long> counts = in.octet() == 0 ? List.of() : counts(count, in);
        List<Result> results = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            results.add(result(in));
        }
        LargeBody body = in.large();
        if ((body == null) != counts.isEmpty()) {
            throw new IOException("a reply whose rows are neither here nor in files");
        }
        return new MySqlReply(results, whole, transaction, body == null ? null : new LargeRows(counts, body));
    }

    private static List<Long> counts(int results, PackedReader in) throws IOException {
        List<Long> counts = new ArrayList<>(results);
        for (int i = 0; i < results; i++) {
            long rows = in.word();
            if (rows < 0) {
                throw new IOException(rows + " rows");
            }
            counts.add(rows);
        }
        return counts;
    }

    private static Result result(PackedReader in) throws IOException {
        int kind = in.octet();
        if (kind != ROWS) {
            return ending(kind, in);
        }
        List<byte[]> columns = payloads(in);
        List<byte[]> rows = payloads(in);
        return new Rows(columns, rows, ending(in.octet(), in));
    }

    private static void ending(ResultEnd ending, PackedWriter out) {
        if (ending instanceof Ok ok) {
            out.octet(OK).word(ok.affected()).word(ok.insertId()).number(ok.status());
            out.number(ok.warnings()).bytes(ok.info()).bytes(ok.track());
        } else if (ending instanceof Err err) {
            out.octet(ERR);
            error(err, out);
        }
    }

    private static ResultEnd ending(int kind, PackedReader in) throws IOException {
        return switch (kind) {
            case OK -> new Ok(in.word(), in.word(), in.number(), in.number(), in.bytes(), in.bytes());
            case ERR -> error(in);
            default -> throw new IOException("a result of kind " + kind);
        };
    }

    private static void error(Err error, PackedWriter out) {
        out.number(error.code()).text(error.state()).text(error.message());
    }

    private static Err error(PackedReader in) throws IOException {
        return new Err(in.number(), in.text(), in.text());
    }

    private static void payloads(List<byte[]> payloads, PackedWriter out) {
        out.number(payloads.size());
        payloads.forEach(out::bytes);
    }

    private static List<byte[]> payloads(PackedReader in) throws IOException {
        int count = in.count(1);
        List<byte[]> payloads = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            payloads.add(in.bytes());
        }
        return payloads;
    }

    private static final class Errors implements TransactionCodec.ErrorCodec<Err> {
        @Override
        public void encode(Err error, PackedWriter out) {
            error(error, out);
        }

        @Override
        public Err decode(PackedReader in) throws IOException {
            return error(in);
        }
    }
}
