package dev.understudy.relay.tls;

import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * How somebody calls a port that speaks TLS.
 *
 * @param authorities PEM, who may vouch for the port, and nobody else; null for those that the JDK trusts
 * @param own what the caller identifies itself with if the port asks; null for nothing
 */
public record CallerTlsConfig(
        @Nullable Path authorities, @Nullable KeyFiles own) {
    /** Trusts whom the JDK trusts, and identifies nobody. */
    public static CallerTlsConfig none() {
        return new CallerTlsConfig(null, null);
    }

    /** Whether nothing is set. */
    public boolean isEmpty() {
        return authorities == null && own == null;
    }

    /** The files that are named. */
    public List<Path> files() {
        List<Path> files = new ArrayList<>();
        if (authorities != null) {
            files.add(authorities);
        }
        if (own != null) {
            files.add(own.chain());
            files.add(own.key());
        }
        return files;
    }

    /**
     * Reads the files, for clients of the JDK's.
     *
     * @param setting where they are set, for messages
     * @throws IOException if they can't be read, or hold something else
     */
    public SSLContext read(String setting) throws IOException {
        return ((JdkSslContext) context(setting)).context();
    }

    /** Reads the files, for clients of Netty's; throws as {@link #read} does. */
    SslContext context(String setting) throws IOException {
        SslContextBuilder builder = SslContextBuilder.forClient()
                .sslProvider(SslProvider.JDK)
                .protocols(List.of("TLSv1.3", "TLSv1.2"))
                .endpointIdentificationAlgorithm("HTTPS");
        try {
            if (authorities != null) {
                builder.trustManager(authorities.toFile());
            }
            if (own != null) {
                builder.keyManager(own.chain().toFile(), own.key().toFile());
            }
            return builder.build();
        } catch (SSLException | IllegalArgumentException wrong) {
            throw new IOException(setting + ": " + wrong.getMessage(), wrong);
        }
    }
}
