package dev.understudy.it.system;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.example.demo.report.ControlPort;
import dev.understudy.example.demo.stage.Addresses;
import dev.understudy.example.demo.stage.Cast;
import dev.understudy.example.demo.stage.Installation;
import dev.understudy.example.demo.stage.Stage;
import dev.understudy.it.stage.Checkout;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Faults of every part but production, while clients keep asking: each time production must answer as it would alone.
 */
@Tag("any-jdk")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FaultsIT {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private Stage stage;
    private Cast cast;
    private Addresses at;
    private Shopper shopper;
    private ControlPort sidecar;

    FaultsIT() throws Exception {
        stage = Stage.prepare(new Installation(Checkout.root()), "");
        at = stage.addresses();
        shopper = new Shopper(at.front());
        sidecar = new ControlPort(at.sidecarControlUrl());
        try {
            cast = stage.open(step -> {});
        } catch (Exception failed) {
            stage.close();
            throw failed;
        }
    }

    @BeforeAll
    void everythingServes() throws Exception {
        shopper.browse(60);
        awaitCaughtUp();
    }

    @AfterAll
    void close() {
        stage.close();
    }

    @Test
    void garbageOnEveryPort_disturbsNobodyAndIsCounted() throws Exception {
        long before = notCompared("UNFRAMED");
        List<Integer> ports = List.of(
                at.sidecar(),
                at.sidecarControl(),
                at.aggregatorControl(),
                at.postgresForProduction(),
                at.postgresForDebug(),
                at.redisForProduction(),
                at.redisForDebug(),
                at.pricingForProduction(),
                at.pricingForDebug());
        Random random = new Random(7);
        for (int port : ports) {
            for (int round = 0; round < 5; round++) {
                byte[] garbage = new byte[1 + random.nextInt(2_000)];
                random.nextBytes(garbage);
                send(port, garbage);
            }
        }

        shopper.browse(60);

        await().atMost(PATIENCE).until(() -> notCompared("UNFRAMED") > before);
        assertThat(cast.programs()).allMatch(program -> program.isAlive());
    }

    @Test
    void clientLeavingInMidRequest_isNamed() throws Exception {
        long before = notComparedInAll();

        send(
                at.sidecar(),
                "POST /orders HTTP/1.1\r\nHost: shop\r\nContent-Length: 500\r\n\r\n{\"lines\":["
                        .getBytes(StandardCharsets.US_ASCII));
        shopper.browse(40);

        await().atMost(PATIENCE).until(() -> notComparedInAll() > before);
    }

    @Test
    void debugStopped_lagsAndCatchesUp() throws Exception {
        awaitCaughtUp();
        long lost = losses();
        cast.debug().signal("STOP");
        try {
            shopper.browse(300);
            await().atMost(PATIENCE).until(() -> window().path("pending").asLong() > 250);
        } finally {
            cast.debug().signal("CONT");
        }

        awaitCaughtUp();
        assertThat(losses()).isEqualTo(lost);
    }

    @Test
    void debugKilledInMidLoad_isCountedAndComesBack() throws Exception {
        CompletableFuture<Void> load = CompletableFuture.runAsync(() -> shopper.browseUnchecked(600));
        shopper.browse(50);
        long before = notComparedInAll();
        cast.debug().signal("KILL");
        try {
            load.get();
            shopper.browse(100);
            await().atMost(PATIENCE).until(() -> notComparedInAll() > before);
        } finally {
            cast.debug().restart();
        }
        cast.debug().awaitHealthy("http://127.0.0.1:" + at.debug() + "/health", PATIENCE);
        long compared = compared();

        // a connection whose replies came too late isn't compared any more: a cold JVM on a busy machine needs time
        await().atMost(PATIENCE).untilAsserted(() -> {
            shopper.reconnect();
            shopper.browse(50);
            assertThat(compared()).as(listener().toPrettyString()).isGreaterThanOrEqualTo(compared + 150);
        });
    }

    @Test
    void aggregatorKilled_productionReconnectsOnceItIsBack() throws Exception {
        cast.aggregator().signal("KILL");
        cast.aggregator().restart();
        cast.aggregator().awaitLine("understudy aggregator ready", PATIENCE);

        // its pools find out connection by connection
        await().atMost(PATIENCE).ignoreExceptions().until(() -> {
            shopper.browse(60);
            return true;
        });
    }

    @Test
    void upstreamDown_isSeenAsProductionShowsIt() throws Exception {
        String quote = "/quote?sku=PR-002&quantity=10";
        assertThat(shopper.status(at.front(), quote)).isEqualTo(200);
        cast.pricing().signal("KILL");
        try {
            String production = "http://127.0.0.1:" + at.production();
            await().atMost(PATIENCE).until(() -> shopper.status(production, quote) >= 500);

            assertThat(shopper.status(at.front(), quote)).isEqualTo(shopper.status(production, quote));
            shopper.browse(60);
        } finally {
            cast.pricing().restart();
            cast.pricing().awaitHealthy(at.pricingUrl() + "/health", PATIENCE);
        }
        await().atMost(PATIENCE).until(() -> shopper.status(at.front(), quote) == 200);
    }

    private void awaitCaughtUp() {
        await().atMost(PATIENCE).until(() -> window().path("pending").asLong() == 0);
    }

    private JsonNode listener() throws IOException, InterruptedException {
        return sidecar.get("/v1/status").path("listeners").path(0);
    }

    private JsonNode window() throws IOException, InterruptedException {
        return sidecar.get("/v1/status").path("window");
    }

    private long notCompared(String reason) throws IOException, InterruptedException {
        return listener().path("notCompared").path(reason).asLong();
    }

    private long notComparedInAll() throws IOException, InterruptedException {
        return listener().path("verdicts").path("NOT_COMPARED").asLong();
    }

    private long compared() throws IOException, InterruptedException {
        JsonNode verdicts = listener().path("verdicts");
        return verdicts.path("SAME").asLong() + verdicts.path("EQUIVALENT").asLong();
    }

    private long losses() throws IOException, InterruptedException {
        long lost = 0;
        for (JsonNode loss : listener().path("losses")) {
            lost += loss.path("bytes").asLong();
        }
        return lost;
    }

    private static void send(int port, byte[] bytes) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(2_000);
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().flush();
        } catch (IOException closedByTheOtherSide) {
            // which may be its answer to garbage
        }
    }
}
