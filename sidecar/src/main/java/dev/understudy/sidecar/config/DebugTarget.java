package dev.understudy.sidecar.config;

import dev.understudy.relay.config.Section;
import dev.understudy.relay.config.TlsSection;
import dev.understudy.relay.config.Value;
import dev.understudy.relay.tls.OriginateConfig;
import dev.understudy.sidecar.verdict.CopyState;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One debug JVM behind a listener.
 *
 * @param name which JVM it is: the same name at several listeners is the same one
 * @param address where it listens
 * @param tls how it is spoken to; null for plain text
 * @param state what it began with; null if nobody said
 */
public record DebugTarget(
        String name,
        InetSocketAddress address,
        @Nullable OriginateConfig tls,
        @Nullable CopyState state) {
    private static final String NAME = "debug";

    /** One that is spoken to in plain text. */
    public DebugTarget(String name, InetSocketAddress address) {
        this(name, address, null, null);
    }

    /** The only one. */
    public static DebugTarget of(InetSocketAddress address) {
        return new DebugTarget(NAME, address);
    }

    /**
     * Reads {@code debug}: none, {@code host:port}, or a list of them, each with {@code name=} before it if it has one.
     * A mapping of {@code name}, {@code address}, {@code tls} and {@code copy} may stand in the place of each.
     */
    static List<DebugTarget> read(Section listener) {
        List<DebugTarget> targets = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (DebugTarget target : listener.listed("debug", value(), DebugTarget::mapped)) {
            int number = targets.size() + 1;
            String otherwise = number == 1 ? NAME : NAME + "-" + number;
            String name = target.name.isEmpty() ? otherwise : target.name;
            if (!names.add(name)) {
                listener.problem("debug: " + name + " (expected: a different name for each)");
            }
            targets.add(new DebugTarget(name, target.address, target.tls, target.state));
        }
        return targets;
    }

    private static DebugTarget mapped(Section section) {
        return new DebugTarget(
                section.optional("name", Value.text(), ""),
                section.required("address", Value.address()),
                section.has("tls") ? TlsSection.originate(section.section("tls")) : null,
                section.has("copy") ? section.required("copy", Value.choice(CopyState.class)) : null);
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
