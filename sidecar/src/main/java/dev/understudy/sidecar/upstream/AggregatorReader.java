package dev.understudy.sidecar.upstream;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.relay.json.ForeignJson;
import dev.understudy.sidecar.inbound.LinkConfig;
import dev.understudy.sidecar.inbound.LinkState;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * Reads what the aggregator knows of upstream calls, for those who look at the sidecar.
 *
 * <p>Callers never wait: they get what was read last, and have it read again if that is older than {@link #PAUSE}. A
 * thread of its own does that; it ends when nobody has looked for a while. Each document has a limit in bytes and in
 * time. Any thread.
 */
public final class AggregatorReader implements AutoCloseable {
    /** Between two readings. */
    static final Duration PAUSE = Duration.ofSeconds(1);

    private static final long TOKENS = 20_000;
    private static final long IDLE_SECONDS = 10;
    private static final int[] LIMITS = {100, 10};
    private static final ObjectMapper JSON = ForeignJson.mapper(TOKENS);

    private final LinkConfig config;
    private final LongSupplier nanoTime;
    private final AtomicBoolean reading = new AtomicBoolean();
    private final ThreadPoolExecutor thread;
    private volatile UpstreamCalls calls;
    private volatile long readAt;

    /** Of the reading thread. */
    private final AggregatorClient client;

    /** @param config where the aggregator is; one without an address is never read */
    public AggregatorReader(LinkConfig config, LongSupplier nanoTime) {
        this.config = config;
        this.client = new AggregatorClient(config);
        this.nanoTime = nanoTime;
        this.calls =
                UpstreamCalls.none(config.url().isEmpty() ? UpstreamCalls.State.NONE : UpstreamCalls.State.WAITING, "");
        this.readAt = nanoTime.getAsLong() - PAUSE.toNanos();
        this.thread =
                new ThreadPoolExecutor(1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(1), task -> {
                    Thread made = new Thread(task, "understudy-aggregator-reader");
                    made.setDaemon(true);
                    return made;
                });
        thread.allowCoreThreadTimeOut(true);
    }

    /** Its address, or "". */
    public String url() {
        return config.url();
    }

    /** What was read last; it is read again, later, if that is some time ago. */
    public UpstreamCalls latest() {
        if (!config.url().isEmpty()
                && nanoTime.getAsLong() - readAt >= PAUSE.toNanos()
                && reading.compareAndSet(false, true)) {
            thread.execute(this::read);
        }
        return calls;
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }

    private void read() {
        try {
            calls = readAll();
        } catch (IOException unreadable) {
            failed(LinkState.words(unreadable));
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException defect) {
            failed(defect.toString());
        } finally {
            readAt = nanoTime.getAsLong();
            reading.set(false);
        }
    }

    private void failed(String problem) {
        calls = UpstreamCalls.none(UpstreamCalls.State.FAILED, problem).with(calls.faults());
    }

    private UpstreamCalls readAll() throws IOException, InterruptedException {
        JsonNode status = get("/v1/status");
        JsonNode matches = list("/v1/matches?kinds=0&limit=").path("matches");
        JsonNode missed = list("/v1/matches?outcome=MISSED&kinds=0&limit=").path("matches");
        JsonNode kinds = list("/v1/misses?limit=1&kinds=").path("kinds");
        JsonNode recorded = list("/v1/recorded?limit=").path("recorded");
        JsonNode faults = get("/v1/faults").path("faults");
        return new UpstreamCalls(UpstreamCalls.State.READ, "", status, matches, missed, kinds, recorded, faults);
    }

    /** With fewer entries if they are long. */
    private JsonNode list(String path) throws IOException, InterruptedException {
        IOException last = new IOException("it was not asked");
        for (int limit : LIMITS) {
            try {
                return get(path + limit);
            } catch (BoundedReply.TooLongException larger) {
                last = larger;
            }
        }
        throw last;
    }

    private JsonNode get(String path) throws IOException, InterruptedException {
        return parse(path, client.get(path));
    }

    private static JsonNode parse(String path, byte[] body) throws IOException {
        try {
            return JSON.readTree(body);
        } catch (StreamConstraintsException larger) {
            throw new BoundedReply.TooLongException("it answers " + path + " with more than can be read");
        } catch (JsonProcessingException different) {
            throw new IOException("it answers " + path + " with something else than JSON", different);
        }
    }
}
