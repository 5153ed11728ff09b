package dev.understudy.relay.tls;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * TLS towards clients.
 *
 * @param certificates at least one; a client gets the first that is made out to the name it asks for, else the first
 * @param protocols what is agreed on with clients that offer it (ALPN), in order of preference; may be empty.
 *     Production has to speak each of them
 * @param clients PEM, who may vouch for clients, each of which then has to present a certificate; null to ask for none
 */
public record TerminateConfig(
        List<KeyFiles> certificates,
        List<String> protocols,
        @Nullable Path clients) {
    public TerminateConfig {
        certificates = List.copyOf(certificates);
        protocols = List.copyOf(protocols);
        if (certificates.isEmpty()) {
            throw new IllegalArgumentException("certificates: none (expected: at least one)");
        }
    }

    /** Without asking clients for certificates. */
    public TerminateConfig(List<KeyFiles> certificates, List<String> protocols) {
        this(certificates, protocols, null);
    }
}
