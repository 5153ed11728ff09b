package dev.understudy.relay.control;

import dev.understudy.relay.config.Section;
import dev.understudy.relay.config.TlsSection;
import dev.understudy.relay.config.Value;
import dev.understudy.relay.control.access.AccessConfig;
import dev.understudy.relay.tls.TerminateConfig;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Where the control port listens and who may call it.
 *
 * @param listen loopback unless a token is set; port 0 lets the system choose
 * @param access who is let in
 * @param maxConnections open at a time, {@value #LEAST} to {@value #MOST}; one more takes the place of an idle one
 * @param tls with what callers speak TLS; null for plain text
 */
public record ControlConfig(
        InetSocketAddress listen,
        AccessConfig access,
        int maxConnections,
        @Nullable TerminateConfig tls) {
    private static final int USUAL = 64;
    private static final int LEAST = 4;
    private static final int MOST = 10_000;

    public ControlConfig {
        if (maxConnections < LEAST || maxConnections > MOST) {
            throw new IllegalArgumentException(
                    "max-connections: " + maxConnections + " (expected: " + LEAST + " to " + MOST + ")");
        }
        if (listen.isUnresolved()) {
            listen = new InetSocketAddress(listen.getHostString(), listen.getPort());
        }
        if (listen.isUnresolved()) {
            throw new IllegalArgumentException("listen: " + listen.getHostString() + " (expected: a known host)");
        }
        if (!listen.getAddress().isLoopbackAddress()) {
            requireTokens(listen, access);
        }
    }

    /** With the usual number of connections, in plain text. */
    public ControlConfig(InetSocketAddress listen, AccessConfig access) {
        this(listen, access, USUAL, null);
    }

    /** Reads the section {@code control} of a configuration file; without one, loopback and {@code defaultPort}. */
    public static ControlConfig read(Section top, int defaultPort) {
        InetSocketAddress otherwise = InetSocketAddress.createUnresolved("127.0.0.1", defaultPort);
        return top.section("control")
                .build(
                        section -> new ControlConfig(
                                section.optional("listen", Value.address(), otherwise),
                                AccessConfig.read(section),
                                section.optional("max-connections", Value.integer(LEAST, MOST), USUAL),
                                section.has("tls") ? TlsSection.control(section.section("tls")) : null),
                        new ControlConfig(otherwise, AccessConfig.of("")));
    }

    private static void requireTokens(InetSocketAddress listen, AccessConfig access) {
        if (access.anonymous() != null) {
            throw new IllegalArgumentException(
                    "anonymous: " + access.anonymous().word() + " on " + listen.getHostString()
                            + " (expected: a loopback address, or none)");
        }
        if (access.tokens().isEmpty()) {
            throw new IllegalArgumentException("listen: " + listen.getHostString()
                    + " without a token (expected: a loopback address, or a token)");
        }
    }
}
