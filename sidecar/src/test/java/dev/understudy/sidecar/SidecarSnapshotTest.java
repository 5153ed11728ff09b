package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.sidecar.config.ListenerConfig;
import dev.understudy.sidecar.config.WindowConfig;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What the debug JVM gets that began with a snapshot of production: all that isn't in it, and nothing else. */
final class SidecarSnapshotTest {
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final List<Socket> clients = new ArrayList<>();
    private HttpService production;
    private HttpService debug;
    private Stage stage;

    @BeforeEach
    void open() throws Exception {
        production = HttpService.answering((asked, exchange) -> {
            if (asked.target().startsWith("/slow")) {
                stopped.await();
            }
            HttpService.reply(exchange, 200, "{}");
        });
        debug = HttpService.saying("{}");
        stage = Stage.open(production.address(), debug.address());
        tee(stage, "{\"mode\":\"off\"}");
        tee(stage, "{\"mode\":\"paused\",\"snapshot\":\"awaited\"}");
    }

    @AfterEach
    void close() throws IOException {
        stopped.countDown();
        for (Socket client : clients) {
            client.close();
        }
        stage.close();
        debug.close();
        production.close();
    }

    @Test
    void servedAndBegunRequests_areLeftOut_andUnreadOnesAreDelivered() throws Exception {
        Socket kept = connect();
        send(kept, "/served/1");
        reply(kept);
        stage.get("/served/2");
        Socket begun = connect();
        send(begun, "/slow/begun");
        awaitAsked(3);
        Socket left = connect();
        send(left, "/slow/begun-by-one-that-says-no-more");
        awaitAsked(4);
        left.shutdownOutput();
        long running = System.nanoTime();
        stage.get("/served/by-a-thread-that-is-stopped-last");
        send(kept, "/slow/unread");
        awaitAsked(6);
        long answered = System.nanoTime();
        stopped.countDown();
        reply(begun);
        reply(kept);
        stage.get("/after");
        assertThat(debug.asked).isEmpty();

        begin(stage, running, answered);
        send(kept, "/later");
        reply(kept);

        JsonNode status = stage.awaitStatus("all verdicts", s -> Stage.total(s) == 3);
        assertThat(debug.asked)
                .extracting(HttpService.Asked::target)
                .containsExactlyInAnyOrder("/slow/unread", "/after", "/later");
        assertThat(status.at("/inSnapshot").asInt()).isEqualTo(5);
        assertThat(status.at("/fidelity").asText()).isEqualTo("faithful: 3 of 3 exchanges");
        assertThat(status.at("/notSampled/requests").asInt()).isZero();
    }

    @Test
    void connectionsThatEndMeanwhile_areDecidedToo() throws Exception {
        for (int n = 0; n < 5; n++) {
            askOnce(stage, "/ended/" + n);
        }
        long between = System.nanoTime();
        for (int n = 0; n < 5; n++) {
            askOnce(stage, "/new/" + n);
        }

        begin(stage, between, between);

        JsonNode status = stage.awaitStatus(
                "all", s -> Stage.total(s) == 5 && s.at("/lanes/open").asInt() == 0);
        assertThat(debug.asked).hasSize(5).allMatch(asked -> asked.target().startsWith("/new/"));
        assertThat(status.at("/inSnapshot").asInt()).isEqualTo(5);
    }

    /** Each waits in a lane, whose own memory is bounded as what it holds is: production notices nothing. */
    @Tag("slow")
    @Test
    void moreConnectionsThanHaveRoom_areRelayedAndNotCopied_andCounted() throws Exception {
        int room = 16 << 20;
        int most = room / (10 * 1024);
        WindowConfig window =
                new WindowConfig(room, room, Duration.ofSeconds(30), Duration.ofSeconds(10), Duration.ofSeconds(60));
        try (Stage small = Stage.open(production.address(), debug.address(), window, ListenerConfig.Framing.HTTP, "")) {
            tee(small, "{\"mode\":\"off\"}");
            tee(small, "{\"mode\":\"paused\",\"snapshot\":\"awaited\"}");
            for (int n = 0; n < most + 100; n++) {
                askOnce(small, "/crowd/" + n);
            }
            JsonNode full = small.awaitStatus(
                    "refused", s -> s.at("/notCompared/OVERFLOW").asInt() == 100);
            assertThat(full.at("/lanes/open").asInt()).isEqualTo(most);
            assertThat(full.at("/losses/OVERFLOW_GLOBAL/events").asInt()).isEqualTo(100);
            assertThat(full.at("/fidelity").asText()).contains("OVERFLOW_GLOBAL");
            assertThat(production.asked).hasSize(most + 100);

            begin(small, System.nanoTime(), System.nanoTime());

            JsonNode emptied =
                    small.awaitStatus("emptied", s -> s.at("/lanes/open").asInt() == 0);
            assertThat(emptied.at("/inSnapshot").asInt()).isEqualTo(most);
            askOnce(small, "/copied-again");
            small.awaitStatus("copied", s -> debug.asked.size() == 1);
        }
    }

