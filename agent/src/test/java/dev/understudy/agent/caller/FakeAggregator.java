package dev.understudy.agent.caller;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** An aggregator's control port, which keeps what agents post and replies what it is set to. */
public final class FakeAggregator implements AutoCloseable {
    private static final Pattern CALL =
            Pattern.compile("\\{\"port\":(\\d+),\"to\":(\\d+),\"nanos\":(-?\\d+)(?:,\"trace\":\"([0-9a-f]{32})\")?\\}");

    private final HttpServer server;
    private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> authorizations = new LinkedBlockingQueue<>();
    private volatile String reply = "";
    private volatile int status = 200;

    /** One whose debug ports are these, which are dialled as they are. */
    public FakeAggregator(Integer... ports) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/callers", this::take);
        server.start();
        ports(ports);
    }

    /** Its control port. */
    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    void reply(int status, String reply) {
        this.reply = reply;
        this.status = status;
    }

    /** From now on its debug ports are these. */
    public void ports(Integer... ports) {
        reply(200, "{\"ports\":" + List.of(ports) + ",\"debugPorts\":" + List.of(ports) + "}");
    }

    /** The next message. */
    String message() throws InterruptedException {
        String message = messages.poll(30, TimeUnit.SECONDS);
        if (message == null) {
            throw new AssertionError("no message");
        }
        return message;
    }

    /** The first that is wanted. */
    String message(Predicate<String> wanted) throws InterruptedException {
        long begun = System.nanoTime();
        String message = message();
        while (!wanted.test(message)) {
            if (System.nanoTime() - begun > TimeUnit.SECONDS.toNanos(30)) {
                throw new AssertionError("not wanted: " + message);
            }
            message = message();
        }
        return message;
    }

    @Nullable
    String authorization() throws InterruptedException {
        return authorizations.poll(30, TimeUnit.SECONDS);
    }

    /** The next calls, so many at least. */
    public List<Call> calls(int atLeast) throws InterruptedException {
        List<Call> calls = new ArrayList<>();
        while (calls.size() < atLeast) {
            calls.addAll(callsOf(message(message -> !callsOf(message).isEmpty())));
        }
        return calls;
    }

    static List<Call> callsOf(String message) {
        List<Call> calls = new ArrayList<>();
        for (Matcher found = CALL.matcher(message); found.find(); ) {
            calls.add(new Call(
                    Integer.parseInt(found.group(1)),
                    Integer.parseInt(found.group(2)),
                    Long.parseLong(found.group(3)),
                    found.group(4)));
        }
        return calls;
    }

    /** Whether a message says that some before a later time than this are missing. */
    static boolean losesUntilAfter(String message, long nanos) {
        return message.contains("lostUntil") && number(message, "lostUntil") > nanos;
    }

    /** A number of a message. */
    public static long number(String message, String name) {
        Matcher found = Pattern.compile("\"" + name + "\":(-?\\d+)").matcher(message);
        if (!found.find()) {
            throw new AssertionError(name + " isn't in " + message);
        }
        return Long.parseLong(found.group(1));
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private void take(HttpExchange exchange) throws IOException {
        String message = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        byte[] body = reply.getBytes(StandardCharsets.UTF_8);
        authorizations.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
        exchange.sendResponseHeaders(status, body.length);
        messages.add(exchange.getRequestMethod().equals("POST") ? message : exchange.getRequestMethod());
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    /** What was noted. */
    public record Call(
            int port, int to, long nanos, @Nullable String trace) {}
}
