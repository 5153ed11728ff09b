package dev.understudy.divergence.wire;

import java.util.Locale;
import java.util.Optional;

/** A protocol that a connection is framed by; {@link #TCP} means bytes only. */
public enum Protocol {
    TCP,
    HTTP,
    REDIS,
    POSTGRES;

    /** The protocol of that name, in any case, or empty if there is none. */
    public static Optional<Protocol> named(String name) {
        for (Protocol protocol : values()) {
            if (protocol.name().equalsIgnoreCase(name)) {
                return Optional.of(protocol);
            }
        }
        return Optional.empty();
    }

    /** The name as configuration files spell it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
