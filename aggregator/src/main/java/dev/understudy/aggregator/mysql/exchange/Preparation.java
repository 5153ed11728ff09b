package dev.understudy.aggregator.mysql.exchange;

import dev.understudy.divergence.wire.mysql.result.Err;
import dev.understudy.divergence.wire.mysql.result.PreparedShape;
import org.jspecify.annotations.Nullable;

/**
 * What the server said last to preparing a statement: its shape or an error.
 *
 * @param shape null if it can't be prepared
 * @param error null if it can
 */
public record Preparation(
        @Nullable PreparedShape shape, @Nullable Err error) {
    public long bytes() {
        return 64 + (shape == null ? 0 : shape.bytes()) + (error == null ? 0 : error.bytes());
    }
}
