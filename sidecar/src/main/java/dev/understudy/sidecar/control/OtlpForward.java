package dev.understudy.sidecar.control;

import dev.understudy.relay.control.Call;
import dev.understudy.relay.control.Reply;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Passes OTLP bodies on to the configured receiver, for a debug JVM that reaches nothing but this port.
 *
 * <p>It answers at once. A bounded number of bodies, of 8 MiB together, is underway at a time; what finds no room, or
 * isn't taken, is dropped and counted. Thread-safe.
 */
public final class OtlpForward implements AutoCloseable {
    private static final int UNDERWAY = 32;
    private static final int UNDERWAY_KIB = 8 << 10;
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final String receiver;
    private final ExecutorService threads = Executors.newFixedThreadPool(2, OtlpForward::thread);
    private final @Nullable HttpClient client;
    private final Semaphore room = new Semaphore(UNDERWAY);
    private final Semaphore roomKib = new Semaphore(UNDERWAY_KIB);
    private final LongAdder forwarded = new LongAdder();
    private final LongAdder dropped = new LongAdder();

    /** @param receiver base address of an OTLP/HTTP receiver; "" drops everything */
    public OtlpForward(String receiver) {
        this.receiver = receiver.endsWith("/") ? receiver.substring(0, receiver.length() - 1) : receiver;
        // it reads the JDK's certificates, which takes a tenth of a second: not without a receiver
        this.client = receiver.isEmpty()
                ? null
                : HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(PATIENCE)
                        .executor(threads)
                        .build();
    }

    /** Takes one body; {@code path} is {@code /v1/traces} or {@code /v1/metrics}. */
    public Reply post(String path, Call call) {
        int kib = call.body().length >> 10;
        if (client == null || !room.tryAcquire()) {
            dropped.increment();
        } else if (!roomKib.tryAcquire(kib)) {
            room.release();
            dropped.increment();
        } else {
            send(client, path, call, kib);
        }
        boolean json = call.contentType().startsWith("application/json");
        return new Reply(
                200, json ? "application/json" : "application/x-protobuf", json ? new byte[] {'{', '}'} : new byte[0]);
    }

    /** Whether there is a receiver. */
    public boolean isHeard() {
        return client != null;
    }

    /** Bodies that the receiver took. */
    public long forwarded() {
        return forwarded.sum();
    }

    /** Bodies that were dropped. */
    public long dropped() {
        return dropped.sum();
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // what follows it handles both outcomes
    private void send(HttpClient client, String path, Call call, int kib) {
        try {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(receiver + path))
                    .timeout(PATIENCE)
                    .header(
                            "content-type",
                            call.contentType().isEmpty() ? "application/x-protobuf" : call.contentType())
                    .POST(HttpRequest.BodyPublishers.ofByteArray(call.body()));
            if (isGzip(call.body())) {
                request.header("content-encoding", "gzip");
            }
            client.sendAsync(request.build(), BodyHandlers.discarding()).whenComplete((reply, failure) -> {
                room.release();
                roomKib.release(kib);
                (failure == null && reply.statusCode() < 300 ? forwarded : dropped).increment();
            });
        } catch (RuntimeException refused) {
            room.release();
            roomKib.release(kib);
            dropped.increment();
        }
    }

    /** The control port passes no content coding on, but gzip shows itself (RFC 1952, section 2.3.1). */
    private static boolean isGzip(byte[] body) {
        return body.length > 2 && body[0] == 0x1f && body[1] == (byte) 0x8b;
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "understudy-otlp-forward");
        thread.setDaemon(true);
        return thread;
    }
}
