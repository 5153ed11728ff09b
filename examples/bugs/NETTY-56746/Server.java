import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.codec.http.cors.CorsConfig;
import io.netty.handler.codec.http.cors.CorsConfigBuilder;
import io.netty.handler.codec.http.cors.CorsHandler;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Tells prices, and takes orders, for the pages of two partners, of which each has its own rebate. */
public final class Server {
    private static final Map<String, Integer> REBATES = Map.of("http://books.test", 10, "http://toys.test", 25);
    private static final AtomicInteger ORDERS = new AtomicInteger();

    public static void main(String[] arguments) throws Exception {
        CorsConfig partners = CorsConfigBuilder.forOrigins(REBATES.keySet().toArray(new String[0]))
                .allowedRequestMethods(HttpMethod.GET, HttpMethod.POST)
                .allowedRequestHeaders("Content-Type")
                .shortCircuit()
                .build();
        new ServerBootstrap()
                .group(new NioEventLoopGroup(1), new NioEventLoopGroup(4))
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline()
                                .addLast(new HttpServerCodec(), new HttpObjectAggregator(10_000))
                                .addLast(new CorsHandler(partners), new Shop());
                    }
                })
                .bind("127.0.0.1", Integer.parseInt(arguments[0]))
                .sync()
                .channel()
                .closeFuture()
                .sync();
    }

    /** Answers those whom the handler before it lets in. */
    private static final class Shop extends SimpleChannelInboundHandler<FullHttpRequest> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
            String path = new QueryStringDecoder(request.uri()).path();
            String origin = request.headers().get("Origin");
            if (path.startsWith("/prices/")) {
                int price = Integer.parseInt(path.substring("/prices/".length())) * 100;
                answer(context, 200, String.valueOf(origin == null ? price : reduced(price, origin)));
            } else if (path.equals("/orders") && request.method().equals(HttpMethod.POST)) {
                String order = request.content().toString(StandardCharsets.UTF_8);
                answer(context, order.isEmpty() ? 422 : 201, "order " + ORDERS.incrementAndGet() + " for " + order);
            } else if (path.equals("/orders")) {
                answer(context, 200, "orders: " + ORDERS.get());
            } else if (path.equals("/health")) {
                answer(context, 200, "well");
            } else {
                answer(context, 404, "nothing at " + path);
            }
        }

        private static int reduced(int price, String partner) {
            return price - price * REBATES.get(partner) / 100;
        }

        private static void answer(ChannelHandlerContext context, int status, String text) {
            DefaultFullHttpResponse response = new DefaultFullHttpResponse(
                    HttpVersion.HTTP_1_1,
                    HttpResponseStatus.valueOf(status),
                    Unpooled.copiedBuffer(text, StandardCharsets.UTF_8));
            response.headers().set("Content-Length", response.content().readableBytes());
            context.writeAndFlush(response);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            answer(context, 500, String.valueOf(cause));
        }
    }
}
