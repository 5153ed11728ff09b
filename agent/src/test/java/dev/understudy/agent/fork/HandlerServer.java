package dev.understudy.agent.fork;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;

/** Prices in a forked JVM, by a handler of Jetty's own: no servlet, nothing that our agent knows but the socket. */
public final class HandlerServer {
    private HandlerServer() {}

    public static void main(String[] arguments) throws Exception {
        Server server = new Server(new InetSocketAddress("127.0.0.1", 0));
        server.setHandler(new Prices());
        server.start();
        System.out.println("port " + ((ServerConnector) server.getConnectors()[0]).getLocalPort());
    }

    private static final class Prices extends Handler.Abstract {
        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            int quantity = Integer.parseInt(request.getHttpURI().getPath().substring(1));
            response.write(true, ByteBuffer.wrap(answer(quantity)), callback);
            return true;
        }

        private static byte[] answer(int quantity) {
            return ("price " + SmallServer.price(quantity)).getBytes(StandardCharsets.UTF_8);
        }
    }
}
