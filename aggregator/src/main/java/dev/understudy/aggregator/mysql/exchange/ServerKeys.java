package dev.understudy.aggregator.mysql.exchange;

/** Under which keys facts are that aren't about one form. */
public enum ServerKeys {
    /** What the server says first, a {@code ServerGreeting}. */
    GREETING,
    /** How it lets clients in, an {@code Ok}. */
    LOGIN,
    /** The isolation level of sessions that choose none, a {@code String} in the server's words. */
    USUAL_LEVEL
}
