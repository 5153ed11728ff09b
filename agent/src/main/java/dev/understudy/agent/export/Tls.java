package dev.understudy.agent.export;

import java.security.GeneralSecurityException;
import java.security.KeyManagementException;
import java.security.SecureRandom;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * What the agent's connections are encrypted with: nothing of the application's, and nothing at all where none is.
 *
 * <p>An HTTP client wants to have it even if it never asks it, and reading a JVM's trusted certificates is a good part
 * of what the agent's own start costs.
 */
final class Tls {
    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

    private Tls() {}

    /**
     * A context of these.
     *
     * @param keys null to identify itself with nothing
     * @throws GeneralSecurityException if the JVM has no TLS
     */
    static SSLContext context(KeyManager @Nullable [] keys, TrustManager[] trusted) throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys, trusted, new SecureRandom());
        return context;
    }

    /** A context that makes no connection. */
    static SSLContext none() {
        return new None();
    }

    private static final class None extends SSLContext {
        None() {
            super(new NoneSpi(), null, "none");
        }
    }

    private static final class NoneSpi extends SSLContextSpi {
        @Override
        protected void engineInit(KeyManager[] keys, TrustManager[] trusted, SecureRandom random)
                throws KeyManagementException {
            throw new KeyManagementException("no TLS");
        }

        @Override
        protected SSLSocketFactory engineGetSocketFactory() {
            throw new IllegalStateException("no TLS");
        }

        @Override
        protected SSLServerSocketFactory engineGetServerSocketFactory() {
            throw new IllegalStateException("no TLS");
        }

        @Override
        protected SSLEngine engineCreateSSLEngine() {
            throw new IllegalStateException("no TLS");
        }

        @Override
        protected SSLEngine engineCreateSSLEngine(String host, int port) {
            throw new IllegalStateException("no TLS");
        }

        @Override
        protected SSLSessionContext engineGetServerSessionContext() {
            throw new IllegalStateException("no TLS");
        }

        @Override
        protected SSLSessionContext engineGetClientSessionContext() {
            throw new IllegalStateException("no TLS");
        }

        @Override
        protected SSLParameters engineGetDefaultSSLParameters() {
            return new SSLParameters(new String[0], PROTOCOLS);
        }

        @Override
        protected SSLParameters engineGetSupportedSSLParameters() {
            return new SSLParameters(new String[0], PROTOCOLS);
        }
    }
}
