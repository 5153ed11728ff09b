package dev.understudy.agent.fork;

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** A sidecar's control port that streams a window set by hand and keeps what the agent posts. */
final class FakeSidecar implements AutoCloseable {
    private final HttpServer server;
    private final ScheduledExecutorService clock = Executors.newScheduledThreadPool(1);
    private final List<OutputStream> streams = new CopyOnWriteArrayList<>();
    private final BlockingQueue<String> reports = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> overheads = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> observations = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> stacks = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> allocations = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> hits = new LinkedBlockingQueue<>();
    private final BlockingQueue<OtlpSpan> spans = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> asked = new LinkedBlockingQueue<>();
    private final Future<?> telling;
    private volatile UnaryOperator<String> handshake = question -> "{}";
    private final AtomicLong revision = new AtomicLong(-1);
    private volatile String orders = "";
    private volatile byte[] patch = {};
    private volatile CountDownLatch taken = new CountDownLatch(0);
    private volatile double utilisation = 0.05;
    private volatile long lagMillis;

    FakeSidecar() throws IOException {
        this(Duration.ofMillis(4));
    }

    FakeSidecar(Duration lag) throws IOException {
        lagMillis = lag.toMillis();
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/v1/window", this::window);
        server.createContext("/v1/orders", exchange -> answer(exchange, orders.getBytes(StandardCharsets.UTF_8)));
        server.createContext("/v1/orders/patch/", exchange -> answer(exchange, patch));
        server.createContext("/v1/handshake", exchange -> {
            String question = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            answer(exchange, handshake.apply(question).getBytes(StandardCharsets.UTF_8));
            asked.add(question);
        });
        List<HttpContext> posted = new ArrayList<>();
        posted.add(server.createContext("/v1/agent", exchange -> {
            reports.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            answer(exchange);
        }));
        posted.add(server.createContext("/v1/overheads", exchange -> {
            overheads.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            answer(exchange);
        }));
        posted.add(server.createContext("/v1/observations", exchange -> {
            observations.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            answer(exchange);
        }));
        posted.add(server.createContext("/v1/allocations", exchange -> {
            allocations.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            answer(exchange);
        }));
        posted.add(server.createContext("/v1/stacks", exchange -> {
            stacks.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            answer(exchange);
        }));
        posted.add(server.createContext("/v1/hits", exchange -> {
            hits.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            answer(exchange);
        }));
        posted.add(server.createContext("/otlp/v1/traces", exchange -> {
            spans.addAll(OtlpSpan.parse(exchange.getRequestBody().readAllBytes()));
            answer(exchange);
        }));
        for (HttpContext context : posted) {
            context.getFilters().add(new Waiting());
        }
        server.start();
        telling = clock.scheduleAtFixedRate(this::tell, 0, 100, TimeUnit.MILLISECONDS);
    }

    /** From now on nobody who posts is answered. */
    void takeNothing() {
        taken = new CountDownLatch(1);
    }

    /** From now on all are, those who wait first. */
    void takeAll() {
        taken.countDown();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    void utilisation(double utilisation) {
        this.utilisation = utilisation;
    }

    /** Says once that the window is that full, and at once behind it, in the same packet, that it is as it was. */
    void flash(double full) {
        clock.execute(() -> tell(event(full) + event(utilisation)));
    }

    /** From now on this is wanted of agents: the kinds of orders as JSON. */
    void order(String kinds) {
        orders = "{\"revision\":" + (revision.get() + 1) + ",\"agents\":[],\"orders\":" + kinds + "}";
        revision.incrementAndGet();
    }

    /** From now on this patch is wanted; its id is returned. */
    String patch(byte[] jar) throws NoSuchAlgorithmException {
        patch = jar;
        String id =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(jar), 0, 16);
        order("{\"patch\":{\"id\":\"" + id + "\"}}");
        return id;
    }

    /** The report of an agent that follows the newest orders. */
    String reportOfFollower() throws InterruptedException {
        return reportWith("\"orders\":{\"revision\":" + revision + ",");
    }

    /** From now on agents that ask whether they are in a debug JVM get this answer. */
    void handshake(UnaryOperator<String> handshake) {
        this.handshake = handshake;
    }

    /** The next question of such an agent; an error after half a minute. */
    String asked() throws InterruptedException {
        String question = asked.poll(30, TimeUnit.SECONDS);
        if (question == null) {
            throw new AssertionError("nobody asked");
        }
        return question;
    }

    void lag(Duration lag) {
        lagMillis = lag.toMillis();
    }

    /** The next report; an error after half a minute. */
    String report() throws InterruptedException {
        String report = reports.poll(30, TimeUnit.SECONDS);
        if (report == null) {
            throw new AssertionError("no report");
        }
        return report;
    }

    /** The first report with the text, of at most thirty. */
    String reportWith(String text) throws InterruptedException {
        return reportMatching(Pattern.compile(text, Pattern.LITERAL));
    }

    /** The first report in which the pattern is found, of at most thirty. */
    String reportMatching(Pattern pattern) throws InterruptedException {
        String report = "";
        for (int i = 0; i < 30; i++) {
            report = report();
            if (pattern.matcher(report).find()) {
                return report;
            }
        }
        throw new AssertionError(pattern + " isn't in " + report);
    }

