package dev.understudy.relay.control;

import dev.understudy.relay.control.ControlCounts.Reason;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What callers of a control port can't take from the process, whatever they do. */
class ControlLimitsTest {
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final int MEBI = 1 << 20;
    private static final String TOKEN = "Authorization: Bearer secret";

    private final AtomicInteger answered = new AtomicInteger();
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private int connections = 64;
    private int streams = 32;
    private Duration head = LONG;
    private Duration idle = LONG;
    private Duration bodyStall = LONG;
    private Duration body = LONG;
    private Duration replyStall = LONG;
    private Duration reply = LONG;

    @SuppressWarnings("NullAway.Init") // opened by each test
    private ControlServer server;

    @AfterEach
    void close() throws Exception {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }

    @Test
    void pipelinedRequests_areAnsweredInOrder() throws Exception {
        open();
        RawCaller caller = connect();
        StringBuilder requests = new StringBuilder();
        for (int n = 0; n < 3_000; n++) {
            requests.append("GET /v1/echo?n=").append(n).append(" HTTP/1.1\r\nAuthorization: Bearer secret\r\n\r\n");
        }
        Thread sender = new Thread(() -> send(caller, requests.toString()));
        sender.start();

        for (int n = 0; n < 3_000; n++) {
            assertThat(caller.reply()).startsWith("HTTP/1.1 200").endsWith("\r\n\r\n" + n);
        }
        sender.join();
    }

    @Test
    void pipelinedRequests_whoseRepliesNobodyReads_areLeftUnanswered() throws Exception {
        replyStall = Duration.ofSeconds(2);
        open();
        for (String request : List.of(
                "GET /healthz HTTP/1.1\r\n\r\n", "GET /v1/echo?n=1 HTTP/1.1\r\nAuthorization: Bearer secret\r\n\r\n")) {
            RawCaller caller = connect();
            answered.set(0);
            String many = request.repeat(10_000);
            Thread sender = new Thread(() -> {
                for (int n = 0; n < 100; n++) {
                    send(caller, many);
                }
            });
            sender.start();

            long before = server.counts().count(Reason.REPLY);
            await(() -> server.counts().count(Reason.REPLY) == before + 1);
            sender.join();
            assertThat(answered.get()).as(request).isLessThan(50_000);
        }
    }

    @Test
    void refusals_areWrittenNoFasterThanTheyAreRead() throws Exception {
        replyStall = Duration.ofSeconds(1);
        open();
        RawCaller caller = connect();
        String many = "GET /v1/secret HTTP/1.1\r\n\r\n".repeat(10_000);

        Thread sender = new Thread(() -> {
            for (int n = 0; n < 100; n++) {
                send(caller, many);
            }
        });
        sender.start();

        await(() -> server.counts().count(Reason.REPLY) == 1);
        sender.join();
        assertThat(caller.isEnded()).isTrue();
    }

    @Test
    void largeReply_thatNobodyReads_holdsItsRoomUntilItsTimeIsOver() throws Exception {
        replyStall = Duration.ofSeconds(2);
        open();
        RawCaller silent = connect();
        silent.head("GET", "/v1/large", TOKEN);
        await(() -> answered.get() == 1);

        RawCaller next = connect();
        next.head("GET", "/v1/large", TOKEN);
        assertThat(next.reply()).startsWith("HTTP/1.1 503").contains("retry-after: 1");
        assertThat(server.counts().count(Reason.REPLIES)).isEqualTo(1);
        next.head("GET", "/v1/echo?n=7", TOKEN);
        assertThat(next.reply()).as("small replies").endsWith("\r\n\r\n7");

        await(() -> server.counts().count(Reason.REPLY) == 1);
        next.head("GET", "/v1/large", TOKEN);
        assertThat(next.reply()).startsWith("HTTP/1.1 200").hasSizeGreaterThan(3 * MEBI);
    }

    @Test
    void slowlyReadReply_endsWhenItsWholeTimeIsOver() throws Exception {
        reply = SHORT;
        open();
        RawCaller caller = connect();
        caller.head("GET", "/v1/large", TOKEN);

        await(() -> server.counts().count(Reason.REPLY) == 1);
    }

