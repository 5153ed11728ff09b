package dev.understudy.relay.loop;

import io.netty.channel.Channel;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.Inet4Address;
import java.net.InetAddress;

/** How sockets are served: by epoll on Linux, else by the JDK's selector. */
public enum Transport {
    EPOLL(EpollSocketChannel.class, EpollServerSocketChannel.class) {
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
    NIO(NioSocketChannel.class, NioServerSocketChannel.class) {
        @Override
        IoHandlerFactory handlers() {
            return NioIoHandler.newFactory();
        }

        @Override
        Channel unixSocket() {
            throw new UnsupportedOperationException("Unix sockets need epoll");
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

    final Class<? extends SocketChannel> socket;
    final Class<? extends ServerChannel> server;

    Transport(Class<? extends SocketChannel> socket, Class<? extends ServerChannel> server) {
        this.socket = socket;
        this.server = server;
    }

    abstract IoHandlerFactory handlers();

    /** An unconnected Unix stream socket. */
    abstract Channel unixSocket();

    /** An unbound listening socket. */
    abstract ServerChannel listeningSocket();

    /** An unbound listening socket of just that family, whose clients can be asked for their original destination. */
    abstract ServerChannel redirected(InetAddress listen);

    /** What this machine has. */
    public static Transport best() {
        return Epoll.isAvailable() ? EPOLL : NIO;
    }
}
