package dev.understudy.agent.export;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** What the operator has set of the agent's TLS: whom it trusts, and what it identifies itself with. Immutable. */
public final class TlsSettings {
    private final boolean encrypts;
    private final String authorities;
    private final String keystore;
    private final String password;

    /**
     * Reads nothing yet.
     *
     * @param encrypts whether any URL that the agent calls is one of HTTPS
     * @param authorities a PEM file: who may vouch for the other side, and nobody else; "" for those that the JVM
     *     trusts
     * @param keystore a PKCS12 file with the agent's key; "" for none
     * @param password the key store's
     */
    public TlsSettings(boolean encrypts, String authorities, String keystore, String password) {
        this.encrypts = encrypts;
        this.authorities = authorities;
        this.keystore = keystore;
        this.password = password;
    }

    /** Of an agent that calls no HTTPS URL. */
    public static TlsSettings none() {
        return new TlsSettings(false, "", "", "");
    }

    /**
     * A context of these.
     *
     * @throws GeneralSecurityException if a file can't be read, or the JVM has no TLS; the message names the setting
     */
    SSLContext context() throws GeneralSecurityException {
        return encrypts ? Tls.context(keys(), trusted()) : Tls.none();
    }

    private TrustManager[] trusted() throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(authorities.isEmpty() ? null : anchors());
        return factory.getTrustManagers();
    }

    private KeyStore anchors() throws GeneralSecurityException {
        KeyStore anchors = KeyStore.getInstance("PKCS12");
        int read = 0;
        try (InputStream in = Files.newInputStream(Path.of(authorities))) {
            anchors.load(null, null);
            for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                anchors.setCertificateEntry("ca" + read++, each);
            }
        } catch (IOException | GeneralSecurityException unreadable) {
            throw wrong("ca", authorities, unreadable);
        }
        if (read == 0) {
            throw new GeneralSecurityException("ca: " + authorities + ": no certificate (expected: PEM)");
        }
        return anchors;
    }

    private KeyManager @Nullable [] keys() throws GeneralSecurityException {
        if (keystore.isEmpty()) {
            return null;
        }
        try (InputStream in = Files.newInputStream(Path.of(keystore))) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(in, password.toCharArray());
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(store, password.toCharArray());
            return factory.getKeyManagers();
        } catch (IOException | GeneralSecurityException unreadable) {
            throw wrong("keystore", keystore, unreadable);
        }
    }

    private static GeneralSecurityException wrong(String setting, String file, Exception unreadable) {
        return new GeneralSecurityException(setting + ": " + file + " can't be read: " + unreadable, unreadable);
    }
}
