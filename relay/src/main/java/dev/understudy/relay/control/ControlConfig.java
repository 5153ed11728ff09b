package dev.understudy.relay.control;

import dev.understudy.relay.config.Section;
import dev.understudy.relay.config.Value;
import java.net.InetSocketAddress;

/**
 * Where the control port listens and who may call it.
 *
 * @param listen loopback unless a token is set; port 0 lets the system choose
 * @param token what callers send as {@code Authorization: Bearer …}; {@code ""} asks for none
 * @param maxConnections open at a time, {@value #LEAST} to {@value #MOST}; one more takes the place of an idle one
 */
public record ControlConfig(InetSocketAddress listen, String token, int maxConnections) {
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
        if (token.isEmpty() && !listen.getAddress().isLoopbackAddress()) {
            throw new IllegalArgumentException("listen: " + listen.getHostString()
                    + " without a token (expected: a loopback address, or a token)");
        }
    }

    /** With the usual number of connections. */
    public ControlConfig(InetSocketAddress listen, String token) {
        this(listen, token, USUAL);
    }

    /** Reads the section {@code control} of a configuration file; without one, loopback and {@code defaultPort}. */
    public static ControlConfig read(Section top, int defaultPort) {
        InetSocketAddress otherwise = InetSocketAddress.createUnresolved("127.0.0.1", defaultPort);
        return top.section("control")
                .build(
                        section -> new ControlConfig(
                                section.optional("listen", Value.address(), otherwise),
                                section.optional("token", Value.anyText(), ""),
                                section.optional("max-connections", Value.integer(LEAST, MOST), USUAL)),
                        new ControlConfig(otherwise, ""));
    }

    /** The token is a secret: it stays out of every log. */
    @Override
    public String toString() {
        return "ControlConfig[listen=" + listen + ", token=" + (token.isEmpty() ? "none" : "set") + ", maxConnections="
                + maxConnections + "]";
    }
}
