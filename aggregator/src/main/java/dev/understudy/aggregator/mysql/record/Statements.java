package dev.understudy.aggregator.mysql.record;

import dev.understudy.divergence.wire.mysql.command.Execute;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The statements that one connection has prepared, by the server's numbers. */
final class Statements {
    private final Map<Integer, MySqlStatement> byNumber = new HashMap<>();
    private @Nullable MySqlStatement last;
    private long textBytes;

    void add(int number, MySqlStatement statement) {
        remove(number);
        byNumber.put(number, statement);
        textBytes += statement.textBytes();
        last = statement;
    }

    /** A statement couldn't be prepared: there is no last one. */
    void refused() {
        last = null;
    }

    /** The one of this number, or the last one; null if there is none. */
    @Nullable
    MySqlStatement get(int number) {
        return number == Execute.LAST_PREPARED ? last : byNumber.get(number);
    }

    @Nullable
    MySqlStatement remove(int number) {
        MySqlStatement removed = byNumber.remove(number);
        textBytes -= removed == null ? 0 : removed.textBytes();
        return removed;
    }

    Collection<MySqlStatement> all() {
        return byNumber.values();
    }

    void clear() {
        byNumber.values().forEach(MySqlStatement::abandon);
        byNumber.clear();
        textBytes = 0;
        last = null;
    }

    long heldBytes() {
        return textBytes
                + byNumber.values().stream()
                        .mapToLong(MySqlStatement::heldBytes)
                        .sum();
    }
}
