package dev.understudy.sidecar;

import dev.understudy.relay.config.Section;
import dev.understudy.relay.config.Value;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * One debug JVM behind a listener.
 *
 * @param name which JVM it is: the same name at several listeners is the same one
 * @param address where it listens
 */
public record DebugTarget(String name, InetSocketAddress address) {
    private static final String NAME = "debug";

    /** The only one. */
    static DebugTarget of(InetSocketAddress address) {
        return new DebugTarget(NAME, address);
    }

    /** Reads {@code debug}: none, {@code host:port}, or a list of them, each with {@code name=} before it if it has one. */
    static List<DebugTarget> read(Section listener) {
        List<DebugTarget> targets = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (DebugTarget target : listener.listed("debug", value())) {
            int number = targets.size() + 1;
            String otherwise = number == 1 ? NAME : NAME + "-" + number;
            String name = target.name.isEmpty() ? otherwise : target.name;
            if (!names.add(name)) {
                listener.problem("debug: " + name + " (expected: a different name for each)");
            }
            targets.add(new DebugTarget(name, target.address));
        }
        return targets;
    }

    private static Value<DebugTarget> value() {
        return new Value<>(
                "host:port, or name=host:port",
                raw -> {
                    int equals = raw.indexOf('=');
                    return new DebugTarget(
                            raw.substring(0, Math.max(0, equals)).trim(),
                            Value.address()
                                    .parse()
                                    .apply(raw.substring(equals + 1).trim()));
                },
                new DebugTarget("", Value.address().placeholder()));
    }
}