    /** What was told next of exchanges' time that the agent took; an error after half a minute. */
    String overheads() throws InterruptedException {
        String told = overheads.poll(30, TimeUnit.SECONDS);
        if (told == null) {
            throw new AssertionError("no overheads");
        }
        return told;
    }

    /** The first batch of what points told that has the text, while the application is asked again and again. */
    String hitsWith(String text, Callable<String> asked) throws Exception {
        return hitsMatching(Pattern.quote(text), asked);
    }

    /** The same for a pattern. */
    String hitsMatching(String pattern, Callable<String> asked) throws Exception {
        String batch = "nothing";
        for (int i = 0; i < 120; i++) {
            asked.call();
            for (String next = hits.poll(500, TimeUnit.MILLISECONDS); next != null; next = hits.poll()) {
                batch = next;
                if (Pattern.compile(pattern).matcher(batch).find()) {
                    return batch;
                }
            }
        }
        throw new AssertionError(pattern + " wasn't told, but " + batch);
    }

    /** The next batch of observed exchanges; an error after half a minute. */
    String observations() throws InterruptedException {
        String batch = observations.poll(30, TimeUnit.SECONDS);
        if (batch == null) {
            throw new AssertionError("no observations");
        }
        return batch;
    }

    /** All batches of observed exchanges that nobody took yet, one behind the other. */
    String observationsSoFar() {
        List<String> batches = new ArrayList<>();
        observations.drainTo(batches);
        return String.join("\n", batches);
    }

    /** Has the application asked again and again until all of these patterns were found in batches of observed exchanges. */
    void observe(List<String> patterns, Callable<?> asked) throws Exception {
        List<String> missing = new ArrayList<>(patterns);
        for (int i = 0; i < 120 && !missing.isEmpty(); i++) {
            asked.call();
            String told = observations.poll(500, TimeUnit.MILLISECONDS);
            if (told != null) {
                String batches = told + '\n' + observationsSoFar();
                missing.removeIf(
                        pattern -> Pattern.compile(pattern).matcher(batches).find());
            }
        }
        if (!missing.isEmpty()) {
            throw new AssertionError(missing + " weren't told");
        }
    }

    /** The next batch of stacks; an error after half a minute. */
    String stacks() throws InterruptedException {
        String batch = stacks.poll(30, TimeUnit.SECONDS);
        if (batch == null) {
            throw new AssertionError("no stacks");
        }
        return batch;
    }

    /** The next batch of allocations; an error after half a minute. */
    String allocations() throws InterruptedException {
        String batch = allocations.poll(30, TimeUnit.SECONDS);
        if (batch == null) {
            throw new AssertionError("no allocations");
        }
        return batch;
    }

    /** Whether no allocations were told up to now. */
    boolean noAllocations() {
        return allocations.isEmpty();
    }

    /** Whether no stacks were told up to now. */
    boolean noStacks() {
        return stacks.isEmpty();
    }

    boolean heardNothing() {
        return reports.isEmpty() && spans.isEmpty() && streams.isEmpty();
    }

    /** The next span; an error after half a minute. */
    OtlpSpan span() throws InterruptedException {
        OtlpSpan span = spans.poll(30, TimeUnit.SECONDS);
        if (span == null) {
            throw new AssertionError("no span");
        }
        return span;
    }

    /** All spans that nobody took yet. */
    List<OtlpSpan> spansSoFar() {
        List<OtlpSpan> taken = new ArrayList<>();
        spans.drainTo(taken);
        return taken;
    }

    @Override
    public void close() {
        telling.cancel(true);
        clock.shutdownNow();
        server.stop(0);
    }

    private void window(HttpExchange exchange) throws IOException {
        exchange.getResponseHeaders().add("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        streams.add(exchange.getResponseBody());
    }

    private void tell() {
        tell(event(utilisation));
    }

    private String event(double full) {
        return "data: {\"at\":" + System.currentTimeMillis() + ",\"utilisation\":" + full
                + ",\"occupancyBytes\":1,\"lagMillis\":" + lagMillis
                + (revision.get() < 0 ? "" : ",\"orders\":" + revision) + ",\"estimate\":\"not in sight\"}\n\n";
    }

    private void tell(String events) {
        byte[] event = events.getBytes(StandardCharsets.UTF_8);
        streams.removeIf(stream -> {
            try {
                stream.write(event);
                stream.flush();
                return false;
            } catch (IOException gone) {
                return true;
            }
        });
    }

    private static void answer(HttpExchange exchange, byte[] body) throws IOException {
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private static void answer(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(200, -1);
        exchange.close();
    }

    /** Keeps those who post waiting while nothing is taken. */
    private final class Waiting extends Filter {
        @Override
        public void doFilter(HttpExchange exchange, Chain chain) throws IOException {
            try {
                taken.await();
            } catch (InterruptedException stopped) {
                throw new IOException(stopped);
            }
            chain.doFilter(exchange);
        }

        @Override
        public String description() {
            return "waits while nothing is taken";
        }
    }
}
