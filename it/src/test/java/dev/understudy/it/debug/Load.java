package dev.understudy.it.debug;

import dev.understudy.it.stage.Chain;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Clients that book at a {@link Ledger} at a steady pace, each on a connection of its own, and insist on right answers.
 */
final class Load implements AutoCloseable {
    static final int CLIENTS = 8;
    private static final int LARGEST_BODY = 8192;
    private static final Duration PACE = Duration.ofMillis(100);

    private final String front;
    private final List<Booking> bookings = new ArrayList<>();
    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(CLIENTS);
    private final CompletableFuture<Void> failure = new CompletableFuture<>();
    private final Recorder latency = new Recorder(3);

    /** Starts it, towards {@code port} of this machine. */
    Load(int port, long seed) {
        front = "http://127.0.0.1:" + port + "/book/";
        for (int n = 0; n < CLIENTS; n++) {
            Booking booking = new Booking("client-" + n, new Random(seed + n));
            bookings.add(booking);
            threads.scheduleAtFixedRate(booking, n * 10L, PACE.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** How long the answers took, in microseconds, since this was asked last. */
    Histogram latency() {
        return latency.getIntervalHistogram();
    }

    /** Waits; throws what a client failed with. */
    void goOn(Duration time) throws Exception {
        try {
            failure.get(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (java.util.concurrent.TimeoutException nobodyFailed) {
            return;
        }
    }

    /** What each client has booked, once all have been answered. */
    List<String> end() throws Exception {
        threads.shutdown();
        assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
        if (failure.isDone()) {
            failure.get();
        }
        return bookings.stream()
                .map(booking -> booking.client + " " + booking.booked)
                .toList();
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    /** One client. Confined to one thread at a time. */
    private final class Booking implements Runnable {
        private final String client;
        private final Random random;
        private final HttpClient http =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        private Chain booked = Chain.EMPTY;

        Booking(String client, Random random) {
            this.client = client;
            this.random = random;
        }

        @Override
        public void run() {
            try {
                book();
            } catch (IOException | AssertionError failed) {
                failure.completeExceptionally(failed);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        }

        private void book() throws IOException, InterruptedException {
            byte[] body = new byte[1 + random.nextInt(LARGEST_BODY)];
            random.nextBytes(body);
            HttpRequest request = HttpRequest.newBuilder(URI.create(front + client))
                    .timeout(Duration.ofSeconds(60))
                    .POST(BodyPublishers.ofByteArray(body))
                    .build();
            long asked = System.nanoTime();
            HttpResponse<String> reply = http.send(request, BodyHandlers.ofString());
            latency.recordValue((System.nanoTime() - asked) / 1000);
            booked = booked.with(body);
            assertThat(reply.body()).isEqualTo(booked.toString());
        }
    }
}
