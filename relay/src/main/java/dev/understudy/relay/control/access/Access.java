package dev.understudy.relay.control.access;

import java.util.Arrays;
import java.util.stream.Collectors;

/** Who may use a route. */
public enum Access {
    /** Everybody, without a token. */
    PUBLIC,
    /** Everybody, without a token, but no page of another origin: to sign in and out. */
    OWN_PAGE,
    /** Whoever has a token. */
    ANY_ROLE,
    /** Agents, with reports. */
    AGENT,
    /** A sidecar at an aggregator's port, with what it serves. */
    SIDECAR,
    /** Whoever looks. */
    READ,
    /** Whoever looks at what isn't masked, such as source code. */
    INSPECT,
    /** Who may operate, to tell of what has happened elsewhere: no order, since it changes nothing. */
    TELL,
    /** Whoever gives orders that are easily taken back. */
    OPERATE,
    /** Whoever may do everything. */
    ADMIN;

    /** Whether a caller with that role may use it. */
    public boolean permits(Role role) {
        return switch (this) {
            case PUBLIC, OWN_PAGE, ANY_ROLE -> true;
            case AGENT -> role == Role.AGENT || role == Role.ADMIN;
            case READ -> role != Role.AGENT;
            case SIDECAR, INSPECT, TELL, OPERATE -> role == Role.OPERATE || role == Role.ADMIN;
            case ADMIN -> role == Role.ADMIN;
        };
    }

    /** Whether its calls are orders, which are audited. */
    public boolean isOrder() {
        return this == OPERATE || this == ADMIN;
    }

    /** The roles that it needs, for messages. */
    public String expected() {
        return Arrays.stream(Role.values())
                .filter(this::permits)
                .map(Role::word)
                .collect(Collectors.joining(" or "));
    }
}
