package dev.understudy.relay.tls;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS towards production, or a debug JVM: its certificate is always checked, by chain and by name; and it speaks what
 * its client speaks. Thread-safe but for {@link #refresh}.
 */
public final class ClientTls implements TlsSide {
    private static final int ANY_PORT = 443;
    private static final String HTTP = "http/1.1";
    private static final Logger LOG = LoggerFactory.getLogger(ClientTls.class);

    private final String setting;
    private final OriginateConfig config;
    private final WatchedFiles files;
    private final Executor handshakes;
    private volatile SslContext context;

    /**
     * Reads the files.
     *
     * @param setting where it is set, for messages
     * @param handshakes computes what a handshake needs, off the event loops
     * @throws IOException if they can't be read, or hold something else
     */
    public ClientTls(String setting, OriginateConfig config, Executor handshakes) throws IOException {
        this.setting = setting;
        this.config = config;
        this.handshakes = handshakes;
        this.files = new WatchedFiles(caller(config).files());
        files.changed();
        this.context = caller(config).context(setting);
    }

    private static CallerTlsConfig caller(OriginateConfig config) {
        return new CallerTlsConfig(config.authorities(), config.own());
    }

    @Override
    public SslHandler handler(ByteBufAllocator allocator) {
        return handler(allocator, null);
    }

    /** One that offers production what its client has agreed on with us; what is set, if it has agreed on nothing. */
    public SslHandler handler(ByteBufAllocator allocator, @Nullable String agreed) {
        SslHandler handler = context.newHandler(allocator, config.serverName(), ANY_PORT, handshakes);
        List<String> offered = agreed == null ? config.protocols() : List.of(agreed);
        SSLParameters parameters = handler.engine().getSSLParameters();
        parameters.setApplicationProtocols(offered.toArray(String[]::new));
        handler.engine().setSSLParameters(parameters);
        return handler;
    }

    /**
     * Whether production, after its handshake, speaks what its client has {@code agreed} on with us. Only HTTP/1.1 is
     * what a server may take for granted (RFC 7301 leaves it open, RFC 9113 section 3.2 forbids it for HTTP/2).
     */
    public static boolean suits(SslHandler production, @Nullable String agreed) {
        String spoken = production.engine().getApplicationProtocol();
        return agreed == null || agreed.equals(spoken) || (agreed.equals(HTTP) && (spoken == null || spoken.isEmpty()));
    }

    /** Whether a handshake failed because production speaks nothing of what it was offered (RFC 7301, section 3.2). */
    public static boolean refusedProtocol(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (String.valueOf(cause.getMessage()).contains("no_application_protocol")) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void refresh() {
        if (files.changed()) {
            try {
                context = caller(config).context(setting);
                LOG.info("{}: the files were read again", setting);
            } catch (IOException wrong) {
                LOG.warn("{}: stays as it was: {}", setting, wrong.getMessage());
            }
        }
    }
}
