package dev.understudy.agent.fork;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringBufferRingConfig;
import io.netty.channel.uring.IoUringChannelOption;
import io.netty.channel.uring.IoUringFixedBufferRingAllocator;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringIoHandlerConfig;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.netty.handler.codec.LineBasedFrameDecoder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/**
 * The application in a forked JVM on Netty alone, with one event loop: answers each line as {@link LineServer} does, by
 * {@code -Dtransport=nio}, {@code epoll}, {@code io_uring} or {@code ring} (io_uring, whose kernel chooses the
 * buffers). Where there is no io_uring it says {@code missing WHY}, and that its port is 0.
 */
public final class NettyLineServer {
    private static final short GROUP = 1;

    private NettyLineServer() {}

    public static void main(String[] arguments) throws InterruptedException {
        String transport = System.getProperty("transport", "nio");
        boolean ring = transport.equals("ring");
        if ((ring || transport.equals("io_uring")) && !IoUring.isAvailable()) {
            System.out.println("missing " + IoUring.unavailabilityCause());
            System.out.println("port 0");
            return;
        }
        ServerBootstrap server = new ServerBootstrap().childHandler(new ChannelInitializer<Channel>() {
            @Override
            protected void initChannel(Channel channel) {
                channel.pipeline().addLast(new LineBasedFrameDecoder(1024), new Answers());
            }
        });
        if (ring) {
            server.childOption(IoUringChannelOption.IO_URING_BUFFER_GROUP_ID, GROUP);
        }
        Channel listening = server.channel(channel(transport))
                .group(new MultiThreadIoEventLoopGroup(1, io(transport)))
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .sync()
                .channel();
        System.out.println("port " + ((InetSocketAddress) listening.localAddress()).getPort());
        listening.closeFuture().sync();
    }

    private static Class<? extends ServerChannel> channel(String transport) {
        return switch (transport) {
            case "nio" -> NioServerSocketChannel.class;
            case "epoll" -> EpollServerSocketChannel.class;
            default -> IoUringServerSocketChannel.class;
        };
    }

    private static IoHandlerFactory io(String transport) {
        return switch (transport) {
            case "nio" -> NioIoHandler.newFactory();
            case "epoll" -> EpollIoHandler.newFactory();
            case "ring" ->
                IoUringIoHandler.newFactory(new IoUringIoHandlerConfig()
                        .setBufferRingConfig(IoUringBufferRingConfig.builder()
                                .bufferGroupId(GROUP)
                                .bufferRingSize((short) 16)
                                .batchSize(16)
                                .allocator(new IoUringFixedBufferRingAllocator(1024))
                                .build()));
            default -> IoUringIoHandler.newFactory();
        };
    }

    private static final class Answers extends SimpleChannelInboundHandler<ByteBuf> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf line) {
            byte[] answer = LineServer.answer(line.toString(StandardCharsets.US_ASCII));
            context.writeAndFlush(Unpooled.wrappedBuffer(answer));
        }
    }
}
