package dev.understudy.relay.tls;

import java.util.List;

/**
 * TLS towards clients.
 *
 * @param certificates at least one; a client gets the first that is made out to the name it asks for, else the first
 * @param protocols what is agreed on with clients that offer it (ALPN), in order of preference; may be empty. Production has
 *     to speak each of them
 */
public record TerminateConfig(List<KeyFiles> certificates, List<String> protocols) {
    public TerminateConfig {
        certificates = List.copyOf(certificates);
        protocols = List.copyOf(protocols);
        if (certificates.isEmpty()) {
            throw new IllegalArgumentException("certificates: none (expected: at least one)");
        }
    }
}
