package dev.understudy.relay.control.access;

/**
 * Somebody who was let in.
 *
 * @param name the token's name, or {@code anonymous}
 */
public record Caller(String name, Role role) {
    /** One without a token. */
    public static Caller anonymous(Role role) {
        return new Caller("anonymous", role);
    }
}
