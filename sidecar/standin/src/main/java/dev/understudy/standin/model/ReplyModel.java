package dev.understudy.standin.model;

import dev.understudy.standin.value.Quantiles;
import dev.understudy.standin.value.ValueModel;
import org.jspecify.annotations.Nullable;

/**
 * What one kind of reply to a route looks like. Immutable.
 *
 * @param status 200 to 599
 * @param share of the route's replies, above 0 and up to 1
 * @param contentType of its body; empty if it has none
 * @param size of its body, in bytes
 * @param body what its JSON looks like; null if it isn't JSON
 */
public record ReplyModel(
        int status,
        double share,
        String contentType,
        Quantiles size,
        @Nullable ValueModel body) {
    public ReplyModel {
        if (status < 200 || status > 599) {
            throw new IllegalArgumentException("status: " + status + " (expected: 200 to 599)");
        }
        if (!(share > 0 && share <= 1)) {
            throw new IllegalArgumentException("share: " + share + " (expected: above 0, at most 1)");
        }
    }
}
