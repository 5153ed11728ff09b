package dev.understudy.standin.run;

import dev.understudy.standin.model.ReplyModel;
import dev.understudy.standin.model.RouteModel;
import dev.understudy.standin.model.ServiceModel;
import dev.understudy.standin.model.TestModels;
import dev.understudy.standin.value.Quantiles;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class StandInTest {
    private static final InetSocketAddress ANY_PORT = InetSocketAddress.createUnresolved("127.0.0.1", 0);
    private final HttpClient client = HttpClient.newHttpClient();

    private static StandIn started(ServiceModel model) throws IOException {
        return StandIn.start(model, new StandInOptions(ANY_PORT, 1, 1, true));
    }

    private static HttpRequest request(StandIn standIn, String target) {
        return HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + standIn.address().getPort() + target))
                .build();
    }

    private HttpResponse<String> get(StandIn standIn, String target) throws IOException, InterruptedException {
        return client.send(request(standIn, target), BodyHandlers.ofString());
    }

    @Test
    void sameRequest_getsTheSameReply_andAnotherOneAnother() throws Exception {
        try (StandIn standIn = started(TestModels.of(TestModels.route("GET", "/orders/{}")))) {
            HttpResponse<String> first = get(standIn, "/orders/1");
            assertThat(first.body()).matches("\\{\"n\":\\d+}");
            assertThat(first.headers().firstValue("content-type")).contains("application/json");
            Set<String> bodies = new HashSet<>();
            for (int i = 0; i < 10; i++) {
                assertThat(get(standIn, "/orders/1").body()).isEqualTo(first.body());
                bodies.add(get(standIn, "/orders/" + i).body());
            }
            assertThat(bodies).hasSizeGreaterThan(5);
            assertThat(standIn.counts().byRoute()).containsEntry("GET /orders/{}", 21L);
        }
    }

    @Test
    void statuses_haveTheSharesLearned() throws Exception {
        RouteModel known = TestModels.route("GET", "/orders/{}", Quantiles.always(0), 0);
        RouteModel route = new RouteModel(
                1,
                known.request(),
                List.of(
                        new ReplyModel(200, 0.8, "text/plain", Quantiles.always(7), null),
                        new ReplyModel(404, 0.2, "", Quantiles.always(0), null)),
                known.timeMillis(),
                0,
                0);
        try (StandIn standIn = started(TestModels.of(route))) {
            int missing = 0;
            for (int i = 0; i < 500; i++) {
                HttpResponse<String> reply = get(standIn, "/orders/" + i);
                missing += reply.statusCode() == 404 ? 1 : 0;
                assertThat(reply.body()).hasSize(reply.statusCode() == 404 ? 0 : 7);
            }
            assertThat(missing).isBetween(60, 140);
        }
    }

    @Test
    void unknownRoute_isToldAndCounted() throws Exception {
        try (StandIn standIn = started(TestModels.of(TestModels.route("GET", "/orders/{}")))) {
            HttpResponse<String> reply = get(standIn, "/customers");
            assertThat(reply.statusCode()).isEqualTo(404);
            assertThat(reply.body()).contains("the model has no such route");
            assertThat(standIn.counts().unknownRoutes()).isEqualTo(1);
        }
    }

    @Test
    void replies_takeTheTimeLearned() throws Exception {
        try (StandIn standIn = started(TestModels.of(TestModels.route("GET", "/slow", Quantiles.always(60), 0)))) {
            get(standIn, "/slow");
            long begun = System.nanoTime();
            get(standIn, "/slow");
            assertThat(System.nanoTime() - begun).isGreaterThan(59_000_000);
        }
    }

    @Test
    void requestsBeyondTheWorkers_wait() throws Exception {
        try (StandIn standIn = started(TestModels.of(2, TestModels.route("GET", "/slow", Quantiles.always(50), 0)))) {
            long begun = System.nanoTime();
            List<CompletableFuture<HttpResponse<String>>> replies = IntStream.range(0, 6)
                    .mapToObj(i -> client.sendAsync(request(standIn, "/slow"), BodyHandlers.ofString()))
                    .toList();
            replies.forEach(reply -> assertThat(reply.join().statusCode()).isEqualTo(200));
            // three rounds of two
            assertThat(System.nanoTime() - begun).isGreaterThan(149_000_000);
        }
    }

    @Test
    void processorTime_isSpentByTheThreadThatWorks() {
        RouteModel route = TestModels.route("GET", "/", Quantiles.always(20), 15);
        StandInOptions options = new StandInOptions(ANY_PORT, 1, 1, true);
        long begun = SimulatedWork.threadProcessorNanos();
        SimulatedWork.of(route, 0.5, options).spend();
        assertThat(SimulatedWork.threadProcessorNanos() - begun).isGreaterThanOrEqualTo(15_000_000);
        SimulatedWork none = SimulatedWork.of(route, 0.5, new StandInOptions(ANY_PORT, 1, 2, false));
        assertThat(none).isEqualTo(new SimulatedWork(0, 10_000_000, 0));
    }

    @Test
    void pipelinedRequests_areAnsweredInOrder() throws Exception {
        try (StandIn standIn = started(TestModels.of(
                TestModels.route("GET", "/slow", Quantiles.always(50), 0),
                TestModels.route("GET", "/fast/{}", Quantiles.always(0), 0)))) {
            String expected = get(standIn, "/slow").body()
                    + get(standIn, "/fast/1").body()
                    + get(standIn, "/fast/2").body();
            try (Socket socket = new Socket("127.0.0.1", standIn.address().getPort())) {
                socket.getOutputStream()
                        .write((ask("/slow", "") + ask("/fast/1", "") + ask("/fast/2", "Connection: close\r\n"))
                                .getBytes(StandardCharsets.US_ASCII));
                String all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
                assertThat(all.replaceAll("(?s)HTTP/1.1 200.*?\r\n\r\n", "")).isEqualTo(expected);
            }
        }
    }

    private static String ask(String target, String headers) {
        return "GET " + target + " HTTP/1.1\r\nHost: a\r\n" + headers + "\r\n";
    }

    @Test
    void bodies_areTakenWithoutBeingHeld_andDecideTheReply() throws Exception {
        try (StandIn standIn = started(TestModels.of(TestModels.route("POST", "/orders")))) {
            Set<String> replies = new HashSet<>();
            for (int length : new int[] {0, 5, 9 << 20, 9 << 20}) {
                HttpRequest request = HttpRequest.newBuilder(
                                request(standIn, "/orders").uri())
                        .expectContinue(length > 5)
                        .POST(BodyPublishers.ofByteArray(new byte[length]))
                        .build();
                HttpResponse<String> reply = client.send(request, BodyHandlers.ofString());
                assertThat(reply.statusCode()).isEqualTo(200);
                replies.add(reply.body());
            }
            assertThat(replies).hasSize(3);
        }
    }

    @Test
    void connectionsBeyondTheBound_areClosed_andCounted() throws Exception {
        StandInLimits two = new StandInLimits(2, 10, Duration.ofMinutes(1));
        try (StandIn standIn = limited(two, Quantiles.always(0));
                Socket first = new Socket("127.0.0.1", standIn.address().getPort());
                Socket second = new Socket("127.0.0.1", standIn.address().getPort())) {
            for (Socket open : List.of(first, second)) {
                open.getOutputStream().write(ask("/slow", "").getBytes(StandardCharsets.US_ASCII));
                assertThat(open.getInputStream().read()).isEqualTo('H');
            }
            try (Socket third = new Socket("127.0.0.1", standIn.address().getPort())) {
                assertThat(third.getInputStream().read()).isEqualTo(-1);
            }
            assertThat(standIn.counts().refusals()).isEqualTo(1);
        }
    }

    @Test
    void requestsBeyondTheQueue_getA503_andAreCounted() throws Exception {
        StandInLimits one = new StandInLimits(100, 1, Duration.ofMinutes(1));
        try (StandIn standIn = limited(one, Quantiles.always(200))) {
            List<CompletableFuture<HttpResponse<String>>> replies = IntStream.range(0, 6)
                    .mapToObj(i -> client.sendAsync(request(standIn, "/slow"), BodyHandlers.ofString()))
                    .toList();
            long refused = replies.stream()
                    .filter(reply -> reply.join().statusCode() == 503)
                    .count();
            assertThat(refused).isPositive().isEqualTo(standIn.counts().refusals());
        }
    }

    @Test
    void silentConnection_isClosed() throws Exception {
        StandInLimits brief = new StandInLimits(100, 10, Duration.ofMillis(100));
        try (StandIn standIn = limited(brief, Quantiles.always(0));
                Socket silent = new Socket("127.0.0.1", standIn.address().getPort())) {
            assertThat(silent.getInputStream().read()).isEqualTo(-1);
        }
    }

    /** One worker. */
    private static StandIn limited(StandInLimits limits, Quantiles millis) throws IOException {
        ServiceModel model = TestModels.of(1, TestModels.route("GET", "/slow", millis, 0));
        return StandIn.start(model, new StandInOptions(ANY_PORT, 1, 1, true), limits);
    }

    @Test
    void garbage_isAnswered400_andTheServerGoesOn() throws Exception {
        try (StandIn standIn = started(TestModels.of(TestModels.route("GET", "/orders")))) {
            try (Socket socket = new Socket("127.0.0.1", standIn.address().getPort())) {
                socket.getOutputStream().write("\0\1\2 nonsense\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
                try (InputStream in = socket.getInputStream()) {
                    assertThat(new String(in.readAllBytes(), StandardCharsets.US_ASCII))
                            .startsWith("HTTP/1.1 400");
                }
            }
            assertThat(get(standIn, "/orders").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void portInUse_isToldByItsAddress() throws Exception {
        try (StandIn standIn = started(TestModels.of(TestModels.route("GET", "/")))) {
            InetSocketAddress used = InetSocketAddress.createUnresolved(
                    "127.0.0.1", standIn.address().getPort());
            assertThatThrownBy(() -> StandIn.start(
                            TestModels.of(TestModels.route("GET", "/")), new StandInOptions(used, 1, 1, true)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("127.0.0.1:" + used.getPort() + ": can't listen there");
        }
    }
}
