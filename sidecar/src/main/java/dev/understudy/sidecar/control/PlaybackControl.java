package dev.understudy.sidecar.control;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.relay.control.Call;
import dev.understudy.relay.control.Reply;
import dev.understudy.sidecar.lane.DebugLanes;
import dev.understudy.sidecar.replay.Playback;
import dev.understudy.sidecar.tee.Tee;
import dev.understudy.sidecar.tee.TeeMode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code GET} and {@code POST /v1/listeners/{name}/playback}: plays what was recorded of a listener to its debug JVMs,
 * one listener at a time, as long as its tee is paused. For any thread; what is played has a thread of its own.
 */
public final class PlaybackControl implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PlaybackControl.class);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final List<Watched> listeners;
    private final Runnable turned;
    private @Nullable PlaybackRun last; // guarded by this

    /** @param turned is run when something begins to be played, and when it ends */
    public PlaybackControl(List<Watched> listeners, Runnable turned) {
        this.listeners = List.copyOf(listeners);
        this.turned = turned;
    }

    /** Whether something is played now. */
    public synchronized boolean isPlaying() {
        return last != null && last.thread.isAlive() && !last.isDone;
    }

    /** How the last one fares. */
    public Reply read(Call call) {
        Watched watched = Watched.find(listeners, call.captured("name"));
        return watched == null ? Watched.unknown(call) : Reply.json(spell(watched));
    }

    /**
     * Begins to play what was recorded before the moment that the body names.
     *
     * @throws IllegalArgumentException if it names none
     */
    public Reply play(Call call) {
        JsonNode until = TeeControl.body(call.body()).path("until");
        if (!until.isIntegralNumber()) {
            throw new IllegalArgumentException(
                    "the body (expected: {\"until\": nanoseconds}, by the clock of the recording)");
        }
        Watched watched = Watched.find(listeners, call.captured("name"));
        if (watched == null) {
            return Watched.unknown(call);
        }
        Tee tee = watched.tee();
        if (tee == null || tee.mode() != TeeMode.PAUSED) {
            return Reply.problem(409, "Not paused", "the tee of " + watched.name() + " (expected: paused)");
        }
        if (!watched.recording().possible()) {
            return Reply.problem(409, "Nothing can be recorded", "the settings have no record.directory");
        }
        synchronized (this) {
            if (isPlaying()) {
                return Reply.problem(409, "Busy", "something is played already");
            }
            PlaybackRun run = new PlaybackRun(watched, tee, until.asLong());
            last = run;
            run.thread.start();
        }
        return Reply.json(spell(watched));
    }

    private synchronized Map<String, Object> spell(Watched watched) {
        PlaybackRun run = last != null && last.watched.name().equals(watched.name()) ? last : null;
        Map<String, Object> spelled = new LinkedHashMap<>();
        spelled.put("listener", watched.name());
        spelled.put("state", run == null ? "none" : run.isDone ? "done" : "playing");
        spelled.put("connections", run == null ? 0 : run.connections());
        spelled.put("failed", run == null ? 0 : run.failed());
        spelled.put("problem", run == null ? "" : run.problem);
        return spelled;
    }

    @Override
    public synchronized void close() {
        if (last != null) {
            last.thread.interrupt();
        }
    }

    private final class PlaybackRun implements Runnable {
        private final Watched watched;
        private final List<Playback> parts;
        private final Thread thread = new Thread(this, "understudy-playback");
        private volatile String problem = "";
        private volatile boolean isDone;

        PlaybackRun(Watched watched, Tee tee, long until) {
            this.watched = watched;
            this.parts = watched.lanes().stream()
                    .map(DebugLanes::forPlayback)
                    .map(lanes -> new Playback(lanes, until, PATIENCE, () -> tee.mode() != TeeMode.PAUSED))
                    .toList();
            thread.setDaemon(true);
        }

        @Override
        public void run() {
            turned.run();
            try {
                List<Path> files = watched.recording().finished();
                for (Playback part : parts) {
                    for (Path file : files) {
                        part.play(file);
                    }
                    part.finish();
                }
            } catch (IOException | RuntimeException failed) {
                problem = String.valueOf(failed.getMessage());
                LOG.warn("listener {}: the recording isn't played to its end", watched.name(), failed);
            } catch (InterruptedException closing) {
                problem = "the sidecar ends";
            } finally {
                isDone = true;
                turned.run();
            }
        }

        long connections() {
            return parts.stream().mapToLong(Playback::connections).sum();
        }

        long failed() {
            return parts.stream().mapToLong(Playback::failed).sum();
        }
    }
}
