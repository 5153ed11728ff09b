package dev.understudy.agent.fork;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * An application for the oldest Java, which some of {@link TaskServer}'s libraries don't run on: its work is done by
 * other threads and under locks.
 */
public final class ElderServer {
    private static final ExecutorService POOL = Executors.newFixedThreadPool(2);

    private ElderServer() {}

    public static void main(String[] arguments) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] body;
            try {
                body = answer(exchange.getRequestURI().getPath().substring(1)).getBytes(StandardCharsets.UTF_8);
            } catch (Exception problem) {
                throw new IOException(problem);
            }
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        System.out.println("port " + server.getAddress().getPort());
    }

    @SuppressWarnings("StatementSwitchToExpressionSwitch")
    private static String answer(String way) throws Exception {
        switch (way) {
            case "executor":
                return POOL.submit(() -> inExecutor(way)).get();
            case "virtual":
                return onVirtualThread(way).get();
            case "forth":
                return TaskLocks.forth(way);
            case "back":
                return TaskLocks.back(way);
            default:
                return TaskLocks.contended(way);
        }
    }

    static String inExecutor(String way) {
        return "by " + way;
    }

    static String virtually(String way) {
        return "by " + way;
    }

    private static Future<String> onVirtualThread(String way) throws ReflectiveOperationException {
        CompletableFuture<String> done = new CompletableFuture<>();
        Runnable task = () -> done.complete(virtually(way));
        Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
        return done;
    }
}