    @Test
    void connectionOfBytes_thatIsOlderThanTheSnapshot_isntJoined() throws Exception {
        try (PlainServer echo =
                        PlainServer.open(socket -> socket.getInputStream().transferTo(socket.getOutputStream()));
                Stage tcp = Stage.open(echo.address(), debug.address(), Stage.WINDOW, ListenerConfig.Framing.TCP, "")) {
            tee(tcp, "{\"mode\":\"off\"}");
            tee(tcp, "{\"mode\":\"paused\",\"snapshot\":\"awaited\"}");
            try (Socket client = tcp.connect()) {
                client.getOutputStream().write('a');
                assertThat(client.getInputStream().read()).isEqualTo('a');

                begin(tcp, System.nanoTime(), System.nanoTime());

                tcp.awaitStatus("said", s -> s.at("/unjoinedConnections").asInt() == 1);
                assertThat(tcp.status().at("/lanes/connected").asInt()).isZero();
                client.getOutputStream().write('b');
                assertThat(client.getInputStream().read()).isEqualTo('b');
            }
        }
    }

    @Test
    void wrongMoments_areRefused() throws Exception {
        for (String wrong : List.of(
                "{\"mode\":\"on\",\"snapshot\":\"awaited\"}",
                "{\"mode\":\"on\",\"snapshot\":{\"running\":1}}",
                "{\"mode\":\"on\",\"snapshot\":{\"running\":1,\"answered\":1e99}}",
                "{\"mode\":\"paused\",\"snapshot\":{\"running\":1,\"answered\":2}}",
                "{\"mode\":\"off\",\"snapshot\":null}")) {
            HttpResponse<String> refusal = put(stage, wrong);
            assertThat(refusal.statusCode()).as(wrong).isEqualTo(400);
            assertThat(refusal.body()).contains("snapshot");
        }
        assertThat(stage.status().get("tee").asText()).isEqualTo("paused");
    }

    private static void begin(Stage stage, long running, long answered) throws Exception {
        tee(stage, "{\"mode\":\"on\",\"snapshot\":{\"running\":" + running + ",\"answered\":" + answered + "}}");
    }

    private static void tee(Stage stage, String order) throws Exception {
        assertThat(put(stage, order).statusCode()).isEqualTo(200);
    }

    private static HttpResponse<String> put(Stage stage, String order) throws Exception {
        return stage.client.send(
                HttpRequest.newBuilder(stage.controlUri("/v1/listeners/orders/tee"))
                        .header("Content-Type", "application/json")
                        .PUT(HttpRequest.BodyPublishers.ofString(order))
                        .build(),
                BodyHandlers.ofString());
    }

    private void awaitAsked(int requests) {
        await("production").until(() -> production.asked.size() == requests);
    }

    private Socket connect() throws IOException {
        Socket client = stage.connect();
        clients.add(client);
        return client;
    }

    private static void askOnce(Stage stage, String target) throws IOException {
        try (Socket client = stage.connect()) {
            send(client, target);
            reply(client);
        }
    }

    private static void send(Socket client, String target) throws IOException {
        client.getOutputStream()
                .write(("GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
    }

    private static void reply(Socket client) throws IOException {
        StringBuilder reply = new StringBuilder();
        while (reply.indexOf("{}") < 0) {
            int next = client.getInputStream().read();
            assertThat(next).as(reply.toString()).isNotNegative();
            reply.append((char) next);
        }
    }
}
