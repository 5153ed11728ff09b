package dev.understudy.aggregator.mysql.replay;

import dev.understudy.divergence.wire.mysql.result.Err;
import dev.understudy.divergence.wire.mysql.result.Ok;
import dev.understudy.divergence.wire.mysql.result.Result;
import java.util.List;

/**
 * What a debug session has to say to one statement.
 *
 * @param whole false if production read no more of the rows than these
 */
record Answer(List<Result> results, boolean whole) {
    static Answer of(Ok ok) {
        return new Answer(List.of(ok), true);
    }

    static Answer of(Err error) {
        return new Answer(List.of(error), true);
    }
}
