package dev.understudy.relay.tls;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * TLS towards production.
 *
 * @param serverName what production's certificate has to be made out to, and what it is asked for (SNI)
 * @param authorities PEM, who may vouch for production; null for those that the JDK trusts
 * @param own what we identify ourselves with if production asks; null for nothing
 * @param protocols what production is offered (ALPN), in order of preference, for clients that have agreed on nothing;
 *     may be empty
 */
public record OriginateConfig(
        String serverName,
        @Nullable Path authorities,
        @Nullable KeyFiles own,
        List<String> protocols) {
    public OriginateConfig {
        protocols = List.copyOf(protocols);
        if (serverName.isBlank()) {
            throw new IllegalArgumentException("server-name: blank (expected: a name)");
        }
    }
}
