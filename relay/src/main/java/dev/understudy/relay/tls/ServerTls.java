package dev.understudy.relay.tls;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** TLS towards clients: version 1.2 or 1.3, terminated here. Thread-safe but for {@link #refresh}. */
public final class ServerTls implements TlsSide {
    private static final Logger LOG = LoggerFactory.getLogger(ServerTls.class);

    private final TerminateConfig config;
    private final Certificates certificates;
    private final WatchedFiles files;
    private final Executor handshakes;
    private volatile SslContext context;

    /**
     * Reads the certificates.
     *
     * @param handshakes computes what a handshake needs, off the relay loops
     * @throws IOException if they can't be read, or aren't certificates with their keys
     */
    public ServerTls(TerminateConfig config, Executor handshakes) throws IOException {
        this.config = config;
        this.handshakes = handshakes;
        this.files = new WatchedFiles(Stream.concat(
                        config.certificates().stream().flatMap(each -> Stream.of(each.chain(), each.key())),
                        Stream.ofNullable(config.clients()))
                .<Path>map(each -> each)
                .toList());
        files.changed();
        try {
            this.certificates = new Certificates(config.certificates());
            this.context = context(config, certificates);
        } catch (GeneralSecurityException wrong) {
            throw new IOException(wrong.getMessage(), wrong);
        }
    }

    private static SslContext context(TerminateConfig config, Certificates certificates) throws IOException {
        SslContextBuilder builder = SslContextBuilder.forServer(certificates)
                .sslProvider(SslProvider.JDK)
                .protocols(List.of("TLSv1.3", "TLSv1.2"))
                .applicationProtocolConfig(Alpn.of(config.protocols()));
        if (config.clients() != null) {
            try {
                builder.trustManager(config.clients().toFile()).clientAuth(ClientAuth.REQUIRE);
            } catch (IllegalArgumentException wrong) {
                throw new IOException("clients: " + wrong.getMessage(), wrong);
            }
        }
        return builder.build();
    }

    /** What a client has agreed on after its handshake; null for nothing, and for one that speaks plain text. */
    public static @Nullable String agreed(Channel client) {
        SslHandler tls = client.pipeline().get(SslHandler.class);
        return tls == null ? null : tls.applicationProtocol();
    }

    /** The name that a client has asked for in its handshake; null for none, and for one that speaks plain text. */
    public static @Nullable String requested(Channel client) {
        SslHandler tls = client.pipeline().get(SslHandler.class);
        if (tls == null || !(tls.engine().getSession() instanceof ExtendedSSLSession session)) {
            return null;
        }
        for (SNIServerName name : session.getRequestedServerNames()) {
            if (name instanceof SNIHostName host) {
                return host.getAsciiName();
            }
        }
        return null;
    }

    @Override
    public SslHandler handler(ByteBufAllocator allocator) {
        return context.newHandler(allocator, handshakes);
    }

    @Override
    public void refresh() {
        if (files.changed()) {
            try {
                // of a new one for clients, too: sessions that the old one vouches for aren't resumed
                SslContext next = config.clients() == null ? context : context(config, certificates);
                certificates.reload(config.certificates());
                context = next;
                LOG.info("certificates were read again: {}", config.certificates());
            } catch (IOException | GeneralSecurityException wrong) {
                LOG.warn("certificates stay as they were: {}", wrong.toString());
            }
        }
    }
}
