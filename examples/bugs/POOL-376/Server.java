import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.NoSuchElementException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.apache.commons.pool2.impl.GenericObjectPool;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;

/** A shop before a warehouse that lets two sessions in, and loses one where it is told too much at once. */
public final class Server {
    private static final Warehouse WAREHOUSE = new Warehouse();
    private static final GenericObjectPool<Session> SESSIONS = new GenericObjectPool<>(new Sessions(), settings());

    public static void main(String[] arguments) throws IOException {
        HttpServer server = HttpServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0])), 0);
        server.setExecutor(Executors.newFixedThreadPool(12));
        server.createContext("/stock/", exchange -> answer(exchange, session -> session.stock(last(exchange))));
        server.createContext("/orders/", exchange -> answer(exchange, session -> session.order(last(exchange))));
        server.createContext("/imports/", exchange -> answer(exchange, session -> session.take(last(exchange))));
        server.createContext("/health", exchange -> reply(exchange, 200, "sessions: " + SESSIONS.getMaxTotal()));
        server.start();
    }

    private static GenericObjectPoolConfig<Session> settings() {
        GenericObjectPoolConfig<Session> settings = new GenericObjectPoolConfig<>();
        settings.setMaxTotal(2);
        settings.setMaxWaitMillis(2_000);
        settings.setTestOnCreate(true);
        return settings;
    }

    private static void answer(HttpExchange exchange, Question question) throws IOException {
        try {
            Session session = SESSIONS.borrowObject();
            try {
                String said = question.of(session);
                SESSIONS.returnObject(session);
                reply(exchange, 200, said);
            } catch (IOException lost) {
                SESSIONS.invalidateObject(session);
                reply(exchange, 202, "later");
            }
        } catch (NoSuchElementException none) {
            reply(exchange, 429, "too many");
        } catch (Exception problem) {
            reply(exchange, 500, String.valueOf(problem.getMessage()));
        }
    }

    private static int last(HttpExchange exchange) {
        String path = exchange.getRequestURI().getPath();
        return Integer.parseInt(path.substring(path.lastIndexOf('/') + 1));
    }

    private static void reply(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    /** What a session is asked. */
    private interface Question {
        String of(Session session) throws IOException;
    }

    /** Begins sessions, and looks whether the warehouse took them. */
    private static final class Sessions extends BasePooledObjectFactory<Session> {
        @Override
        public Session create() {
            return new Session();
        }

        @Override
        public PooledObject<Session> wrap(Session session) {
            return new DefaultPooledObject<>(session);
        }

        @Override
        public boolean validateObject(PooledObject<Session> session) {
            return session.getObject().welcome();
        }
    }

    /** One conversation with the warehouse. */
    private static final class Session {
        private final boolean welcome = WAREHOUSE.isOpen();

        boolean welcome() {
            return welcome;
        }

        String stock(int article) {
            WAREHOUSE.walk(3);
            return article + ": " + WAREHOUSE.count(article);
        }

        String order(int article) {
            WAREHOUSE.walk(5);
            return article + ": " + (WAREHOUSE.count(article) > 0 ? "sent" : "sold out");
        }

        /** Fails with more than it can take; with far more, the warehouse is closed for a moment. */
        String take(int pallets) throws IOException {
            WAREHOUSE.walk(8);
            if (pallets > 50) {
                WAREHOUSE.close(pallets > 500 ? 40 : 0);
                throw new IOException("the session was lost");
            }
            return pallets + " taken in";
        }
    }

    /** Has shelves and a gate. */
    private static final class Warehouse {
        private volatile long openAgainNanos = System.nanoTime();

        boolean isOpen() {
            return System.nanoTime() - openAgainNanos >= 0;
        }

        void close(int millis) {
            openAgainNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        }

        int count(int article) {
            return article * 7 % 11;
        }

        void walk(int millis) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
        }
    }
}
