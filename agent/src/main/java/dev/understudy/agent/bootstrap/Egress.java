package dev.understudy.agent.bootstrap;

import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * What woven sockets call before they connect, while the application may not connect to everywhere.
 *
 * <p>Unlike the rest of this package it throws on purpose, and may wait for seconds: a connection that nobody could
 * decide about is refused. Safe for any threads.
 */
public final class Egress {
    private static volatile @Nullable EgressGuard guard;

    private Egress() {}

    /** From now on {@code decides} is asked about all connections, or nobody. */
    public static void guard(@Nullable EgressGuard decides) {
        guard = decides;
    }

    /** A socket is about to connect. */
    public static void connecting(@Nullable InetAddress address, int port) throws ConnectException {
        if (address != null) {
            connecting(new InetSocketAddress(address, port));
        }
    }

    /** A channel is about to connect; only addresses of the Internet are guarded, as are those that are resolved. */
    public static void connecting(@Nullable SocketAddress to) throws ConnectException {
        EgressGuard standing = guard;
        if (standing == null || !(to instanceof InetSocketAddress) || ((InetSocketAddress) to).isUnresolved()) {
            return;
        }
        try {
            standing.check((InetSocketAddress) to);
        } catch (ConnectException refused) {
            throw refused;
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            throw new ConnectException("refused by the understudy agent: egress=deny, and a fault of the agent's own");
        }
    }

    /** A channel of Netty's is about to connect, or what works for it; datagrams aren't guarded. */
    public static void connecting(Object channel, @Nullable SocketAddress to) throws ConnectException {
        String name = channel.getClass().getName();
        if (name.indexOf("Datagram", name.lastIndexOf('.') + 1) < 0) {
            connecting(to);
        }
    }
}
