package dev.understudy.aggregator.redis;

import dev.understudy.aggregator.journal.Form;
import dev.understudy.divergence.wire.redis.RedisCommand;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one connection has agreed on with Redis so far; followed alike for a recorded and for a replayed connection.
 *
 * <p>Told of commands once they have succeeded, in their order. Confined to the connection's event loop.
 */
final class RedisSession {
    private int database;
    private int version = 2;
    private String name = "";
    private @Nullable List<RedisCommand> transaction;
    private long queuedBytes;

    int version() {
        return version;
    }

    String name() {
        return name;
    }

    boolean inTransaction() {
        return transaction != null;
    }

    Form form(RedisCommand command) {
        return RedisForms.of(command, database, version);
    }

    /** The form of the open transaction as a whole. */
    Form transactionForm() {
        return RedisForms.of(transaction == null ? List.of() : transaction, database, version);
    }

    /** Bytes of the commands that EXEC would run. */
    long queuedBytes() {
        return queuedBytes;
    }

    void queue(RedisCommand command) {
        if (transaction != null) {
            transaction.add(command);
            queuedBytes += command.bytes();
        }
    }

    void endTransaction() {
        if (transaction != null) {
            for (RedisCommand command : transaction) {
                // A SELECT inside a transaction takes effect with it.
                if (command.name().equals("SELECT")) {
                    succeeded(command);
                }
            }
        }
        discardTransaction();
    }

    void discardTransaction() {
        transaction = null;
        queuedBytes = 0;
    }

    /** A command outside a transaction was answered without an error. */
    void succeeded(RedisCommand command) {
        switch (command.name()) {
            case "SELECT" -> database = number(command.text(0), database);
            case "HELLO" -> hello(command);
            case "MULTI" -> {
                transaction = new ArrayList<>();
                queuedBytes = 0;
            }
            case "RESET" -> {
                database = 0;
                version = 2;
                name = "";
                discardTransaction();
            }
            case "CLIENT" -> {
                if (command.word(0).equals("SETNAME")) {
                    name = command.text(1);
                }
            }
            default -> {
                // no other command changes what a later one means
            }
        }
    }

    private void hello(RedisCommand command) {
        version = number(command.text(0), version);
        for (int i = 1; i < command.arguments().size(); i++) {
            if (command.word(i).equals("AUTH")) {
                i += 2; // neither the user's name nor the password is a key word
            } else if (command.word(i).equals("SETNAME")) {
                name = command.text(i + 1);
                i++;
            }
        }
    }

    private static int number(String text, int otherwise) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            return otherwise;
        }
    }
}
