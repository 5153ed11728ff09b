package dev.understudy.agent.stack;

import dev.understudy.agent.bootstrap.ExchangeKey;
import org.jspecify.annotations.Nullable;

/**
 * For which exchange a thread did something: one, none, or nobody knows. Immutable, and equal if it is the same
 * exchange.
 */
final class Whose {
    /** It served none. */
    static final Whose NOBODYS = new Whose(null);
    /** It isn't known whether it served any. */
    static final Whose UNKNOWN = new Whose(null);

    private final @Nullable ExchangeKey exchange;

    private Whose(@Nullable ExchangeKey exchange) {
        this.exchange = exchange;
    }

    /** That one's, or nobody's if it is null. */
    static Whose of(@Nullable ExchangeKey exchange) {
        return exchange == null ? NOBODYS : new Whose(exchange);
    }

    /** The exchange, if it is one's. */
    @Nullable
    ExchangeKey exchange() {
        return exchange;
    }

    @Override
    @SuppressWarnings("ReferenceEquality")
    public boolean equals(@Nullable Object other) {
        return this == other || (exchange != null && other instanceof Whose && ((Whose) other).exchange == exchange);
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(exchange == null ? this : exchange);
    }
}
