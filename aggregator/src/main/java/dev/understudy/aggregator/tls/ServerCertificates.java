package dev.understudy.aggregator.tls;

import dev.understudy.relay.tls.ServerKeyManager;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/**
 * The certificates of the debug ports: one for all names that are known, and one more for each other name that a client
 * asks for in its handshake (SNI), made then. Only the latest of those are kept.
 *
 * <p>Their key lives in memory only. Thread-safe: what is made is guarded by {@code this}.
 */
final class ServerCertificates extends ServerKeyManager {
    private static final int KEPT = 256;
    private static final Duration RENEWAL = Duration.ofDays(30);
    private static final String KNOWN = "";

    private final Authority authority;
    private final KeyPair keys;
    private final List<HostName> known;
    private final InstantSource clock;
    private final Map<String, X509Certificate> made = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, X509Certificate> eldest) {
            return size() > KEPT;
        }
    };

    /** @param known at least one */
    ServerCertificates(Authority authority, List<HostName> known, InstantSource clock) throws GeneralSecurityException {
        this.authority = authority;
        this.keys = Authority.keys();
        this.known = List.copyOf(known);
        this.clock = clock;
        certificate(KNOWN);
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
            String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        if (!keyType.equals("EC")) {
            return null;
        }
        String wanted = wanted(engine);
        return wanted == null ? KNOWN : alias(wanted);
    }

    private String alias(String wanted) {
        return !HostName.fits(wanted) || known.contains(HostName.parse(wanted))
                ? KNOWN
                : HostName.parse(wanted).spelled();
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        try {
            return new X509Certificate[] {certificate(alias), authority.certificate()};
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("no certificate can be made for " + alias, e);
        }
    }

    private synchronized X509Certificate certificate(String alias) throws GeneralSecurityException {
        X509Certificate certificate = made.get(alias);
        Instant soon = clock.instant().plus(RENEWAL);
        if (certificate == null || certificate.getNotAfter().toInstant().isBefore(soon)) {
            List<HostName> names = new ArrayList<>();
            if (!alias.equals(KNOWN)) {
                names.add(HostName.parse(alias));
            }
            names.addAll(known);
            certificate = authority.issue(names, keys.getPublic(), clock);
            made.put(alias, certificate);
        }
        return certificate;
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        return keys.getPrivate();
    }
}
