package dev.understudy.sidecar.upstream;

import dev.understudy.sidecar.inbound.LinkConfig;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Asks the aggregator, and waits for the reply. Each has a limit in bytes and in time. After a failure the next call is
 * made with the files of its TLS as they are then; a reply that is too long is none. For one thread at a time.
 */
final class AggregatorClient {
    /** Of one reply, in bytes. */
    static final int LARGEST = 256 << 10;

    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final LinkConfig config;
    private @Nullable HttpClient http;

    /** @param config where the aggregator is */
    AggregatorClient(LinkConfig config) {
        this.config = config;
    }

    /**
     * Reads a document.
     *
     * @throws IOException if that fails, or its status isn't 200; the message says why
     */
    byte[] get(String path) throws IOException, InterruptedException {
        HttpResponse<byte[]> reply = send(config.get(path, PATIENCE));
        if (reply.statusCode() != 200) {
            throw new IOException("it answers " + path + " with status " + reply.statusCode());
        }
        return reply.body();
    }

    /**
     * Passes a call on.
     *
     * @param json its body; empty for none
     * @return the reply, whatever its status is
     * @throws IOException if there is none; the message says why
     */
    HttpResponse<byte[]> pass(String method, String path, byte[] json) throws IOException, InterruptedException {
        return send(config.call(method, path, PATIENCE, json));
    }

    private HttpResponse<byte[]> send(HttpRequest request) throws IOException, InterruptedException {
        HttpClient client = http == null ? config.client(PATIENCE) : http;
        http = client;
        CompletableFuture<HttpResponse<byte[]>> sent = client.sendAsync(request, head -> new BoundedReply(LARGEST));
        try {
            return sent.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            sent.cancel(true);
            throw late(late);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof HttpTimeoutException late) {
                throw late(late);
            }
            if (failed.getCause() instanceof BoundedReply.TooLongException larger) {
                throw larger;
            }
            http = null;
            throw failed.getCause() instanceof IOException known ? known : new IOException(failed.getCause());
        }
    }

    /** The client's own clock and the one here end at the same moment: either may be first. */
    private IOException late(Exception cause) {
        http = null;
        return new IOException("it does not answer within " + PATIENCE.toSeconds() + " s", cause);
    }
}
