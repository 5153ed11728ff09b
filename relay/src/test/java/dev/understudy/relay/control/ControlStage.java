package dev.understudy.relay.control;

import dev.understudy.relay.control.access.Access;
import dev.understudy.relay.control.access.AccessConfig;
import dev.understudy.relay.control.access.AccessToken;
import dev.understudy.relay.control.access.Role;
import dev.understudy.relay.event.SharedState;
import dev.understudy.relay.tls.TerminateConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

import static org.assertj.core.api.Assertions.assertThat;

/** A control port with small limits, and callers that speak for themselves. */
abstract class ControlStage {
    static final Duration LONG = Duration.ofMinutes(10);
    static final Duration SHORT = Duration.ofMillis(300);
    static final int MEBI = 1 << 20;
    static final String TOKEN = "Authorization: Bearer secret";

    static final String OTHER_TOKEN = "Authorization: Bearer other-secret";

    private static final AccessConfig ACCESS = new AccessConfig(
            List.of(
                    new AccessToken("admin", Role.ADMIN, "secret"),
                    new AccessToken("other", Role.ADMIN, "other-secret")),
            null);

    final AtomicInteger shared = new AtomicInteger();
    volatile int sharedSize;
    final AtomicInteger answered = new AtomicInteger();
    final Deque<AutoCloseable> opened = new ArrayDeque<>();
    int connections = 64;
    int streams = 32;
    int ofCaller = 64;
    int ofNobody = 64;
    Duration handshake = LONG;
    Duration head = LONG;
    Duration idle = LONG;
    Duration bodyStall = LONG;
    Duration body = LONG;
    Duration replyStall = LONG;
    Duration reply = LONG;

    @Nullable
    TerminateConfig tls;

    @SuppressWarnings("NullAway.Init") // opened by each test
    ControlServer server;

    @AfterEach
    void close() throws Exception {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }

    void open() throws IOException {
        Routes routes = new Routes()
                        .get(Access.PUBLIC, "/public", call -> Reply.text(200, "x".repeat(3 * MEBI)))
                        .get("/v1/echo", call -> {
                            answered.incrementAndGet();
                            return Reply.text(200, call.parameter("n", ""));
                        })
                        .get("/v1/large", call -> {
                            answered.incrementAndGet();
                            return Reply.text(200, "x".repeat(3 * MEBI));
                        })
                        .post(Access.OPERATE, "/v1/body", call -> {
                            answered.incrementAndGet();
                            return Reply.text(200, String.valueOf(call.body().length));
                        })
                        .post(Access.OPERATE, "/v1/small", Body.json(100), call -> Reply.text(200, ""))
                        .stream("/v1/ticks", Duration.ofMillis(20), () -> Map.of("answered", answered.get()))
                        .stream("/v1/floods", Duration.ofMillis(1), () -> Map.of("flood", "x".repeat(50_000)))
                        .shared(
                                Access.READ,
                                "/v1/shared",
                                new SharedState(Duration.ofMillis(20), 2, this::sharedValue, System::nanoTime));
        ControlLimits limits = new ControlLimits(
                connections,
                streams,
                ofCaller,
                ofNobody,
                MEBI + MEBI / 2,
                4 * MEBI,
                handshake,
                head,
                idle,
                bodyStall,
                body,
                replyStall,
                reply,
                Duration.ofSeconds(5));
        server = ControlServer.open(
                new ControlConfig(new InetSocketAddress("127.0.0.1", 0), ACCESS, 64, tls),
                routes,
                limits,
                null,
                order -> {});
        opened.push(server);
    }

    private Object sharedValue() {
        return Map.of("read", shared.incrementAndGet(), "padding", "x".repeat(sharedSize));
    }

    RawCaller connect() throws IOException {
        RawCaller caller = RawCaller.connect(server);
        opened.push(caller);
        return caller;
    }

    /** The server may end the connection meanwhile. */
    static void send(RawCaller caller, String text) {
        try {
            caller.send(text.getBytes(StandardCharsets.US_ASCII));
        } catch (SocketException closed) {
            // that's for the test to see elsewhere
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }
}
