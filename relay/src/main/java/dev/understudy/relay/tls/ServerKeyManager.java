package dev.understudy.relay.tls;

import java.net.Socket;
import java.security.Principal;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Keys of a server whose handshakes are an engine's: which of them, is decided by the name that the client asks for.
 */
public abstract class ServerKeyManager extends X509ExtendedKeyManager {
    /** The name that a client has asked for in the handshake that goes on (SNI); null if it asked for none. */
    protected static @Nullable String wanted(@Nullable SSLEngine engine) {
        if (engine != null && engine.getHandshakeSession() instanceof ExtendedSSLSession session) {
            return session.getRequestedServerNames().stream()
                    .filter(SNIHostName.class::isInstance)
                    .map(name -> ((SNIHostName) name).getAsciiName())
                    .findFirst()
                    .orElse(null);
        }
        return null;
    }

    @Override
    public abstract @Nullable String chooseEngineServerAlias(
            String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine);

    @Override
    public final String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        return null;
    }

    @Override
    public final @Nullable String chooseServerAlias(
            String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return null;
    }

    @Override
    public final String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return null;
    }

    @Override
    public final @Nullable String chooseClientAlias(
            String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return null;
    }
}
