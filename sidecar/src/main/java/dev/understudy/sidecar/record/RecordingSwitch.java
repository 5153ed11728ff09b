package dev.understudy.sidecar.record;

import dev.understudy.relay.loop.Inbox;
import dev.understudy.relay.tap.Tap;
import dev.understudy.relay.tap.TapConnection;
import dev.understudy.relay.tap.TapFactory;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records a listener's connections between a start and a stop, whatever becomes of its tee, or of the recording.
 *
 * <p>Turning is guarded by {@code this}; relay loops read two volatiles.
 */
public final class RecordingSwitch implements TapFactory, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RecordingSwitch.class);
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss-SSS").withZone(ZoneOffset.UTC);
    private static final long PATIENCE_SECONDS = 10;
    private static final int MOST_FILES = 1_000;

    private final String listener;
    private final boolean framed;
    private final @Nullable Path directory;
    private final long most;
    private final Inbox inbox;
    private volatile int epoch = OFF;
    private volatile @Nullable LiveRecording current;
    private volatile RecordingStatus earlier = RecordingStatus.NEVER;
    private int epochs;
    private final Deque<Path> files = new ArrayDeque<>(); // guarded by this

    /**
     * One that is off.
     *
     * @param framed whether connections that are open at a start can be joined at an HTTP request
     * @param directory where files go, which is there; null if nothing is to be recorded
     * @param most bytes that a file may have
     * @param inbox of the loop on which connections are written down
     */
    public RecordingSwitch(String listener, boolean framed, @Nullable Path directory, long most, Inbox inbox) {
        this.listener = listener;
        this.framed = framed;
        this.directory = directory;
        this.most = most;
        this.inbox = inbox;
    }

    /** An earlier process was still recording to that file when it ended. */
    public void cut(String file) {
        earlier = RecordingStatus.cut(new File(file));
    }

    /** Whether it can be started at all. */
    public boolean possible() {
        return directory != null;
    }

    /**
     * Begins a new file, unless one is being written.
     *
     * @throws IOException if there can't be one, or the last one isn't closed yet
     */
    public synchronized RecordingStatus start() throws IOException {
        RecordingStatus before = status();
        if (before.state().equals("on")) {
            return before;
        }
        if (before.state().equals("stopping")) {
            throw new IOException("the last recording's end is still being written");
        }
        return begin();
    }

    /**
     * Begins a new file, and ends the one that is being written behind it: requests of open connections that come
     * meanwhile are in one of them.
     *
     * @throws IOException if there can't be one; the old one goes on then
     */
    public synchronized RecordingStatus next() throws IOException {
        LiveRecording before = epoch == OFF ? null : current;
        RecordingStatus begun = begin();
        if (before != null) {
            before.stop();
        }
        return begun;
    }

    private RecordingStatus begin() throws IOException {
        if (directory == null) {
            throw new IOException("there is no record.directory");
        }
        String name = listener.replaceAll("[^A-Za-z0-9._-]", "_") + "-" + STAMP.format(Instant.now()) + ".understudy";
        Path file = directory.resolve(name);
        current = new LiveRecording(file, most, inbox, this::ended);
        files.add(file);
        if (files.size() > MOST_FILES) {
            files.remove();
        }
        epoch = ++epochs;
        RecordingStatus begun = status();
        LOG.info("listener {}: recording to {}", listener, begun.file());
        return begun;
    }

    /** Ends the recording, if there is one; its last bytes are written a little later. */
    public synchronized RecordingStatus stop() {
        LiveRecording recording = current;
        if (recording != null && epoch != OFF) {
            epoch = OFF;
            recording.stop();
            LOG.info("listener {}: the recording was stopped", listener);
        }
        return status();
    }

    /**
     * What this switch has recorded, and nobody writes any more, the oldest first: of the last {@value #MOST_FILES}
     * files those that are still there. One that is being written is ended before, and goes on in a new one.
     *
     * @throws IOException if there can't be a new one, or the old one's end isn't written in time
     */
    public List<Path> finished() throws IOException, InterruptedException {
        LiveRecording ending;
        List<Path> before;
        synchronized (this) {
            ending = current;
            before = List.copyOf(files);
            if (epoch != OFF) {
                next();
            }
        }
        if (ending != null && !ending.awaitClosed(PATIENCE_SECONDS)) {
            throw new IOException("the recording's end isn't written after " + PATIENCE_SECONDS + " s");
        }
        return before.stream().filter(Files::exists).toList();
    }

    /** How it fares. */
    public RecordingStatus status() {
        LiveRecording recording = current;
        return recording == null ? earlier : recording.status();
    }

    /** Stops, and waits for some seconds for the file to be closed. */
    @Override
    public void close() {
        stop();
        LiveRecording recording = current;
        if (recording != null) {
            try {
                if (!recording.awaitClosed(PATIENCE_SECONDS)) {
                    LOG.warn("listener {}: the recording's end isn't written after {} s", listener, PATIENCE_SECONDS);
                }
            } catch (InterruptedException hurry) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public int epoch() {
        return epoch;
    }

    @Override
    public @Nullable Tap open(TapConnection connection) {
        LiveRecording recording = current;
        return recording == null ? null : recording.tap(connection);
    }

    @Override
    public @Nullable Tap join(TapConnection connection, boolean untouched) {
        LiveRecording recording = current;
        if (recording == null) {
            return null;
        }
        if (untouched) {
            return recording.tap(connection);
        }
        if (!framed) {
            recording.unjoined();
            return null;
        }
        return recording.join(connection);
    }

    @Override
    public void unjoined(TapConnection connection) {
        LiveRecording recording = current;
        if (recording != null) {
            recording.unjoined();
        }
    }

    /** The file is full, or can't be written: what was said of that already is enough. */
    private synchronized void ended(LiveRecording recording) {
        if (recording == current) {
            epoch = OFF;
            recording.stop();
        }
    }
}
