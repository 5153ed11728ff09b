package dev.understudy.agent.budget;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Listens to the sidecar's window, an endless stream of server-sent events, and connects anew whenever it ends.
 *
 * <p>{@link #run} never returns before its thread is interrupted. A stream that is silent, or a request for one that
 * isn't answered, is cut by {@link #watch}, called from another thread.
 */
public final class WindowFeed implements Runnable {
    private static final long SILENCE_NANOS = 3_000_000_000L;
    private static final long SHORTEST_PAUSE_NANOS = 100_000_000L;
    private static final long LONGEST_PAUSE_NANOS = 1_000_000_000L;
    private static final int LONGEST_LINE = 64 * 1024;

    private final HttpClient http;
    private final Supplier<HttpRequest> request;
    private final Runnable connected;
    private final IntConsumer refused;
    private final Consumer<WindowReading> readings;
    private final LongSupplier clock;
    private final JsonFactory json = new JsonFactory();
    private long pause = SHORTEST_PAUSE_NANOS;
    private int refusal;
    private volatile @Nullable CompletableFuture<HttpResponse<InputStream>> asked;
    private volatile @Nullable InputStream stream;
    private volatile long heardAt;

    /**
     * A feed of what {@code request} streams; it is made anew for each attempt.
     *
     * @param connected is run whenever a stream begins, on the thread that runs the feed
     * @param refused is given the status with which a request was refused, whenever that changes
     * @param readings are told on the same thread
     */
    public WindowFeed(
            HttpClient http,
            Supplier<HttpRequest> request,
            Runnable connected,
            IntConsumer refused,
            Consumer<WindowReading> readings) {
        this(http, request, connected, refused, readings, System::nanoTime);
    }

    WindowFeed(
            HttpClient http,
            Supplier<HttpRequest> request,
            Runnable connected,
            IntConsumer refused,
            Consumer<WindowReading> readings,
            LongSupplier clock) {
        this.http = http;
        this.request = request;
        this.connected = connected;
        this.refused = refused;
        this.readings = readings;
        this.clock = clock;
        this.heardAt = clock.getAsLong();
    }

    @Override
    public void run() {
        while (!Thread.currentThread().isInterrupted()) {
            try {
                listen();
            } catch (InterruptedException stop) {
                return;
            } catch (IOException | RuntimeException lost) {
                // the controller notices the silence by itself
            }
            LockSupport.parkNanos(pause);
            pause = Math.min(LONGEST_PAUSE_NANOS, pause * 2);
        }
    }

    /** Cuts a stream that has been silent for three seconds, or hasn't begun by then, so that it is opened again. */
    public void watch() {
        if (clock.getAsLong() - heardAt <= SILENCE_NANOS) {
            return;
        }
        CompletableFuture<HttpResponse<InputStream>> unanswered = asked;
        if (unanswered != null) {
            unanswered.cancel(true);
        }
        InputStream silent = stream;
        if (silent != null) {
            close(silent);
        }
    }

    private void listen() throws IOException, InterruptedException {
        heardAt = clock.getAsLong();
        HttpResponse<InputStream> response = ask();
        try (InputStream in = response.body()) {
            if (response.statusCode() != 200) {
                refused(response.statusCode());
                return;
            }
            refusal = 0;
            pause = SHORTEST_PAUSE_NANOS;
            stream = in;
            connected.run();
            events(in);
        } finally {
            stream = null;
        }
    }

    private void refused(int status) {
        if (status != refusal) {
            refusal = status;
            refused.accept(status);
        }
    }

    private HttpResponse<InputStream> ask() throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<InputStream>> sent =
                http.sendAsync(request.get(), HttpResponse.BodyHandlers.ofInputStream());
        CompletableFuture<HttpResponse<InputStream>> answer = sent.copy();
        asked = answer;
        try {
            return answer.get();
        } catch (ExecutionException | CancellationException lost) {
            throw new IOException("no stream", lost);
        } finally {
            asked = null;
            if (answer.isCancelled() || !answer.isDone()) {
                // before Java 16 an answer may come all the same
                sent.thenAccept(late -> close(late.body()));
                sent.cancel(true);
            }
        }
    }

    private static void close(InputStream stream) {
        try {
            stream.close();
        } catch (IOException alreadyGone) {
            // that was the point
        }
    }

    private void events(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        byte[] buffer = new byte[4096];
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            heardAt = clock.getAsLong();
            for (int i = 0; i < read; i++) {
                if (buffer[i] == '\n') {
                    line(line.toByteArray());
                    line.reset();
                } else if (line.size() >= LONGEST_LINE) {
                    throw new IOException("line: longer than " + LONGEST_LINE + " bytes");
                } else {
                    line.write(buffer[i]);
                }
            }
        }
    }

    private void line(byte[] line) throws IOException {
        if (line.length < 5 || line[0] != 'd' || line[1] != 'a' || line[2] != 't' || line[3] != 'a' || line[4] != ':') {
            return;
        }
        WindowReading reading = parse(line, 5, line.length - 5);
        if (reading != null) {
            readings.accept(reading);
        }
    }

    private @Nullable WindowReading parse(byte[] bytes, int offset, int length) throws IOException {
        double utilisation = -1;
        double lag = 0;
        long orders = -1;
        double arriving = 0;
        double served = 0;
        double wanted = 0;
        double needed = -1;
        boolean spans = true;
        try (JsonParser parser = json.createParser(bytes, offset, length)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return null;
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                JsonToken value = parser.nextToken();
                if (value == null) {
                    return null;
                }
                if (value.isNumeric() && "utilisation".equals(name)) {
                    utilisation = parser.getDoubleValue();
                } else if (value.isNumeric() && "lagMillis".equals(name)) {
                    lag = parser.getDoubleValue();
                } else if (value == JsonToken.VALUE_NUMBER_INT && "orders".equals(name)) {
                    orders = parser.getLongValue();
                } else if (value.isNumeric() && "arrivalRate".equals(name)) {
                    arriving = parser.getDoubleValue();
                } else if (value.isNumeric() && "serviceRate".equals(name)) {
                    served = parser.getDoubleValue();
                } else if (value.isNumeric() && "wantedMillis".equals(name)) {
                    wanted = parser.getDoubleValue();
                } else if (value.isNumeric() && "neededRate".equals(name)) {
                    needed = parser.getDoubleValue();
                } else if (value.isBoolean() && "spans".equals(name)) {
                    spans = value == JsonToken.VALUE_TRUE;
                } else {
                    parser.skipChildren();
                }
            }
        }
        WindowReading.Flow flow = new WindowReading.Flow(arriving, served, (long) wanted, needed);
        return utilisation >= 0 ? new WindowReading(utilisation, (long) lag, orders, flow, spans) : null;
    }
}
