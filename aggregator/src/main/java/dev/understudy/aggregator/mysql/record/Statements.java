package dev.understudy.aggregator.mysql.record;

import dev.understudy.divergence.wire.mysql.command.Execute;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The statements that one connection has prepared, by the server's numbers. */
final class Statements {
    private final Map<Integer, Statement> byNumber = new HashMap<>();
    private @Nullable Statement last;

    void add(int number, Statement statement) {
        byNumber.put(number, statement);
        last = statement;
    }

    /** A statement couldn't be prepared: there is no last one. */
    void refused() {
        last = null;
    }

    /** The one of this number, or the last one; null if there is none. */
    @Nullable
    Statement get(int number) {
        return number == Execute.LAST_PREPARED ? last : byNumber.get(number);
    }

    @Nullable
    Statement remove(int number) {
        return byNumber.remove(number);
    }

    Collection<Statement> all() {
        return byNumber.values();
    }

    void clear() {
        byNumber.values().forEach(Statement::abandon);
        byNumber.clear();
        last = null;
    }

    long heldBytes() {
        return byNumber.values().stream().mapToLong(Statement::heldBytes).sum();
    }
}
