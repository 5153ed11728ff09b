package dev.understudy.agent.fork;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;

/**
 * The application in a forked JVM: for {@code /WAY/HOST/PORT} it connects there in that way, and answers {@code
 * connected} or what was thrown. With {@code -Dfirst=HOST:PORT} it connects there before anything else, and prints how
 * that went.
 */
public final class ConnectServer {
    /** Connects; what it throws is answered. */
    interface Way {
        void connect(String way, InetSocketAddress to) throws Exception;
    }

    private ConnectServer() {}

    public static void main(String[] arguments) throws IOException {
        serve(ConnectServer::connect);
    }

    static void serve(Way way) throws IOException {
        String first = System.getProperty("first");
        if (first != null) {
            int colon = first.indexOf(':');
            System.out.println("first "
                    + tried(way, "socket", first.substring(0, colon), Integer.parseInt(first.substring(colon + 1))));
        }
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newFixedThreadPool(2));
        server.createContext("/", exchange -> handle(exchange, way));
        server.start();
        System.out.println("port " + server.getAddress().getPort());
    }

    private static void handle(HttpExchange exchange, Way way) throws IOException {
        String[] path = exchange.getRequestURI().getPath().split("/", -1);
        byte[] body = path.length < 4
                ? "served".getBytes(StandardCharsets.UTF_8)
                : tried(way, path[1], path[2], Integer.parseInt(path[3])).getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private static String tried(Way way, String name, String host, int port) {
        try {
            way.connect(name, new InetSocketAddress(host, port));
            return "connected";
        } catch (Exception | LinkageError failed) {
            StringBuilder all = new StringBuilder();
            for (Throwable one = failed; one != null; one = one.getCause()) {
                all.append(one).append('\n');
            }
            return all.toString();
        }
    }

    @SuppressWarnings("StatementSwitchToExpressionSwitch") // Java 11 runs it, too
    static void connect(String way, InetSocketAddress to) throws Exception {
        switch (way) {
            case "socket":
                new Socket(to.getAddress(), to.getPort()).close();
                break;
            case "timeout":
                try (Socket socket = new Socket()) {
                    socket.connect(to, 60_000);
                }
                break;
            case "channel":
                SocketChannel.open(to).close();
                break;
            case "adaptor":
                try (SocketChannel channel = SocketChannel.open()) {
                    channel.socket().connect(to, 60_000);
                }
                break;
            case "async":
                try (AsynchronousSocketChannel channel = AsynchronousSocketChannel.open()) {
                    channel.connect(to).get();
                }
                break;
            case "http":
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .build()
                        .send(
                                HttpRequest.newBuilder(
                                                URI.create("http://" + to.getHostString() + ":" + to.getPort() + "/"))
                                        .build(),
                                HttpResponse.BodyHandlers.discarding());
                break;
            default:
                throw new IllegalArgumentException(way);
        }
    }
}