    @Test
    void announcedBody_isRefusedByTheHeadAlone() throws Exception {
        open();
        for (String[] request : new String[][] {
            {"401", "POST", "/v1/body", "Content-Length: 900000"},
            {"401", "POST", "/v1/body", "Content-Length: 900000", "Expect: 100-continue"},
            {"401", "POST", "/v1/body", "Transfer-Encoding: chunked"},
            {"404", "POST", "/v1/nowhere", "Content-Length: 900000", TOKEN},
            {"405", "POST", "/v1/echo", "Content-Length: 900000", TOKEN},
            {"413", "POST", "/v1/body", "Content-Length: 9000000", TOKEN},
            {"413", "POST", "/v1/body", "Content-Length: 9000000", "Expect: 100-continue", TOKEN},
            {"417", "POST", "/v1/body", "Content-Length: 9", "Expect: gold", TOKEN},
        }) {
            RawCaller caller = connect();
            caller.head(
                    request[1],
                    request[2],
                    List.of(request).subList(3, request.length).toArray(new String[0]));

            assertThat(caller.reply())
                    .as(String.join(" ", request))
                    .startsWith("HTTP/1.1 " + request[0])
                    .contains("connection: close");
        }
        assertThat(answered).hasValue(0);
    }

    @Test
    void refusedBody_isPassedOver_soThatItsSenderIsntReset() throws Exception {
        open();
        RawCaller caller = connect();
        caller.head("POST", "/v1/body", "Content-Length: 3000000");
        assertThat(caller.reply()).startsWith("HTTP/1.1 401");

        caller.send(new byte[3_000_000]);
        assertThat(caller.isEnded()).isTrue();
    }

    @Test
    void expectedContinue_isSaidToWhoMaySend() throws Exception {
        open();
        RawCaller caller = connect();
        caller.head("POST", "/v1/body", "Content-Length: 4", "Expect: 100-continue", TOKEN);
        assertThat(caller.reply()).startsWith("HTTP/1.1 100 Continue");

        caller.send("four");
        assertThat(caller.reply()).startsWith("HTTP/1.1 200").endsWith("\r\n\r\n4");
    }

    @Test
    void chunkedBody_isTakenPieceByPiece_upToItsRoutesLimit() throws Exception {
        open();
        RawCaller caller = connect();
        caller.head("POST", "/v1/body", "Transfer-Encoding: chunked", TOKEN);
        for (int n = 0; n < 2_000; n++) {
            caller.send("1\r\nx\r\n");
        }
        caller.send("0\r\n\r\n");
        assertThat(caller.reply()).endsWith("\r\n\r\n2000");

        caller.head("POST", "/v1/small", "Transfer-Encoding: chunked", TOKEN).send("c8\r\n" + "x".repeat(200));
        assertThat(caller.reply()).startsWith("HTTP/1.1 413").contains("<= 100 bytes");
    }

    @Test
    void bodies_shareTheirRoom_whichAnnouncedBytesDontTake() throws Exception {
        open();
        for (int n = 0; n < 20; n++) {
            connect().head("POST", "/v1/body", "Content-Length: 1000000", TOKEN); // nothing of it comes
        }
        RawCaller first = connect();
        first.head("POST", "/v1/body", "Content-Length: 1000000", TOKEN).send(new byte[999_999]);
        await(() -> server.bodies().used() > MEBI - 2 * RequestBody.FREE);
        RawCaller second = connect();
        second.head("POST", "/v1/body", "Content-Length: 1000000", TOKEN).send(new byte[999_999]);
        assertThat(second.reply()).startsWith("HTTP/1.1 503").contains("retry-after: 1", "connection: close");
        assertThat(server.counts().count(Reason.BODIES)).isEqualTo(1);

        RawCaller operator = connect();
        operator.head("POST", "/v1/body", "Content-Length: 4000", TOKEN).send(new byte[4_000]);
        assertThat(operator.reply()).as("an order").endsWith("\r\n\r\n4000");

        first.send(new byte[1]);
        assertThat(first.reply()).endsWith("\r\n\r\n1000000");
        operator.head("POST", "/v1/body", "Content-Length: 1000000", TOKEN).send(new byte[1_000_000]);
        assertThat(operator.reply()).as("room again").endsWith("\r\n\r\n1000000");
    }

