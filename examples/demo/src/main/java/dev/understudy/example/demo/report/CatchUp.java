package dev.understudy.example.demo.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

/** Follows the sidecar's window until the debug side has answered what production has, or makes no headway any more. */
public final class CatchUp {
    private static final long NO_HEADWAY_NANOS = Duration.ofSeconds(40).toNanos();

    private final ControlPort sidecar;

    public CatchUp(ControlPort sidecar) {
        this.sidecar = sidecar;
    }

    /**
     * Whether it has caught up within the time, as far as the sidecar tells; {@code progress} is told how many
     * exchanges are still owed.
     */
    public boolean await(Duration atMost, LongConsumer progress) throws InterruptedException {
        try {
            return follow(atMost, progress);
        } catch (IOException | UncheckedIOException sidecarGone) {
            return false; // the report will name it
        }
    }

    private boolean follow(Duration atMost, LongConsumer progress) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        long headway = begun;
        long least = Long.MAX_VALUE;
        try (Stream<JsonNode> events = sidecar.events("/v1/window")) {
            for (Iterator<JsonNode> each = events.iterator(); each.hasNext(); ) {
                long pending = Math.max(each.next().path("pending").asLong(), owed());
                progress.accept(pending);
                if (pending == 0) {
                    return true;
                }
                if (pending < least) {
                    least = pending;
                    headway = System.nanoTime();
                }
                long now = System.nanoTime();
                if (now - begun > atMost.toNanos() || now - headway > NO_HEADWAY_NANOS) {
                    return false;
                }
            }
        }
        return false;
    }

    private long owed() throws IOException, InterruptedException {
        long owed = 0;
        for (JsonNode listener : sidecar.get("/v1/status").path("listeners")) {
            JsonNode exchanges = listener.path("exchanges");
            owed += exchanges.path("production").asLong()
                    - exchanges.path("debug").asLong();
        }
        return Math.max(0, owed);
    }
}
