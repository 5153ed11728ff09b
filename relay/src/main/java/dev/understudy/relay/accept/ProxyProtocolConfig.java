package dev.understudy.relay.accept;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;

/**
 * The PROXY protocol on one listener: a header before a connection's first byte that says who the client really is.
 *
 * @param version how it is written to production
 * @param trusted from whom it is accepted; everybody else is reset when it is wanted
 * @param timeout how long the header may take to come, 10 ms to 10 min
 */
public record ProxyProtocolConfig(Mode mode, Version version, List<Subnet> trusted, Duration timeout) {
    /** No headers. */
    public static final ProxyProtocolConfig OFF =
            new ProxyProtocolConfig(Mode.OFF, Version.V2, List.of(), Duration.ofSeconds(5));

    public ProxyProtocolConfig {
        trusted = List.copyOf(trusted);
        if ((mode == Mode.IN || mode == Mode.BOTH) && trusted.isEmpty()) {
            throw new IllegalArgumentException("trusted: none (expected: the peers whose headers are believed)");
        }
        if (timeout.toMillis() < 10 || timeout.toMillis() > 600_000) {
            throw new IllegalArgumentException("header-timeout: " + timeout + " (expected: 10ms to 10m)");
        }
    }

    /** Who gets a header. */
    public enum Mode {
        /** Nobody. */
        OFF,
        /** The listener wants one; production gets none. */
        IN,
        /** Production gets one; the listener wants none. */
        OUT,
        /** The listener wants one, and production gets the same client told. */
        BOTH
    }

    /** How it is written. */
    public enum Version {
        /** One line of text. */
        V1,
        /** Binary, with the type-length-value fields of the header that came in. */
        V2
    }

    /** Whether a connection has to begin with a header. */
    public boolean wanted() {
        return mode == Mode.IN || mode == Mode.BOTH;
    }

    /** Whether production gets one. */
    public boolean sent() {
        return mode == Mode.OUT || mode == Mode.BOTH;
    }

    /** Whether a header of this peer is believed. */
    public boolean trusts(SocketAddress peer) {
        if (!(peer instanceof InetSocketAddress inet)) {
            return false;
        }
        InetAddress address = inet.getAddress();
        return trusted.stream().anyMatch(subnet -> subnet.contains(address));
    }
}