    @Test
    void body_thatStops_endsTheConnection_andGivesItsRoomBack() throws Exception {
        bodyStall = SHORT;
        open();
        RawCaller stopped = connect();
        stopped.head("POST", "/v1/body", "Content-Length: 1000000", TOKEN).send(new byte[999_999]);
        assertThat(stopped.isEnded()).isTrue();
        assertThat(server.counts().count(Reason.BODY)).isEqualTo(1);

        RawCaller next = connect();
        next.head("POST", "/v1/body", "Content-Length: 1000000", TOKEN).send(new byte[1_000_000]);
        assertThat(next.reply()).endsWith("\r\n\r\n1000000");
    }

    @Test
    void body_thatComesByteByByte_endsTheConnection() throws Exception {
        body = SHORT;
        open();
        RawCaller slow = connect();
        slow.head("POST", "/v1/body", "Content-Length: 1000000", TOKEN);

        await(() -> {
            send(slow, "x");
            return server.counts().count(Reason.BODY) == 1;
        });
        assertThat(slow.isEnded()).isTrue();
    }

    @Test
    void silentConnections_keepNobodyOut() throws Exception {
        connections = 8;
        open();
        List<RawCaller> silent = new ArrayList<>();
        for (int n = 0; n < 40; n++) {
            silent.add(connect());
            if (n % 2 == 0) {
                silent.get(n).send("GET /v1/echo HTT"); // half a head is no request
            }
        }
        RawCaller operator = connect();
        for (int n = 0; n < 3; n++) {
            assertThat(operator.head("GET", "/v1/echo?n=" + n, TOKEN).reply()).endsWith("\r\n\r\n" + n);
            connect();
        }

        await(() -> server.counts().count(Reason.EVICTED) == 40 + 1 + 3 - 8);
        assertThat(server.counts().connections()).isEqualTo(8);
        assertThat(silent.get(0).isEnded()).isTrue();
        assertThat(server.counts().count(Reason.CONNECTIONS)).isZero();
    }

    @Test
    void connections_thatAreAllAtWork_areKept_andTheNextIsClosedAtOnce() throws Exception {
        connections = 8;
        open();
        List<RawCaller> busy = new ArrayList<>();
        for (int n = 0; n < 8; n++) {
            busy.add(connect());
            busy.get(n).head("POST", "/v1/body", "Content-Length: 2", TOKEN, "Expect: 100-continue");
            assertThat(busy.get(n).reply()).startsWith("HTTP/1.1 100");
        }
        assertThat(connect().isEnded()).isTrue();
        assertThat(server.counts().count(Reason.CONNECTIONS)).isEqualTo(1);

        for (RawCaller caller : busy) {
            assertThat(caller.send("ok").reply()).endsWith("\r\n\r\n2");
        }
        assertThat(connect().head("GET", "/v1/echo?n=1", TOKEN).reply()).endsWith("\r\n\r\n1");
    }

    @Test
    void connection_withoutACompleteHead_isClosedInTime() throws Exception {
        head = SHORT;
        open();
        assertThat(connect().isEnded()).isTrue();
        assertThat(connect().send("GET /v1/echo HTTP/1.1\r\n").isEnded()).isTrue();
        assertThat(server.counts().count(Reason.IDLE)).isEqualTo(2);
    }

    @Test
    void connection_withoutANextRequest_isClosedInTime() throws Exception {
        idle = SHORT;
        open();
        RawCaller caller = connect();
        assertThat(caller.head("GET", "/v1/echo?n=1", TOKEN).reply()).endsWith("\r\n\r\n1");
        assertThat(caller.send("GET /v1/echo").isEnded()).isTrue();
        assertThat(server.counts().count(Reason.IDLE)).isEqualTo(1);
    }

