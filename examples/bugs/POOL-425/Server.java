import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.apache.commons.pool2.impl.GenericObjectPool;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;

/** A shop before a warehouse, whose sessions are kept; nobody new is let in while the halls are counted. */
public final class Server {
    private static final int ARTICLES = 90;
    private static final Warehouse WAREHOUSE = new Warehouse();
    private static final GenericObjectPool<Session> SESSIONS = new GenericObjectPool<>(new Sessions(), settings());

    public static void main(String[] arguments) throws Exception {
        Session first = SESSIONS.borrowObject();
        first.put(1, 1);
        SESSIONS.returnObject(first);
        HttpServer server = HttpServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0])), 0);
        server.setExecutor(Executors.newFixedThreadPool(4));
        server.createContext("/stock/", exchange -> answer(exchange, Server::stock));
        server.createContext("/orders/", exchange -> answer(exchange, Server::order));
        server.createContext("/deliveries/", exchange -> answer(exchange, Server::deliver));
        server.createContext("/counts/", exchange -> answer(exchange, Server::count));
        server.createContext("/sessions", exchange -> answer(exchange, Server::sessions));
        server.start();
    }

    private static GenericObjectPoolConfig<Session> settings() {
        GenericObjectPoolConfig<Session> settings = new GenericObjectPoolConfig<>();
        settings.setMaxTotal(20);
        settings.setMaxIdle(-1);
        settings.setTestOnBorrow(true);
        return settings;
    }

    private static String stock(int article) throws Exception {
        Session session = SESSIONS.borrowObject();
        try {
            return article + ": " + session.stock(article);
        } finally {
            SESSIONS.returnObject(session);
        }
    }

    private static String order(int article) throws Exception {
        Session session = SESSIONS.borrowObject();
        try {
            if (session.stock(article) == 0) {
                return article + " is sold out";
            }
            session.put(article, -1);
            return article + " is on its way";
        } finally {
            SESSIONS.returnObject(session);
        }
    }

    private static String deliver(int article) throws Exception {
        Session session = SESSIONS.borrowObject();
        try {
            if (article >= ARTICLES) {
                return "sent back, no shelf for " + article;
            }
            session.put(article, 5);
            return "taken in";
        } finally {
            SESSIONS.returnObject(session);
        }
    }

    /** Has a session in each hall, so that nothing is counted twice. */
    private static synchronized String count(int halls) throws Exception {
        SESSIONS.addObjects(Math.max(0, halls - SESSIONS.getNumIdle()));
        WAREHOUSE.shut(true);
        List<Session> counting = new ArrayList<>();
        try {
            for (int hall = 0; hall < halls; hall++) {
                counting.add(SESSIONS.borrowObject());
            }
            int sum = 0;
            for (int article = 0; article < ARTICLES; article++) {
                sum += counting.get(article % halls).stock(article);
            }
            return "there are " + sum;
        } finally {
            WAREHOUSE.shut(false);
            counting.forEach(SESSIONS::returnObject);
        }
    }

    private static String sessions(int none) {
        return "open: " + SESSIONS.getNumActive() + ", borrowed so far: " + SESSIONS.getBorrowedCount();
    }

    private static void answer(HttpExchange exchange, Action action) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String last = path.substring(path.lastIndexOf('/') + 1);
        try {
            reply(exchange, 200, action.with(last.matches("\\d+") ? Integer.parseInt(last) : 0));
        } catch (Exception problem) {
            reply(exchange, 500, String.valueOf(problem.getMessage()));
        }
    }

    private static void reply(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    /** What is done with a number. */
    private interface Action {
        String with(int number) throws Exception;
    }

    /** Begins sessions. */
    private static final class Sessions extends BasePooledObjectFactory<Session> {
        @Override
        public Session create() {
            return WAREHOUSE.enter();
        }

        @Override
        public PooledObject<Session> wrap(Session session) {
            return new DefaultPooledObject<>(session);
        }

        @Override
        public boolean validateObject(PooledObject<Session> session) {
            return session.getObject().isUsable();
        }

        @Override
        public void destroyObject(PooledObject<Session> session) {
            session.getObject().end();
        }
    }

    /** One conversation with the warehouse. */
    private static final class Session {
        private volatile boolean usable = true;

        boolean isUsable() {
            return usable;
        }

        int stock(int article) {
            return WAREHOUSE.shelves.get(article % ARTICLES);
        }

        void put(int article, int change) {
            WAREHOUSE.shelves.addAndGet(article, change);
        }

        void end() {
            usable = false;
        }
    }

    /** Has shelves and a gate. */
    private static final class Warehouse {
        private final AtomicIntegerArray shelves = new AtomicIntegerArray(ARTICLES);
        private volatile boolean shut;

        Session enter() {
            if (shut) {
                throw new IllegalStateException("the gate is shut");
            }
            return new Session();
        }

        void shut(boolean now) {
            shut = now;
        }
    }
}
