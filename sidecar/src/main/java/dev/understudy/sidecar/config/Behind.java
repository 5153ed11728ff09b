package dev.understudy.sidecar.config;

import dev.understudy.relay.config.Section;
import dev.understudy.relay.config.Value;
import dev.understudy.relay.tls.ServerNames;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which clients of another listener one gets, instead of a port of its own.
 *
 * @param listener the other one's name; it ends the clients' TLS
 * @param serverNames what they ask for in their handshake
 */
public record Behind(String listener, ServerNames serverNames) {
    private static final Pattern NAME = Pattern.compile("(\\*\\.)?[A-Za-z0-9_-]{1,63}(\\.[A-Za-z0-9_-]{1,63})*");

    /** Null for one that listens itself. */
    static @Nullable Behind read(Section section) {
        String listener = section.optional("behind", Value.anyText(), "");
        if (listener.isEmpty()) {
            return null;
        }
        List<String> names = section.listed("server-names", name());
        if (names.isEmpty()) {
            section.problem("server-names: none (expected: at least one, as clients of " + listener + " ask for it)");
        }
        return new Behind(listener, new ServerNames(names));
    }

    private static Value<String> name() {
        return new Value<>(
                "a host name, or *. and one",
                raw -> {
                    if (!NAME.matcher(raw).matches()) {
                        throw new IllegalArgumentException(raw);
                    }
                    return raw;
                },
                "name");
    }
}