    @Test
    void eventStreams_haveABoundOfTheirOwn_andMakeNoRoom() throws Exception {
        connections = 4;
        streams = 2;
        open();
        RawCaller first = connect().head("GET", "/v1/ticks", TOKEN);
        assertThat(first.reply()).startsWith("HTTP/1.1 200");
        RawCaller second = connect().head("GET", "/v1/ticks", TOKEN);
        assertThat(second.reply()).startsWith("HTTP/1.1 200");
        RawCaller third = connect().head("GET", "/v1/ticks", TOKEN);
        assertThat(third.reply()).startsWith("HTTP/1.1 503").contains("retry-after: 1");
        assertThat(server.counts().count(Reason.STREAMS)).isEqualTo(1);

        for (int n = 0; n < 10; n++) {
            connect();
        }
        assertThat(first.line() + first.line() + first.line()).as("it goes on").contains("data: ");
        second.close();
        await(() -> {
            try (RawCaller fourth = RawCaller.connect(server)) {
                return fourth.head("GET", "/v1/ticks", TOKEN).reply().startsWith("HTTP/1.1 200");
            } catch (IOException evicted) {
                return false;
            }
        });
    }

    @Test
    void eventStream_thatNobodyReads_isClosedInTime() throws Exception {
        replyStall = SHORT;
        open();
        RawCaller caller = connect().head("GET", "/v1/floods", TOKEN);

        await(() -> server.counts().count(Reason.REPLY) == 1);
        await(() -> server.counts().connections() == 0);
        assertThat(caller.isEnded()).isTrue();
    }

    @Test
    void eventStream_passesOverWhatItsCallerSends_andNoticesItsEnd() throws Exception {
        open();
        RawCaller caller = connect().head("GET", "/v1/ticks", TOKEN).send(new byte[3 * MEBI]);
        assertThat(caller.reply()).startsWith("HTTP/1.1 200");
        caller.close();

        await(() -> server.counts().connections() == 0);
    }

    @Test
    void counts_areMetered() throws Exception {
        connections = 4;
        open();
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        server.counts().addTo(registry);
        for (int n = 0; n < 5; n++) {
            connect();
        }

        await(() -> registry.get("understudy.control.evicted").functionCounter().count() == 1);
        assertThat(registry.get("understudy.control.connections").gauge().value())
                .isEqualTo(4);
        assertThat(registry.get("understudy.control.refused")
                        .tag("reason", "bodies")
                        .functionCounter()
                        .count())
                .isZero();
    }

    private void open() throws IOException {
        Routes routes = new Routes()
                        .get("/v1/echo", call -> {
                            answered.incrementAndGet();
                            return Reply.text(200, call.parameter("n", ""));
                        })
                        .get("/v1/large", call -> {
                            answered.incrementAndGet();
                            return Reply.text(200, "x".repeat(3 * MEBI));
                        })
                        .post("/v1/body", call -> {
                            answered.incrementAndGet();
                            return Reply.text(200, String.valueOf(call.body().length));
                        })
                        .post("/v1/small", 100, call -> Reply.text(200, ""))
                        .stream("/v1/ticks", Duration.ofMillis(20), () -> Map.of("answered", answered.get()))
                        .stream("/v1/floods", Duration.ofMillis(1), () -> Map.of("flood", "x".repeat(50_000)));
        ControlLimits limits = new ControlLimits(
                connections,
                streams,
                MEBI + MEBI / 2,
                4 * MEBI,
                head,
                idle,
                bodyStall,
                body,
                replyStall,
                reply,
                Duration.ofSeconds(5));
        server = ControlServer.open(new ControlConfig(new InetSocketAddress("127.0.0.1", 0), "secret"), routes, limits);
        opened.push(server);
    }

    private RawCaller connect() throws IOException {
        RawCaller caller = RawCaller.connect(server);
        opened.push(caller);
        return caller;
    }

    /** The server may end the connection meanwhile. */
    private static void send(RawCaller caller, String text) {
        try {
            caller.send(text.getBytes(StandardCharsets.US_ASCII));
        } catch (SocketException closed) {
            // that's for the test to see elsewhere
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }
}
