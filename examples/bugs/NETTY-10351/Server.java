import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.multipart.DefaultHttpDataFactory;
import io.netty.handler.codec.http.multipart.HttpPostRequestDecoder;
import io.netty.handler.codec.http.multipart.InterfaceHttpData;
import java.nio.charset.StandardCharsets;

/** Says how many parts a form has that was posted. */
public final class Server {
    public static void main(String[] arguments) throws Exception {
        new ServerBootstrap()
                .group(new NioEventLoopGroup(1), new NioEventLoopGroup(4))
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline().addLast(new HttpServerCodec(), new Forms());
                    }
                })
                .bind("127.0.0.1", Integer.parseInt(arguments[0]))
                .sync()
                .channel()
                .closeFuture()
                .sync();
    }

    /** One connection's forms. */
    private static final class Forms extends SimpleChannelInboundHandler<HttpObject> {
        private HttpPostRequestDecoder decoder;

        @Override
        protected void channelRead0(ChannelHandlerContext context, HttpObject message) {
            if (message instanceof HttpRequest && ((HttpRequest) message).method().equals(HttpMethod.POST)) {
                DefaultHttpDataFactory onDisk = new DefaultHttpDataFactory(true);
                onDisk.setDeleteOnExit(true);
                decoder = new HttpPostRequestDecoder(onDisk, (HttpRequest) message);
            }
            if (message instanceof HttpContent && decoder != null) {
                decoder.offer((HttpContent) message);
            }
            if (message instanceof LastHttpContent) {
                answer(context, decoder == null ? "hello" : "parts: " + parts());
            }
        }

        private int parts() {
            int parts = 0;
            for (InterfaceHttpData part : decoder.getBodyHttpDatas()) {
                parts += part.getName().isEmpty() ? 0 : 1;
            }
            decoder.destroy();
            decoder = null;
            return parts;
        }

        private static void answer(ChannelHandlerContext context, String text) {
            DefaultFullHttpResponse response = new DefaultFullHttpResponse(
                    HttpVersion.HTTP_1_1,
                    HttpResponseStatus.OK,
                    Unpooled.copiedBuffer(text, StandardCharsets.UTF_8));
            response.headers().set("Content-Length", response.content().readableBytes());
            context.writeAndFlush(response);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }
}
