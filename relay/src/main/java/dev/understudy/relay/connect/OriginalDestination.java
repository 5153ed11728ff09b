package dev.understudy.relay.connect;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.unix.RawUnixChannelOption;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Where a client wanted to go before a packet filter redirected it to us: the socket option {@code SO_ORIGINAL_DST},
 * which the kernel answers from its table of tracked connections.
 *
 * <p>For sockets of Netty's epoll transport; one system call, which doesn't block.
 */
public final class OriginalDestination {
    private static final int SO_ORIGINAL_DST = 80;
    private static final int PORT_AT = 2;
    private static final int V4_AT = 4;
    private static final int V6_AT = 8;
    private static final RawUnixChannelOption V4 = new RawUnixChannelOption("IP", 0, SO_ORIGINAL_DST, 16);
    private static final RawUnixChannelOption V6 = new RawUnixChannelOption("IPV6", 41, SO_ORIGINAL_DST, 28);

    private OriginalDestination() {}

    /** The destination, or null if the kernel doesn't know one: the client wasn't redirected. */
    public static @Nullable InetSocketAddress of(Channel client) {
        boolean six = ((InetSocketAddress) client.localAddress()).getAddress() instanceof Inet6Address;
        try {
            ByteBuffer raw = client.config().getOption(six ? V6 : V4);
            return raw == null ? null : parse(raw, six);
        } catch (ChannelException unknown) {
            return null;
        }
    }

    /** Reads a {@code sockaddr_in} or {@code sockaddr_in6}. */
    static @Nullable InetSocketAddress parse(ByteBuffer raw, boolean six) {
        byte[] address = new byte[six ? 16 : 4];
        int at = six ? V6_AT : V4_AT;
        if (raw.remaining() < at + address.length) {
            return null;
        }
        raw.get(raw.position() + at, address);
        try {
            int port = raw.getShort(raw.position() + PORT_AT) & 0xffff;
            return port == 0 ? null : new InetSocketAddress(InetAddress.getByAddress(address), port);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }
}
