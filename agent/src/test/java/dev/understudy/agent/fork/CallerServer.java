package dev.understudy.agent.fork;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSocketFactory;

/**
 * The application in a forked JVM: for each request it writes once to one of its own listeners, over a connection that
 * all share, in the way that the path names; what it answers is the port that it has written from.
 */
public final class CallerServer {
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    private final ExecutorService pool = Executors.newFixedThreadPool(2);
    private final ServerSocket plain = new ServerSocket(0, 50, LOOPBACK);
    private final ServerSocket lines = new ServerSocket(0, 50, LOOPBACK);
    private final ServerSocket other = new ServerSocket(0, 50, LOOPBACK);
    private final HttpServer http = HttpServer.create(new InetSocketAddress(LOOPBACK, 0), 0);
    private final Socket shared;
    private final Socket stranger;
    private Socket encrypted;

    private CallerServer() throws IOException {
        serve(plain);
        serve(other);
        serve(lines);
        http.createContext("/", CallerServer::reply);
        http.start();
        shared = new Socket(LOOPBACK, plain.getLocalPort());
        stranger = new Socket(LOOPBACK, other.getLocalPort());
        System.out.println("plain " + plain.getLocalPort());
        System.out.println("http " + http.getAddress().getPort());
        System.out.println("lines " + lines.getLocalPort());
        if (System.getProperty("javax.net.ssl.keyStore") != null) {
            ServerSocket tls = SSLServerSocketFactory.getDefault().createServerSocket(0, 50, LOOPBACK);
            serve(tls);
            encrypted = SSLSocketFactory.getDefault().createSocket(LOOPBACK, tls.getLocalPort());
            System.out.println("tls " + tls.getLocalPort());
        }
    }

    public static void main(String[] arguments) throws IOException {
        CallerServer application = new CallerServer();
        HttpServer server = HttpServer.create(new InetSocketAddress(LOOPBACK, 0), 0);
        server.setExecutor(Executors.newFixedThreadPool(2));
        server.createContext("/", application::handle);
        server.start();
        Thread background = new Thread(application::callNowAndThen);
        background.setDaemon(true);
        background.start();
        System.out.println("port " + server.getAddress().getPort());
    }

    private void handle(HttpExchange exchange) throws IOException {
        String answer;
        try {
            answer = String.valueOf(call(exchange.getRequestURI().getPath()));
        } catch (Exception failed) {
            answer = failed.toString();
        }
        byte[] body = answer.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @SuppressWarnings("StatementSwitchToExpressionSwitch") // Java 11 runs it, too
    private int call(String path) throws Exception {
        switch (path) {
            case "/own":
                return ask(shared);
            case "/task":
                return pool.submit(() -> ask(shared)).get();
            case "/new":
                try (Socket socket = new Socket(LOOPBACK, plain.getLocalPort())) {
                    return ask(socket);
                }
            case "/tls":
                return ask(encrypted);
            case "/http":
                return post();
            case "/other":
                return ask(stranger);
            case "/channel":
                return askChannel();
            default:
                throw new IllegalArgumentException(path);
        }
    }

    private static int ask(Socket socket) throws IOException {
        synchronized (socket) {
            socket.getOutputStream().write("ask\n".getBytes(StandardCharsets.US_ASCII));
            InputStream in = socket.getInputStream();
            while (in.read() != '\n') {
                // the rest of the answer
            }
            return socket.getLocalPort();
        }
    }

    private int askChannel() throws IOException {
        try (SocketChannel channel = SocketChannel.open(plain.getLocalSocketAddress())) {
            channel.write(ByteBuffer.wrap("ask\n".getBytes(StandardCharsets.US_ASCII)));
            channel.read(ByteBuffer.allocate(100));
            return channel.socket().getLocalPort();
        }
    }

    private int post() throws IOException {
        HttpURLConnection connection = (HttpURLConnection)
                new URL("http://127.0.0.1:" + http.getAddress().getPort()).openConnection();
        connection.setDoOutput(true);
        connection.getOutputStream().write(1);
        try (InputStream in = connection.getInputStream()) {
            return Integer.parseInt(new String(in.readAllBytes(), StandardCharsets.US_ASCII));
        }
    }

    private static void reply(HttpExchange exchange) throws IOException {
        byte[] port = String.valueOf(exchange.getRemoteAddress().getPort()).getBytes(StandardCharsets.US_ASCII);
        exchange.sendResponseHeaders(200, port.length);
        exchange.getResponseBody().write(port);
        exchange.close();
    }

    /** Answers each line. */
    private static void serve(ServerSocket listener) {
        Thread thread = new Thread(() -> {
            try {
                while (true) {
                    Socket socket = listener.accept();
                    Thread answering = new Thread(() -> answer(socket));
                    answering.setDaemon(true);
                    answering.start();
                }
            } catch (IOException closed) {
                // the JVM ends
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private static void answer(Socket socket) {
        try (socket;
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))) {
            while (in.readLine() != null) {
                socket.getOutputStream().write("answer\n".getBytes(StandardCharsets.US_ASCII));
            }
        } catch (IOException closed) {
            // by the other side
        }
    }

    /** As a timer of the application's would, for no request. */
    private void callNowAndThen() {
        try {
            while (true) {
                Thread.sleep(20);
                ask(shared);
            }
        } catch (IOException | InterruptedException ended) {
            // the JVM ends
        }
    }
}
