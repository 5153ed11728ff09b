package dev.understudy.aggregator.mysql.replay;

import dev.understudy.aggregator.mysql.exchange.LargeRows;
import dev.understudy.divergence.wire.mysql.result.Err;
import dev.understudy.divergence.wire.mysql.result.Ok;
import dev.understudy.divergence.wire.mysql.result.Result;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a debug session has to say to one statement.
 *
 * @param whole false if production read no more of the rows than these
 * @param elsewhere the rows that lie in files; null if there are none. Whoever has the answer gives or discards them
 */
record MySqlAnswer(
        List<Result> results, boolean whole, @Nullable LargeRows elsewhere) {
    MySqlAnswer(List<Result> results, boolean whole) {
        this(results, whole, null);
    }

    static MySqlAnswer of(Ok ok) {
        return new MySqlAnswer(List.of(ok), true);
    }

    static MySqlAnswer of(Err error) {
        return new MySqlAnswer(List.of(error), true);
    }
}
