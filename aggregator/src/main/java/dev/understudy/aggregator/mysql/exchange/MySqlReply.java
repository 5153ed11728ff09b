package dev.understudy.aggregator.mysql.exchange;

import dev.understudy.aggregator.body.LargeBody;
import dev.understudy.aggregator.exchange.Checksum;
import dev.understudy.aggregator.exchange.RecordedReply;
import dev.understudy.aggregator.match.ReplyGroup;
import dev.understudy.divergence.content.ValueWords;
import dev.understudy.divergence.wire.mysql.result.Err;
import dev.understudy.divergence.wire.mysql.result.Ok;
import dev.understudy.divergence.wire.mysql.result.Result;
import dev.understudy.divergence.wire.mysql.result.Rows;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the server answered to one statement.
 *
 * @param whole false if production read a cursor not to its end
 * @param transaction production's, of which this was part
 * @param elsewhere rows that lie in files and aren't among {@code results}; null if there are none
 */
public record MySqlReply(
        List<Result> results,
        boolean whole,
        MySqlTransaction transaction,
        @Nullable LargeRows elsewhere) implements RecordedReply {
    /** A reply that is all in memory. */
    public MySqlReply(List<Result> results, boolean whole, MySqlTransaction transaction) {
        this(results, whole, transaction, null);
    }

    public MySqlReply {
        results = List.copyOf(results);
        if (elsewhere != null && elsewhere.counts().size() != results.size()) {
            throw new IllegalArgumentException(
                    "counts: " + elsewhere.counts().size() + " (expected: " + results.size() + ")");
        }
    }

    @Override
    public long bytes() {
        return 100 + results.stream().mapToLong(Result::bytes).sum();
    }

    /** Values of the text format only: those of the binary one aren't read. */
    @Override
    public void addTo(ValueWords words) {
        for (Result result : results) {
            if (result instanceof Rows rows) {
                rows.rows().forEach(words::add);
            }
        }
    }

    @Override
    public long answer() {
        Checksum sum = new Checksum();
        for (Result result : results) {
            if (result instanceof Rows rows) {
                rows.rows().forEach(sum::add);
            }
            if (result.ending() instanceof Ok ok) {
                sum.add((int) ok.affected()).add((int) ok.insertId()).add((int) (ok.insertId() >>> 32));
            } else if (result.ending() instanceof Err err) {
                sum.add(err.code()).add(err.message().getBytes(StandardCharsets.UTF_8));
            }
        }
        LargeRows large = elsewhere;
        if (large != null) {
            sum.add((int) (large.body().sum() >>> 32)).add((int) large.body().sum());
        }
        return sum.value();
    }

    @Override
    public @Nullable ReplyGroup group() {
        return transaction.block() ? transaction : null;
    }

    @Override
    public @Nullable LargeBody large() {
        return elsewhere == null ? null : elsewhere.body();
    }
}
