package dev.understudy.agent.fork;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/** The application in a forked JVM: an HTTP server that says on stdout what it sees of the agent. */
public final class SmallServer {
    private static final List<Leaked> LEAKED = Collections.synchronizedList(new ArrayList<>());
    private static final Map<Object, Object> KEPT = Collections.synchronizedMap(new LinkedHashMap<>());

    private SmallServer() {}

    public static void main(String[] arguments) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", SmallServer::handle);
        if (Boolean.getBoolean("virtual")) {
            server.setExecutor(virtualThreads());
        }
        server.start();
        for (String name : arguments) {
            System.out.println("sees " + name + " " + sees(name));
        }
        System.out.println("port " + server.getAddress().getPort());
    }

    static int price(int quantity) {
        int price = 0;
        for (int i = 0; i < quantity; i++) {
            price += discount(i);
        }
        return price;
    }

    static int discount(int position) {
        if (position > 1000) {
            throw new IllegalArgumentException("position: " + position);
        }
        return position % 7 == 0 ? 3 : 5;
    }

    /** Virtual threads where the JVM has them. */
    private static Executor virtualThreads() {
        try {
            return (Executor)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (ReflectiveOperationException before21) {
            return Executors.newCachedThreadPool();
        }
    }

    /** The time, in milliseconds since 1970, in four ways. */
    @SuppressWarnings("JavaUtilDate")
    private static String clocks() {
        LongSupplier reference = System::currentTimeMillis;
        return System.currentTimeMillis() + " " + new Date().getTime() + " "
                + Instant.now().toEpochMilli() + " " + reference.getAsLong();
    }

    /** Holds the request for a second. */
    private static String waited() {
        LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
        return "waited";
    }

    /** Makes 64 MB. */
    private static String allocated() {
        for (int i = 0; i < 1000; i++) {
            KEPT.put("latest", new byte[1 << 16]);
        }
        return "allocated";
    }

    /** Makes 16 MB. */
    private static String filled() {
        for (int i = 0; i < 250; i++) {
            KEPT.put("latest", new int[1 << 14]);
        }
        return "filled";
    }

    private static boolean sees(String name) {
        try {
            return Class.forName(name) != null;
        } catch (ClassNotFoundException | LinkageError hidden) {
            return false;
        }
    }

    /** What is never let go of. */
    private static final class Leaked {
        private boolean closed;

        void close() {
            closed = true;
        }
    }

    /** Who has loaded the class of the agent's class loader. */
    private static String agent() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("understudy-report"))
                .map(thread ->
                        String.valueOf(thread.getContextClassLoader().getClass().getClassLoader()))
                .findFirst()
                .orElse("no agent");
    }

    private static String keep() {
        Map<Object, Object> passing = new LinkedHashMap<>();
        for (int i = 0; i < 50; i++) {
            Leaked leaked = new Leaked();
            LEAKED.add(leaked);
            done(leaked);
            KEPT.put(new int[1], "kept");
            passing.put(i, new Leaked());
        }
        return passing.size() == 50 ? "leaked" : "lost";
    }

    /** Should let go of it. */
    private static void done(Leaked leaked) {
        if (!leaked.closed) {
            leaked.close();
        }
    }

    private static void handle(HttpExchange exchange) throws IOException {
        byte[] body = answer(exchange.getRequestURI().getPath()).getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private static String answer(String path) {
        if (path.equals("/leak")) {
            return keep();
        }
        if (path.equals("/agent")) {
            return agent();
        }
        if (path.equals("/clock")) {
            return clocks();
        }
        if (path.equals("/wait")) {
            return waited();
        }
        if (path.equals("/allocate")) {
            return allocated();
        }
        if (path.equals("/fill")) {
            return filled();
        }
        if (path.equals("/late")) {
            return Late.word();
        }
        int quantity = Integer.parseInt(path.substring(1));
        try {
            return "price " + price(quantity);
        } catch (IllegalArgumentException tooMany) {
            return "refused: " + tooMany.getMessage();
        }
    }

    /** Isn't loaded before it is asked for. */
    static final class Late {
        private Late() {}

        static String word() {
            return "late";
        }
    }
}
