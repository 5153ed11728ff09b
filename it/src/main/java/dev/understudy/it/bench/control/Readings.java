package dev.understudy.it.bench.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Every reading of a sidecar's window: from streams that begin apart, since one that is told at the sidecar's own pace
 * misses a reading now and then.
 */
final class Readings implements AutoCloseable {
    private static final int STREAMS = 3;
    private static final long APART_NANOS = TimeUnit.MILLISECONDS.toNanos(100) / STREAMS;
    private static final String DATA = "data:";

    private final ObjectMapper json = new ObjectMapper();
    private final Collection<Reading> seen = new ConcurrentLinkedQueue<>();
    private final List<InputStream> streams = new ArrayList<>();
    private volatile Reading last = new Reading(0, 1, 0);

    /** Begins to listen to the control port, {@code host:port}. */
    Readings(String control) throws IOException {
        for (int n = 0; n < STREAMS; n++) {
            InputStream stream =
                    URI.create("http://" + control + "/v1/window").toURL().openStream();
            streams.add(stream);
            Thread thread = new Thread(() -> listen(stream), "readings-" + n);
            thread.setDaemon(true);
            thread.start();
            LockSupport.parkNanos(APART_NANOS);
        }
    }

    private void listen(InputStream stream) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(DATA)) {
                    JsonNode said = json.readTree(line.substring(DATA.length()));
                    last = new Reading(
                            said.path("at").asLong(),
                            said.path("utilisation").asDouble(),
                            said.path("lagMillis").asLong());
                    seen.add(last);
                }
            }
        } catch (IOException ended) {
            // closed, or the sidecar is gone
        }
    }

    /** What was read last. */
    Reading last() {
        return last;
    }

    /** All there were. */
    Collection<Reading> seen() {
        return seen;
    }

    @Override
    public void close() throws IOException {
        for (InputStream stream : streams) {
            stream.close();
        }
    }
}
