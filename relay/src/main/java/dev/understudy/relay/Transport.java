package dev.understudy.relay;

import io.netty.channel.Channel;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;

/** How sockets are served: by epoll on Linux, else by the JDK's selector. */
enum Transport {
    EPOLL(EpollSocketChannel.class, EpollServerSocketChannel.class) {
        @Override
        IoHandlerFactory handlers() {
            return EpollOnDemand.newFactory();
        }

        @Override
        Channel unixSocket() {
            return new EpollDomainSocketChannel();
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

    static Transport best() {
        return Epoll.isAvailable() ? EPOLL : NIO;
    }
}
