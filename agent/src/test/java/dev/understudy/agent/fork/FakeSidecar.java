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
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A sidecar's control port that streams a window set by hand and keeps what the agent posts. */
final class FakeSidecar implements AutoCloseable {
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e";

    /** Makes a request in that trace. */
    interface Asked {
        void in(String trace) throws Exception;
    }

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
    private int requests;

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

    /** Waits until nothing keeps the agent from sampling each call of the few that tests make. */
    void awaitWideOpen() throws InterruptedException {
        reportWith("\"why\":\"the window is wide open\"");
    }

    /** The report of an agent that follows the newest orders. */
    String reportOfFollower() throws InterruptedException {
        return reportWith("\"orders\":{\"revision\":" + revision + ",");
    }

    /** From now on agents that ask whether they are in a debug JVM get this answer. */
    void handshake(UnaryOperator<String> handshake) {
        this.handshake = handshake;
    }

    /** The next question of such an agent. */
    String asked() throws InterruptedException {
        return next(asked, "question");
    }

    void lag(Duration lag) {
        lagMillis = lag.toMillis();
    }

    /** The next report. */
    String report() throws InterruptedException {
        return next(reports, "report");
    }

    /** The first report with all of these texts. */
    String reportWith(String... texts) throws InterruptedException {
        return report(List.of(texts).toString(), report -> Stream.of(texts).allMatch(report::contains));
    }

    /** The first report in which the pattern is found. */
    String reportMatching(Pattern pattern) throws InterruptedException {
        return report(pattern.toString(), report -> pattern.matcher(report).find());
    }

    private String report(String wanted, Predicate<String> isWanted) throws InterruptedException {
        String report = "";
        for (long begun = System.nanoTime(); System.nanoTime() - begun < Patience.LONG.toNanos(); ) {
            report = report();
            if (isWanted.test(report)) {
                return report;
            }
        }
        throw new AssertionError(wanted + " isn't in " + report);
    }

    /** What was told next of exchanges' time that the agent took. */
    String overheads() throws InterruptedException {
        return next(overheads, "overheads");
    }

    /** The first batch of what points told that has the text, while the application is asked again and again. */
    String hitsWith(String text, Callable<String> asked) throws Exception {
        return hitsMatching(Pattern.quote(text), asked);
    }

    /** The same for a pattern. */
    String hitsMatching(String pattern, Callable<String> asked) throws Exception {
        Pattern wanted = Pattern.compile(pattern);
        String batch = "nothing";
        for (long begun = System.nanoTime(); System.nanoTime() - begun < Patience.LONG.toNanos(); ) {
            asked.call();
            for (String next = soon(hits); next != null; next = hits.poll()) {
                batch = next;
                if (wanted.matcher(batch).find()) {
                    return batch;
                }
            }
        }
        throw new AssertionError(pattern + " wasn't told, but " + batch);
    }

    /** The next batch of observed exchanges. */
    String observations() throws InterruptedException {
        return next(observations, "observations");
    }

    /** All batches of observed exchanges that nobody took yet, one behind the other. */
    String observationsSoFar() {
        List<String> batches = new ArrayList<>();
        observations.drainTo(batches);
        return String.join("\n", batches);
    }

    /**
     * Has the application asked again and again until all of these patterns were found in batches of observed
     * exchanges.
     */
    void observe(List<String> patterns, Callable<?> asked) throws Exception {
        List<Pattern> missing = patterns.stream().map(Pattern::compile).collect(Collectors.toList());
        Patience.until(List::isEmpty, () -> {
            asked.call();
            String told = soon(observations);
            if (told != null) {
                String batches = told + '\n' + observationsSoFar();
                missing.removeIf(pattern -> pattern.matcher(batches).find());
            }
            return missing;
        });
    }

    /** The next batch of stacks. */
    String stacks() throws InterruptedException {
        return next(stacks, "stacks");
    }

    /** The next batch of allocations. */
    String allocations() throws InterruptedException {
        return next(allocations, "allocations");
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

    /** The next span. */
    OtlpSpan span() throws InterruptedException {
        return next(spans, "span");
    }

    /**
     * The spans of the first request that has some of all these names, in the order in which they came. It is made
     * again and again, each time in a trace of its own: how many calls are sampled is the budget's to say.
     */
    List<OtlpSpan> spansOf(Asked asked, String... names) throws Exception {
        Map<String, List<OtlpSpan>> byTrace = new HashMap<>();
        return Patience.until(some -> hasAll(some, names), () -> {
            asked.in(String.format("%s%04x", TRACE, requests++));
            OtlpSpan span = soon(spans);
            for (; span != null; span = soon(spans)) {
                List<OtlpSpan> some = byTrace.computeIfAbsent(span.trace(), trace -> new ArrayList<>());
                some.add(span);
                if (hasAll(some, names)) {
                    return some;
                }
            }
            return List.of();
        });
    }

    private static boolean hasAll(List<OtlpSpan> spans, String... names) {
        Set<String> known = spans.stream().map(OtlpSpan::name).collect(Collectors.toSet());
        return known.containsAll(List.of(names));
    }

    private static <T> T next(BlockingQueue<T> told, String what) throws InterruptedException {
        T next = told.poll(Patience.LONG.toMillis(), TimeUnit.MILLISECONDS);
        if (next == null) {
            throw new AssertionError("no " + what);
        }
        return next;
    }

    private static <T> @Nullable T soon(BlockingQueue<T> told) throws InterruptedException {
        return told.poll(500, TimeUnit.MILLISECONDS);
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
