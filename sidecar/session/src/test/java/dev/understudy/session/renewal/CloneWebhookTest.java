package dev.understudy.session.renewal;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/** Fresh copies are made when the sidecar asks for them, and no more often than the session allows. */
final class CloneWebhookTest {
    private static final Duration PAUSE = Duration.ofSeconds(60);
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final AtomicLong nanos = new AtomicLong();
    private final List<String> made = new CopyOnWriteArrayList<>();
    private CloneWebhook webhook;

    @BeforeEach
    void open() throws Exception {
        webhook = CloneWebhook.open(PAUSE, nanos::get, Duration.ofMinutes(5));
    }

    @AfterEach
    void close() {
        webhook.close();
    }

    @Test
    void copy_isMade_oncePerPause() throws Exception {
        assertThat(post("{}").statusCode()).as("nobody makes any yet").isEqualTo(429);
        webhook.serve((epoch, cause) -> made.add(epoch + " " + cause));
        assertThat(post("{}").statusCode()).as("the first copy is young").isEqualTo(429);
        nanos.addAndGet(PAUSE.toNanos());

        assertThat(post("{\"debug\":\"debug\",\"epoch\":2,\"cause\":\"PERIODIC\"}")
                        .statusCode())
                .isEqualTo(200);
        assertThat(post("{}").body()).startsWith("no copy is made now").contains("60 s");
        nanos.addAndGet(PAUSE.toNanos());
        assertThat(post("no JSON").statusCode()).isEqualTo(200);

        assertThat(made).containsExactly("2 PERIODIC", "0 UNKNOWN");
    }

    @Test
    void failure_isToldWithItsReason_andThePauseHoldsAllTheSame() throws Exception {
        webhook.serve((epoch, cause) -> {
            throw new IOException("too long for max-suspend");
        });
        nanos.addAndGet(PAUSE.toNanos());

        HttpResponse<String> reply = post("{}");

        assertThat(reply.statusCode()).isEqualTo(500);
        assertThat(reply.body()).isEqualTo("too long for max-suspend\n");
        assertThat(post("{}").statusCode()).isEqualTo(429);
    }

    @Test
    void strangers_areRefused_andOneCopyIsMadeAtATime() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        webhook.serve((epoch, cause) -> {
            made.add(cause);
            release.await();
        });
        nanos.addAndGet(PAUSE.toNanos());
        URI other = webhook.address().resolve("/");
        assertThat(send(HttpRequest.newBuilder(other).POST(BodyPublishers.noBody()))
                        .statusCode())
                .isEqualTo(404);
        assertThat(send(HttpRequest.newBuilder(webhook.address())).statusCode()).isEqualTo(400);
        assertThat(post("x".repeat(5000)).statusCode()).isEqualTo(413);
        assertThat(made).isEmpty();
        CompletableFuture<Integer> first = CompletableFuture.supplyAsync(() -> until("{\"cause\":\"OVERFLOW\"}"));
        await().atMost(PATIENCE).until(() -> made.size() == 1);
        nanos.addAndGet(PAUSE.toNanos());
        assertThat(post("{}").statusCode()).as("one is under way").isEqualTo(429);
        release.countDown();

        assertThat(first.get()).isEqualTo(200);
    }

    @Test
    void callersThatSendNoWholeRequest_areFew_andKeepNobodyOut() throws Exception {
        webhook.serve((epoch, cause) -> made.add(cause));
        nanos.addAndGet(PAUSE.toNanos());
        List<Socket> callers = new ArrayList<>();
        try {
            for (int n = 0; n < 200; n++) {
                callers.add(half(n % 2 == 0 ? "" : "POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\n{"));
            }

            assertThat(post("{\"cause\":\"PERIODIC\"}").statusCode()).isEqualTo(200);

            assertThat(made).containsExactly("PERIODIC");
            // it came as one more, in the place of the oldest that was left
            for (Socket caller : callers.subList(0, callers.size() - WebhookPort.MOST)) {
                assertThat(isEnded(caller)).isTrue();
            }
        } finally {
            for (Socket caller : callers) {
                caller.close();
            }
        }
    }

    @Test
    void callersThatTakeTooLong_areDisconnected_andOneThatIsServedIsnt() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        try (CloneWebhook hasty = CloneWebhook.open(Duration.ZERO, nanos::get, Duration.ofMillis(300))) {
            hasty.serve((epoch, cause) -> release.await());
            HttpRequest.Builder request = HttpRequest.newBuilder(hasty.address());
            CompletableFuture<HttpResponse<String>> served = HttpClient.newHttpClient()
                    .sendAsync(request.POST(BodyPublishers.ofString("{}")).build(), BodyHandlers.ofString());
            try (Socket silent = new Socket("127.0.0.1", hasty.address().getPort())) {
                assertThat(isEnded(silent)).isTrue();
            }
            assertThat(served).isNotDone();
            release.countDown();

            assertThat(served.get().statusCode()).isEqualTo(200);
        }
    }

    private Socket half(String request) throws IOException {
        Socket caller = new Socket("127.0.0.1", webhook.address().getPort());
        caller.setSoTimeout((int) PATIENCE.toMillis());
        caller.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        return caller;
    }

    private static boolean isEnded(Socket caller) throws IOException {
        try {
            return caller.getInputStream().read() < 0;
        } catch (SocketException reset) {
            return true;
        }
    }

    @Test
    void plan_isRefused_whereProductionWouldStandStillAllTheTime() {
        assertThatThrownBy(() -> new RenewalPlan(Duration.ZERO, "never", false, Duration.ofSeconds(9)))
                .hasMessage("--renew-pause: 9000 ms (expected: at least 10 s, since production stands still each"
                        + " time)");
        assertThatThrownBy(() -> new RenewalPlan(Duration.ZERO, "often", false, PAUSE))
                .hasMessageStartingWith("--renew-on-divergence: often");
    }

    /** The status of the first call that is answered. */
    private int until(String body) {
        int[] status = {0};
        await().atMost(PATIENCE).ignoreExceptions().until(() -> {
            status[0] = post(body).statusCode();
            return true;
        });
        return status[0];
    }

    private HttpResponse<String> post(String body) throws Exception {
        return send(HttpRequest.newBuilder(webhook.address()).POST(BodyPublishers.ofString(body)));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return HttpClient.newHttpClient().send(request.timeout(PATIENCE).build(), BodyHandlers.ofString());
    }
}
