package dev.understudy.it.stage;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.microsoft.playwright.TimeoutError;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.understudy.it.bench.process.FreePorts;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.jspecify.annotations.Nullable;

import static org.awaitility.Awaitility.await;

/**
 * A session for the console: production, a debug server with two defects, a sidecar, an aggregator, and one browser.
 *
 * <p>Orders differ by their note and total, pictures by their colour, lists by their total; quotes fail in the debug
 * server, part 1 on both sides. All else is the same.
 */
public final class ConsoleStage implements AutoCloseable {
    /** Of each kind that {@link #order} sends. */
    public static final int ORDERS = 20;

    /** Where traces are shown, but for a trace's id. */
    public static final String TRACES = "http://127.0.0.1:1/trace/";

    /** The token of the role admin. */
    public static final String TOKEN = "a-token-of-the-console's";

    /** A member of what the debug server answers below {@code /members}. */
    public static final String HOSTILE_NAME = "<img src=x onerror=document.title='broken'>";

    private static final String HOSTILE =
            "<img src=x onerror=document.title='broken'><script>document.title='broken'" + "</script>\\u0007\\u202e";

    private final HttpClient client = HttpClient.newHttpClient();
    private final List<String> spans = new CopyOnWriteArrayList<>();
    private final Map<String, String> traces = new ConcurrentHashMap<>();
    private final AtomicInteger served = new AtomicInteger();
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final List<Runnable> opened = new ArrayList<>();
    private final HttpServer production;
    private final HttpServer debug;
    private final Twins twins;
    private final TeeStage tee;
    private final Chromium chromium;

    private ConsoleStage(Path folder) throws IOException {
        // each takes seconds to start
        CompletableFuture<Twins> twinsToBe = CompletableFuture.supplyAsync(() -> twins(folder));
        chromium = Chromium.start();
        opened.add(chromium::close);
        production = serving(exchange -> {
            served.incrementAndGet();
            if (exchange.getRequestURI().getPath().startsWith("/pictures")) {
                picture(exchange, Color.BLUE);
            } else if (isSoldOut(exchange)) {
                answer(exchange, 500, "{}");
            } else {
                answer(exchange, 200, body(exchange, "as ordered", 17));
            }
        });
        debug = serving(this::debug);
        twins = twinsToBe.join();
        opened.add(twins::close);
        tee = openTee(
                folder,
                "aggregator.url=" + twins.control(),
                "sources=" + folder,
                "telemetry.trace-page=" + TRACES + "{trace}");
    }

    private static Twins twins(Path folder) {
        try {
            return new Twins(folder, request -> {}, request -> {});
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Another sidecar before the same servers, without an aggregator unless the settings name one. */
    public TeeStage openTee(Path folder, String... sets) throws IOException {
        List<String> all = new ArrayList<>(List.of(
                "control.listen=127.0.0.1:" + FreePorts.next(), "control.anonymous=none", "control.token=" + TOKEN));
        all.addAll(List.of(sets));
        TeeStage another = TeeStage.open(
                folder,
                "http",
                production.getAddress().getPort(),
                debug.getAddress().getPort(),
                all.toArray(String[]::new));
        opened.add(another::close);
        return another;
    }

    /**
     * Opens it.
     *
     * @param folder keeps settings and logs
     */
    public static ConsoleStage open(Path folder) throws IOException {
        return new ConsoleStage(folder);
    }

    /** The sidecar. */
    public TeeStage tee() {
        return tee;
    }

    /** The aggregator, and who calls through it. */
    public Twins twins() {
        return twins;
    }

    /** What an agent in the debug JVM would say. */
    public ConsoleAgent agent() {
        return agent(tee);
    }

    /** The same to one of the sidecars. */
    public ConsoleAgent agent(TeeStage at) {
        return new ConsoleAgent(this, at, spans, traces);
    }

    /** An address that answers whatever is posted there. */
    public String anything() {
        return "http://127.0.0.1:" + debug.getAddress().getPort() + "/anything";
    }

    /** The browser. */
    public Chromium chromium() {
        return chromium;
    }

    /** How many requests production has got. */
    public int productionServed() {
        return served.get();
    }

    /** Signs a page in, by a link as the command prints it. */
    public BrowserPage signedIn(BrowserPage page) throws Exception {
        return signedIn(page, tee, TOKEN);
    }

    /** Signs a page in at one of the sidecars, as whoever has that token. */
    public BrowserPage signedIn(BrowserPage page, TeeStage at, String token) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(at.control() + "/v1/console/links"))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{}"));
        String link = new ObjectMapper()
                .readTree(client.send(request.build(), BodyHandlers.ofString()).body())
                .path("path")
                .asText();
        page.open(at.control() + link);
        try {
            page.page().waitForSelector("nav");
        } catch (TimeoutError never) {
            throw new AssertionError(page.complaints() + " " + page.page().content(), never);
        }
        return page;
    }

    /** Sends {@link #ORDERS} requests of each kind, and waits until they are compared. */
    public void order() throws Exception {
        for (int n = 0; n < ORDERS; n++) {
            for (String path : List.of("/health/", "/orders/", "/quotes/")) {
                get(path + n);
            }
        }
        await("verdicts")
                .atMost(Duration.ofMinutes(1))
                .until(() -> control("/v1/exchanges?limit=1", null).body().contains("\"newest\":" + 3 * ORDERS));
    }

