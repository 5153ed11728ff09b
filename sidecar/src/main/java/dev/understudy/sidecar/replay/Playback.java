package dev.understudy.sidecar.replay;

import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.relay.stream.RecordingReader;
import dev.understudy.relay.tap.CloseReason;
import dev.understudy.sidecar.lane.DebugLanes;
import dev.understudy.sidecar.record.Contents;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Plays recordings to the debug JVM as if the relay read them again: what happened on all their connections, in the
 * order in which it happened, goes into lanes. So each exchange gets its verdict, and agents' observations find it.
 *
 * <p>Goes on only while the lanes have room. Confined to the thread that plays; its counts any thread may read.
 */
public final class Playback {
    /** Of what the lanes may hold, or the fullest of them: from here on no turn begins. */
    private static final double FULL = 0.25;
    /** And from here on none goes on. Others may wait for its end, and hold memory meanwhile. */
    private static final double FULLER = 0.75;

    /** Connections that are over in the recording, and not yet in the debug JVM: servers close those that wait. */
    private static final int MOST_BEHIND = 8;

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final Duration TAKEN = Duration.ofSeconds(10);

    private final DebugLanes lanes;
    private final long until;
    private final long patienceNanos;
    private final BooleanSupplier isOver;
    private final AtomicLong connections = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();

    /**
     * One that has played nothing yet.
     *
     * @param lanes for nothing else
     * @param until turns that begin then or later aren't played, on the recordings' clock
     * @param patience how long the debug JVM may answer nothing
     * @param isOver asked again and again; ends it
     */
    public Playback(DebugLanes lanes, long until, Duration patience, BooleanSupplier isOver) {
        this.lanes = lanes;
        this.until = until;
        this.patienceNanos = patience.toNanos();
        this.isOver = isOver;
    }

    /** Connections that were begun so far. */
    public long connections() {
        return connections.get();
    }

    /** Of these, those of which something is missing, and those that found no room. */
    public long failed() {
        return failed.get();
    }

    /**
     * Plays one file. What is damaged at its end is left out.
     *
     * @throws IOException if it can't be read, or the debug JVM answers nothing for too long
     */
    public void play(Path file) throws IOException, InterruptedException {
        Contents contents = Contents.read(file);
        Deque<Contents.Summary> next = new ArrayDeque<>();
        contents.connections().stream()
                .filter(each -> each.firstNanos() - until < 0)
                .sorted(Comparator.comparingLong(each -> each.firstNanos() - until))
                .forEach(next::add);
        PriorityQueue<PlaybackCursor> open =
                new PriorityQueue<>(Comparator.comparingLong(cursor -> cursor.nanos() - until));
        try (RecordingReader recording = RecordingReader.open(file)) {
            try {
                while (!isOver.getAsBoolean() && (!next.isEmpty() || !open.isEmpty())) {
                    while (!next.isEmpty() && isNext(next.element(), open.peek())) {
                        begin(new PlaybackCursor(recording, next.remove()), open);
                    }
                    PlaybackCursor first = open.poll();
                    if (first != null) {
                        step(first, open);
                    }
                }
            } finally {
                open.forEach(cursor -> cursor.close(CloseReason.FINISHED));
            }
        }
    }

    /**
     * Waits until all that was played is answered or given up.
     *
     * @throws IOException if the debug JVM answers nothing for too long
     */
    public void finish() throws IOException, InterruptedException {
        await(lanes::isIdle);
        if (!lanes.isIdle()) {
            lanes.shutDown();
        }
    }

    private static boolean isNext(Contents.Summary summary, @Nullable PlaybackCursor first) {
        return first == null || summary.firstNanos() - first.nanos() <= 0;
    }

    private void begin(PlaybackCursor cursor, PriorityQueue<PlaybackCursor> open) throws IOException {
        if (cursor.isThere()) {
            connections.incrementAndGet();
            open.add(cursor);
        }
    }

    private void step(PlaybackCursor cursor, PriorityQueue<PlaybackCursor> open)
            throws IOException, InterruptedException {
        boolean begins = cursor.beginsTurn();
        if (begins && cursor.nanos() - until >= 0) {
            cursor.close(CloseReason.FINISHED);
            return;
        }
        if (begins) {
            // what ended before is known to the order then
            lanes.awaitTaken(TAKEN);
        }
        await(() -> lanes.fill() < (begins ? FULL : FULLER) && (!begins || lanes.size() - open.size() <= MOST_BEHIND));
        if (!cursor.play(lanes::open)) {
            failed.incrementAndGet();
        }
        if (cursor.advance()) {
            open.add(cursor);
        }
    }

    private void await(BooleanSupplier reached) throws IOException, InterruptedException {
        long answered = answered();
        long since = System.nanoTime();
        while (!reached.getAsBoolean() && !isOver.getAsBoolean()) {
            LockSupport.parkNanos(LOOK_NANOS);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            long now = answered();
            if (now != answered) {
                answered = now;
                since = System.nanoTime();
            } else if (System.nanoTime() - since > patienceNanos) {
                lanes.shutDown();
                throw new IOException("the debug JVM has answered nothing for "
                        + TimeUnit.NANOSECONDS.toSeconds(patienceNanos) + " s");
            }
        }
    }

    /** Exchanges that are over. */
    private long answered() {
        long all = 0;
        for (VerdictKind kind : VerdictKind.values()) {
            all += lanes.tally().verdicts(kind);
        }
        return all;
    }
}
