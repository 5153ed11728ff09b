package dev.understudy.aggregator.redis;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.redis.command.RedisRule;
import dev.understudy.aggregator.redis.command.Tracking;
import dev.understudy.aggregator.redis.push.PushTally;
import dev.understudy.divergence.wire.redis.RedisCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * What one connection has agreed on with Redis so far; followed alike for a recorded and for a replayed connection.
 *
 * <p>Told of commands once they have succeeded, in their order. Confined to the connection's event loop.
 */
final class RedisUpstreamSession {
    private static final Set<String> WHILE_SUBSCRIBED = Set.of(
            "SUBSCRIBE",
            "UNSUBSCRIBE",
            "PSUBSCRIBE",
            "PUNSUBSCRIBE",
            "SSUBSCRIBE",
            "SUNSUBSCRIBE",
            "PING",
            "QUIT",
            "RESET");

    private final RedisRule rule;
    private final ClientIds.RedisClient client;
    private int database;
    private int version = 2;

    /** Without any mode. */
    private Agreed plain = Agreed.on(0, 2);

    private String name = "";
    private final PushTally subscribed = new PushTally();
    private final List<byte[]> watched = new ArrayList<>();
    private @Nullable List<RedisCommand> transaction;
    private boolean aborted;
    private long queuedBytes;
    private long queuedMemory;
    private boolean readOnly;
    private boolean asked;
    private boolean cachingAsked;
    private boolean caching;
    private String tracking = "";
    private boolean asking;
    private boolean authenticated;

    /**
     * Makes one of a connection that has agreed on nothing.
     *
     * @param rule what counts for the forms of its commands
     * @param client the connection as its server knows it
     */
    RedisUpstreamSession(RedisRule rule, ClientIds.RedisClient client) {
        this.rule = rule;
        this.client = client;
    }

    int version() {
        return version;
    }

    int database() {
        return database;
    }

    /** Whether it is in no mode that changes what a command means, or what the server sends later. */
    boolean isPlain() {
        return !readOnly && !asking && !caching && tracking.isEmpty();
    }

    String name() {
        return name;
    }

    boolean inTransaction() {
        return transaction != null;
    }

    Form form(RedisCommand command) {
        return RedisForms.of(client.named(command), agreed(), rule);
    }

    /** What a command is that the aggregator answers itself, as far as a server may refuse it. */
    Form localForm(RedisCommand command) {
        String modes =
                agreed().text() + (authenticated ? " authenticated" : "") + (refuses(command) ? " subscribed" : "");
        return RedisForms.of(client.named(command), Agreed.on(database, version, modes), RedisRule.DEFAULT);
    }

    /** The form of the open transaction as a whole. */
    Form transactionForm() {
        return RedisForms.of(
                transaction == null
                        ? List.of()
                        : transaction.stream().map(client::named).toList(),
                watched,
                agreed(),
                rule);
    }

    /** Whether the server tells the connection which of the keys that it has read have changed. */
    boolean isTracking() {
        return !tracking.isEmpty();
    }

    /** What the connection is subscribed to, as far as the server has confirmed it. */
    PushTally subscribed() {
        return subscribed;
    }

    /** Whether the server refuses a command because a subscriber in version 2 may only subscribe. */
    boolean refuses(RedisCommand command) {
        return version == 2 && !subscribed.isEmpty() && !WHILE_SUBSCRIBED.contains(command.name());
    }

    /** Bytes of the commands that EXEC would run, and of the keys that are watched. */
    long queuedBytes() {
        return queuedBytes;
    }

    /** Memory that all takes which the connection has agreed on. */
    long heldBytes() {
        return queuedMemory + subscribed.bytes() + 2L * name.length();
    }

    /** Whether the open transaction can't be executed any more. */
    boolean isAborted() {
        return aborted;
    }

    /** Drops what the open transaction has queued; nothing is queued from here on, and EXEC will fail. */
    void abortTransaction() {
        discardTransaction();
        transaction = new ArrayList<>();
        aborted = true;
    }

    /** The commands that EXEC would run. */
    List<RedisCommand> queued() {
        return transaction == null ? List.of() : List.copyOf(transaction);
    }

    void queue(RedisCommand command) {
        if (transaction != null && !aborted) {
            transaction.add(command);
            queuedBytes += command.bytes();
            queuedMemory += command.memory();
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
        aborted = false;
        watched.clear();
        queuedBytes = 0;
        queuedMemory = 0;
    }

    /** The next command's turn has come; ASKING is for the next command, or transaction, only. */
    void next() {
        if (transaction == null) {
            asking = asked;
            asked = false;
            caching = cachingAsked;
            cachingAsked = false;
        }
    }

    /** A command outside a transaction was answered without an error. */
    void succeeded(RedisCommand command) {
        switch (command.name()) {
            case "SELECT" -> database = number(command.text(0), database);
            case "AUTH" -> authenticated = true;
            case "HELLO" -> hello(command);
            case "MULTI" -> transaction = new ArrayList<>();
            case "WATCH" -> {
                watched.addAll(command.arguments());
                queuedBytes += command.bytes();
                queuedMemory += command.memory();
            }
            case "UNWATCH" -> discardTransaction();
            case "READONLY" -> readOnly = true;
            case "READWRITE" -> readOnly = false;
            case "ASKING" -> asked = true;
            case "RESET" -> {
                database = 0;
                version = 2;
                authenticated = false;
                name = "";
                readOnly = false;
                asked = false;
                cachingAsked = false;
                tracking = "";
                client.redirect(0);
                subscribed.clear();
                discardTransaction();
            }
            case "CLIENT" -> {
                switch (command.word(0)) {
                    case "SETNAME" -> name = command.text(1);
                    case "TRACKING" -> {
                        tracking = Tracking.of(command);
                        client.redirect(Tracking.redirection(command));
                    }
                    case "CACHING" -> cachingAsked = true;
                    default -> {
                        // tells something, or concerns other connections
                    }
                }
            }
            default -> {
                // no other command changes what a later one means
            }
        }
        plain = Agreed.on(database, version);
        client.rename(name);
    }

    private Agreed agreed() {
        if (isPlain()) {
            return plain;
        }
        StringJoiner modes = new StringJoiner(" ");
        modes.add(readOnly ? "READONLY" : "")
                .add(asking ? "ASKING" : "")
                .add(tracking)
                .add(caching ? "CACHING" : "");
        return Agreed.on(database, version, modes.toString().strip());
    }

    private void hello(RedisCommand command) {
        version = number(command.text(0), version);
        for (int i = 1; i < command.arguments().size(); i++) {
            if (command.word(i).equals("AUTH")) {
                authenticated = true;
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