    /**
     * Has both twins call their upstream, one after the other. What the copy asks for in vain takes seconds.
     *
     * @param production the paths that production's asks for, with commas between them
     * @param debug those of the debug copy
     * @return is done when the debug copy has its answers
     */
    public CompletableFuture<?> call(String production, String debug) {
        return call(twins.production(), Twins.PRODUCTION_CALLS, production)
                .thenCompose(first -> call(twins.debug(), Twins.DEBUG_CALLS, debug));
    }

    private CompletableFuture<HttpResponse<Void>> call(int port, String header, String paths) {
        URI uri = URI.create("http://127.0.0.1:" + port + "/");
        return client.sendAsync(
                HttpRequest.newBuilder(uri).header(header, paths).build(), BodyHandlers.discarding());
    }

    /** Sends requests of one route that fail on both sides, and some that don't. */
    public void orderParts() throws Exception {
        for (int part = 1; part <= 3; part++) {
            get("/parts/" + part);
        }
    }

    /** Lets the debug server answer requests below {@code /stops}, before which it stands still as at a breakpoint. */
    public void goOn() {
        goOn.countDown();
    }

    /** A client's request. */
    public void get(String path) throws Exception {
        get(tee, path);
    }

    /** A client's request to one of the sidecars. */
    public void get(TeeStage at, String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + at.port() + path);
        client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.discarding());
    }

    /** A call of the control port: GET, or POST if there is a body. */
    public HttpResponse<String> control(String path, @Nullable String body) throws IOException, InterruptedException {
        return control(tee, path, body);
    }

    /** A call of the control port of one of the sidecars. */
    HttpResponse<String> control(TeeStage at, String path, @Nullable String body)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(at.control() + path))
                .header("Authorization", "Bearer " + TOKEN)
                .header("Content-Type", "application/json");
        return client.send(
                (body == null ? request : request.POST(BodyPublishers.ofString(body))).build(),
                BodyHandlers.ofString());
    }

    @Override
    public void close() {
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).run();
        }
    }

    private void debug(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String parent = exchange.getRequestHeaders().getFirst("traceparent");
        if (parent != null) {
            traces.put(path, parent);
        }
        if (path.startsWith("/stops")) {
            stand();
        }
        if (path.startsWith("/pictures")) {
            picture(exchange, Color.RED);
            return;
        }
        if (isSoldOut(exchange)) {
            answer(exchange, 500, "{}");
        } else if (path.startsWith("/quotes")) {
            answer(exchange, 500, "{\"error\":\"no tariff\"}");
        } else if (path.startsWith("/members")) {
            exchange.getResponseHeaders().set("X-Note", "<script>document.title='broken'</script>");
            answer(exchange, 200, "{\"" + HOSTILE_NAME + "\":2}");
        } else if (path.startsWith("/orders")) {
            exchange.getResponseHeaders().set("X-Note", "<script>document.title='broken'</script>");
            answer(exchange, 200, body(exchange, HOSTILE, 18));
        } else {
            boolean isList = path.startsWith("/lists");
            if (isList) {
                aSecondLater();
            }
            answer(exchange, 200, body(exchange, "as ordered", isList ? 18 : 17));
        }
        if (parent != null && (path.startsWith("/quotes") || path.startsWith("/health"))) {
            spans.add(parent.split("-", -1)[2] + " " + path);
        }
    }

    /** Of 24 by 24 points in one colour. */
    private static void picture(HttpExchange exchange, Color colour) throws IOException {
        BufferedImage image = new BufferedImage(24, 24, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        graphics.setColor(colour);
        graphics.fillRect(0, 0, 24, 24);
        graphics.dispose();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ImageIO.write(image, "png", bytes);
        exchange.getResponseHeaders().set("Content-Type", "image/png");
        exchange.sendResponseHeaders(200, bytes.size());
        exchange.getResponseBody().write(bytes.toByteArray());
        exchange.close();
    }

    /** Fails on both sides. */
    private static boolean isSoldOut(HttpExchange exchange) {
        return exchange.getRequestURI().getPath().equals("/parts/1");
    }

    /** So that its reply has another date than production's. */
    private static void aSecondLater() throws IOException {
        try {
            TimeUnit.MILLISECONDS.sleep(1_100);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            throw new IOException("the server ends", ended);
        }
    }

    private void stand() throws IOException {
        try {
            if (!goOn.await(1, TimeUnit.MINUTES)) {
                throw new IOException("nobody let it go on");
            }
        } catch (InterruptedException ended) {
            throw new IOException(ended);
        }
    }

    private static String body(HttpExchange exchange, String note, int total) {
        if (exchange.getRequestURI().getPath().startsWith("/lists")) {
            return "{\"id\":\"" + UUID.randomUUID() + "\","
                    + IntStream.range(0, 40)
                            .mapToObj(n -> "\"n" + n + "\":" + n)
                            .collect(Collectors.joining(","))
                    + ",\"total\":" + total + "}";
        }
        return "{\"path\":\"" + exchange.getRequestURI().getPath() + "\",\"note\":\"" + note + "\",\"total\":" + total
                + "}";
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private HttpServer serving(HttpHandler handler) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.createContext("/", handler);
        server.setExecutor(Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "console-stage");
            thread.setDaemon(true);
            return thread;
        }));
        server.start();
        opened.add(() -> server.stop(0));
        return server;
    }
}
