package dev.understudy.sidecar;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A service in a process of its own whose state is a number, and is lost with the process: it answers with the next
 * one.
 */
final class CountingProgram {
    private CountingProgram() {}

    /**
     * Serves until it is ended.
     *
     * @param args the port, and the number to begin with
     */
    public static void main(String[] args) throws IOException {
        int port = Integer.parseInt(args[0]);
        AtomicInteger number = new AtomicInteger(Integer.parseInt(args[1]));
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/", request -> {
            byte[] body = Integer.toString(number.incrementAndGet()).getBytes(StandardCharsets.UTF_8);
            request.sendResponseHeaders(200, body.length);
            request.getResponseBody().write(body);
            request.close();
        });
        server.start();
    }
}
