package dev.understudy.relay.loop;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelOption;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.channel.socket.nio.NioChannelOption;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.uring.IoUringChannelOption;
import io.netty.channel.uring.IoUringDomainSocketChannel;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.netty.channel.uring.IoUringSocketChannel;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.Locale;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How sockets are served: on Linux by epoll, or by io_uring if that is asked for; else by the JDK's selector. */
public enum Transport {
    EPOLL(EpollSocketChannel.class, EpollServerSocketChannel.class) {
        @Override
        @Nullable
        Throwable obstacle() {
            return Epoll.unavailabilityCause();
        }

        @Override
        ChannelOption<Boolean> quickAck() {
            return EpollChannelOption.TCP_QUICKACK;
        }

        @Override
        IoHandlerFactory handlers() {
            return EpollOnDemand.newFactory();
        }

        @Override
        Channel unixSocket() {
            return new EpollDomainSocketChannel();
        }

        @Override
        ServerChannel listeningSocket() {
            return new EpollServerSocketChannel();
        }

        @Override
        ServerChannel redirected(InetAddress listen) {
            return new EpollServerSocketChannel(
                    listen instanceof Inet4Address ? SocketProtocolFamily.INET : SocketProtocolFamily.INET6);
        }
    },
    IO_URING(IoUringSocketChannel.class, IoUringServerSocketChannel.class) {
        @Override
        @Nullable
        Throwable obstacle() {
            return IoUringOnDemand.obstacle();
        }

        @Override
        ChannelOption<Boolean> quickAck() {
            return IoUringChannelOption.TCP_QUICKACK;
        }

        @Override
        IoHandlerFactory handlers() {
            return IoUringOnDemand.newFactory();
        }

        @Override
        Channel unixSocket() {
            return new IoUringDomainSocketChannel();
        }

        @Override
        ServerChannel listeningSocket() {
            return new IoUringServerSocketChannel();
        }

        @Override
        ServerChannel redirected(InetAddress listen) {
            throw new UnsupportedOperationException("transparent listeners need epoll");
        }
    },
    NIO(NioSocketChannel.class, NioServerSocketChannel.class) {
        @Override
        @Nullable
        Throwable obstacle() {
            return null;
        }

        @Override
        ChannelOption<Boolean> quickAck() {
            return NIO_QUICKACK;
        }

        @Override
        IoHandlerFactory handlers() {
            return NioIoHandler.newFactory();
        }

        @Override
        Channel unixSocket() {
            throw new UnsupportedOperationException("Unix sockets need epoll or io_uring");
        }

        @Override
        ServerChannel listeningSocket() {
            return new NioServerSocketChannel();
        }

        @Override
        ServerChannel redirected(InetAddress listen) {
            throw new UnsupportedOperationException("transparent listeners need epoll");
        }
    };

    private static final Logger LOG = LoggerFactory.getLogger(Transport.class);
    private static final ChannelOption<Boolean> NIO_QUICKACK = NioChannelOption.of(ExtendedSocketOptions.TCP_QUICKACK);

    final Class<? extends SocketChannel> socket;
    final Class<? extends ServerChannel> server;

    Transport(Class<? extends SocketChannel> socket, Class<? extends ServerChannel> server) {
        this.socket = socket;
        this.server = server;
    }

    /** That the kernel acknowledges what has come, and doesn't wait for something to send along. */
    abstract ChannelOption<Boolean> quickAck();

    /**
     * Acknowledges what was read from {@code socket} at once, where the kernel can be told to: a server that writes a
     * reply in pieces, with Nagle's algorithm on, sends the next when the last was acknowledged, for which the kernel
     * takes up to 40 ms.
     */
    void acknowledge(Channel socket) {
        try {
            socket.config().setOption(quickAck(), true);
        } catch (ChannelException | UnsupportedOperationException gone) {
            // it has ended, or can't
        }
    }

    /** Why this machine doesn't have it; null if it does. */
    abstract @Nullable Throwable obstacle();

    abstract IoHandlerFactory handlers();

    /** An unconnected Unix stream socket. */
    abstract Channel unixSocket();

    /** An unbound listening socket. */
    abstract ServerChannel listeningSocket();

    /** An unbound listening socket of just that family, whose clients can be asked for their original destination. */
    abstract ServerChannel redirected(InetAddress listen);

    /** What this machine has. */
    public static Transport best() {
        return EPOLL.available() ? EPOLL : NIO;
    }

    /** This one, or {@link #best} if this machine doesn't have it, with a line in the log that says why. */
    public Transport orBest() {
        String missing = missing();
        if (missing.isEmpty()) {
            return this;
        }
        LOG.warn("{}; sockets are served by {} instead", missing, best().word());
        return best();
    }

    /** Says why this machine doesn't have it, or "" if it does. */
    public String missing() {
        Throwable root = obstacle();
        while (root != null && root.getCause() != null) {
            root = root.getCause();
        }
        return root == null ? "" : word() + " can't be had here (" + root.getMessage() + ")";
    }

    /** Whether this machine has it. */
    public boolean available() {
        return obstacle() == null;
    }

    /** Its name as settings, the status and metrics spell it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
