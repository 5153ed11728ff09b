package dev.understudy.aggregator.mysql.exchange;

import dev.understudy.aggregator.exchange.Checksum;
import dev.understudy.aggregator.exchange.Reply;
import dev.understudy.divergence.wire.mysql.result.Err;
import dev.understudy.divergence.wire.mysql.result.Ok;
import dev.understudy.divergence.wire.mysql.result.Result;
import dev.understudy.divergence.wire.mysql.result.Rows;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What the server answered to one statement.
 *
 * @param whole false if production read a cursor not to its end
 * @param transaction production's, of which this was part
 */
public record MySqlReply(List<Result> results, boolean whole, MySqlTransaction transaction) implements Reply {
    public MySqlReply {
        results = List.copyOf(results);
    }

    @Override
    public long bytes() {
        return 100 + results.stream().mapToLong(Result::bytes).sum();
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
        return sum.value();
    }
}
