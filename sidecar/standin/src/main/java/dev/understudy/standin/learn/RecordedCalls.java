package dev.understudy.standin.learn;

import dev.understudy.relay.stream.BlockReader;
import dev.understudy.relay.stream.RecordingReader;
import dev.understudy.relay.stream.StreamEvent;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the HTTP/1 exchanges of a recording as a stream: what is held is what connections open at the same time need.
 */
final class RecordedCalls {
    /** Connections open at the same time that are followed. */
    private static final int MOST_OPEN = 20_000;

    private final Consumer<RecordedCall> sink;
    private final KeptBytes kept;
    private final Set<Long> refused = new HashSet<>();
    private final Map<Long, CallPairs> open = new HashMap<>();
    private final Omissions omissions = new Omissions();

    /** What wasn't learned from. */
    static final class Omissions {
        long unread;
        long unanswered;

        @Nullable
        String torn;

        int mostOpen;
    }

    private RecordedCalls(Consumer<RecordedCall> sink, KeptBytes kept) {
        this.sink = sink;
        this.kept = kept;
    }

    /**
     * Reads all of a file.
     *
     * @param keptBytes how much of bodies is kept at the same time, over all connections
     * @throws IOException if it can't be read, or is no recording
     */
    static Omissions read(Path file, int keptBytes, Consumer<RecordedCall> sink) throws IOException {
        try (RecordingReader recording = RecordingReader.open(file)) {
            RecordedCalls calls = new RecordedCalls(sink, new KeptBytes(keptBytes));
            for (BlockReader block = recording.next(); block != null; block = recording.next()) {
                try {
                    calls.read(block);
                } finally {
                    block.release();
                }
            }
            calls.open.keySet().stream().toList().forEach(calls::close);
            calls.omissions.torn = recording.torn();
            return calls.omissions;
        }
    }

    private void read(BlockReader block) {
        long id = block.connection();
        for (; block.hasRecord(); block.skip()) {
            StreamEvent event = block.event();
            if (event == StreamEvent.CLOSED || event == StreamEvent.LOST) {
                close(id);
                continue;
            }
            CallPairs known = open.get(id);
            CallPairs pairs = known == null ? begin(id) : known;
            if (pairs != null && !pairs.gaveUp()) {
                pairs.read(block);
                omissions.unread += pairs.gaveUp() ? 1 : 0;
            }
        }
    }

    private @Nullable CallPairs begin(long id) {
        if (open.size() >= MOST_OPEN) {
            omissions.unread += refused.add(id) ? 1 : 0;
            return null;
        }
        CallPairs pairs = new CallPairs(id, sink, kept);
        open.put(id, pairs);
        omissions.mostOpen = Math.max(omissions.mostOpen, open.size());
        return pairs;
    }

    private void close(long id) {
        refused.remove(id);
        CallPairs pairs = open.remove(id);
        omissions.unanswered += pairs == null ? 0 : pairs.end();
    }
}
