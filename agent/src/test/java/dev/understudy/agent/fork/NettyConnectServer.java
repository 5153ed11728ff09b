package dev.understudy.agent.fork;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringSocketChannel;
import java.net.InetSocketAddress;

/** As {@link ConnectServer}, by Netty's transports; of io_uring it says {@code missing} where there is none. */
public final class NettyConnectServer {
    private NettyConnectServer() {}

    public static void main(String[] arguments) throws Exception {
        if (Boolean.getBoolean("loaded")) { // all of them, before the agent is there
            connect("nio", new InetSocketAddress("127.0.0.1", Integer.getInteger("open")));
            connect("epoll", new InetSocketAddress("127.0.0.1", Integer.getInteger("open")));
        }
        ConnectServer.serve(NettyConnectServer::connect);
    }

    private static void connect(String way, InetSocketAddress to) throws Exception {
        switch (way) {
            case "socket" -> ConnectServer.connect(way, to);
            case "nio" -> connect(NioIoHandler.newFactory(), NioSocketChannel.class, to);
            case "epoll" -> connect(EpollIoHandler.newFactory(), EpollSocketChannel.class, to);
            case "datagram" -> connect(EpollIoHandler.newFactory(), EpollDatagramChannel.class, to);
            case "io_uring" -> {
                if (!IoUring.isAvailable()) {
                    throw new UnsupportedOperationException("missing");
                }
                connect(IoUringIoHandler.newFactory(), IoUringSocketChannel.class, to);
            }
            default -> throw new IllegalArgumentException(way);
        }
    }

    private static void connect(IoHandlerFactory transport, Class<? extends Channel> type, InetSocketAddress to)
            throws Exception {
        EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, transport);
        try {
            new Bootstrap()
                    .group(loop)
                    .channel(type)
                    .handler(new Closing())
                    .connect(to)
                    .sync()
                    .channel()
                    .close()
                    .sync();
        } finally {
            loop.shutdownGracefully();
        }
    }

    private static final class Closing extends ChannelInboundHandlerAdapter {
        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable problem) {
            context.close();
        }
    }
}
