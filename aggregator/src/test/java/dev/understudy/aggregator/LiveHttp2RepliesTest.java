package dev.understudy.aggregator;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.Headers;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Replies over HTTP/2 that production is still receiving, with real clients: debug gets what there is of them. */
class LiveHttp2RepliesTest {
    private static final int LARGE = 1 << 20;

    private final OkHttpClient client = new OkHttpClient.Builder()
            .protocols(List.of(Protocol.H2_PRIOR_KNOWLEDGE))
            .readTimeout(60, TimeUnit.SECONDS)
            .build();
    private final OkHttpClient http1 =
            new OkHttpClient.Builder().readTimeout(60, TimeUnit.SECONDS).build();
    private Http2Server server;
    private Aggregator aggregator;

    @BeforeEach
    void start() throws IOException {
        server = new Http2Server();
        aggregator = TestAggregator.open("http", server.port(), "wait: 1m");
    }

    @AfterEach
    void stop() {
        for (OkHttpClient one : List.of(client, http1)) {
            one.dispatcher().cancelAll();
            one.dispatcher().executorService().shutdown();
            one.connectionPool().evictAll();
        }
        aggregator.close();
        server.close();
    }

    @Test
    void event_reachesDebugWhileProductionsStreamGoesOn() throws Exception {
        try (Response real = open(client, production());
                Response replayed = open(client, debug())) {
            assertThat(replayed.protocol()).isEqualTo(Protocol.H2_PRIOR_KNOWLEDGE);
            assertThat(replayed.headers()).isEqualTo(real.headers());
            for (String event : List.of("one", "two", "x".repeat(LARGE))) {
                server.say(event);
                assertThat(next(real)).isEqualTo(event);
                assertThat(next(replayed)).isEqualTo(event);
            }
            server.endEvents();

            assertThat(real.body().source().exhausted()).isTrue();
            assertThat(replayed.body().source().exhausted()).isTrue();
            assertThat(replayed.trailers()).isEqualTo(real.trailers()).isEqualTo(Headers.of("checksum", "17"));
        }
        Eventually.await(() -> TestAggregator.status(aggregator).contains("\"exchanges\":1,"));
        assertThat(TestAggregator.status(aggregator))
                .contains("\"replayed\":1", "\"missed\":0", "\"unused\":0")
                .doesNotContain("INCOMPLETE");
        assertThat(server.served).hasValue(1);
    }

    @Test
    void event_reachesDebugOverHttp1() throws Exception {
        try (Response real = open(client, production());
                Response replayed = open(http1, debug())) {
            assertThat(replayed.protocol()).isEqualTo(Protocol.HTTP_1_1);
            server.say("one");
            assertThat(next(real)).isEqualTo("one");
            assertThat(next(replayed)).isEqualTo("one");
            server.endEvents();
            assertThat(replayed.body().source().exhausted()).isTrue();
        }
    }

    @Test
    void debugThatAskedBeforeProduction_getsTheFirstEventAtOnce() throws Exception {
        CompletableFuture<Response> early = begin(client, debug());
        Eventually.await(() -> TestAggregator.status(aggregator).contains("\"requests\":1"));
        try (Response real = open(client, production());
                Response replayed = early.get(60, TimeUnit.SECONDS)) {
            server.say("one");

            assertThat(next(real)).isEqualTo("one");
            assertThat(next(replayed)).isEqualTo("one");
        }
    }

    @Test
    void otherStreams_areAnsweredMeanwhile() throws Exception {
        try (Response real = open(client, production());
                Response replayed = open(client, debug())) {
            String other = text(call(client, production(), "/a").execute());
            assertThat(text(call(client, debug(), "/a").execute())).isEqualTo(other);

            server.say("one");
            assertThat(next(real)).isEqualTo("one");
            assertThat(next(replayed)).isEqualTo("one");
        }
    }

    @Test
    void streamThatTheServerResets_isResetForDebug() throws Exception {
        try (Response real = open(client, production());
                Response replayed = open(client, debug())) {
            server.say("one");
            assertThat(next(replayed)).isEqualTo("one");
            server.resetEvents();

            assertThatThrownBy(() -> real.body().string()).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> replayed.body().string())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("INTERNAL_ERROR");
        }
    }

    private static String next(Response stream) throws IOException {
        return stream.body().source().readUtf8LineStrict();
    }

    private static String text(Response response) throws IOException {
        try (response) {
            return response.body().string();
        }
    }

    private static Response open(OkHttpClient client, int port) throws Exception {
        return begin(client, port).get(60, TimeUnit.SECONDS);
    }

    private static CompletableFuture<Response> begin(OkHttpClient client, int port) {
        CompletableFuture<Response> begun = new CompletableFuture<>();
        call(client, port, "/events").enqueue(new Callback() {
            @Override
            public void onResponse(Call call, Response response) {
                begun.complete(response);
            }

            @Override
            public void onFailure(Call call, IOException failure) {
                begun.completeExceptionally(failure);
            }
        });
        return begun;
    }

    private static Call call(OkHttpClient client, int port, String path) {
        return client.newCall(
                new Request.Builder().url("http://127.0.0.1:" + port + path).build());
    }

    private int production() {
        return aggregator.productionAddress("test").getPort();
    }

    private int debug() {
        return ((InetSocketAddress) aggregator.debugAddress("test")).getPort();
    }
}
