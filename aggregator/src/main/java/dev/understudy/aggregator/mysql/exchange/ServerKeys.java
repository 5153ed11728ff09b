package dev.understudy.aggregator.mysql.exchange;

import dev.understudy.aggregator.fact.ServerKey;
import dev.understudy.divergence.wire.mysql.ServerGreeting;
import dev.understudy.divergence.wire.mysql.result.Ok;
import java.util.List;

/** Under which keys facts are that are about the server itself. */
public final class ServerKeys {
    /** What the server says first; the connection's number is 0. */
    public static final ServerKey<ServerGreeting> GREETING = new ServerKey<>("greeting", ServerGreeting.class);
    /** How it lets clients in. */
    public static final ServerKey<Ok> LOGIN = new ServerKey<>("login", Ok.class);
    /** The isolation level of sessions that choose none, in the server's words. */
    public static final ServerKey<String> USUAL_LEVEL = new ServerKey<>("usualLevel", String.class);

    public static final List<ServerKey<?>> ALL = List.of(GREETING, LOGIN, USUAL_LEVEL);

    private ServerKeys() {}
}
