package dev.understudy.session.mode;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.divergence.mask.Masking;
import dev.understudy.session.debug.CopyOccasion.RecordedTraffic;
import dev.understudy.session.network.CloneWorld;
import dev.understudy.session.program.RecordingLimits;
import dev.understudy.session.program.SidecarControl;
import dev.understudy.session.target.ListeningPort;
import dev.understudy.sidecar.record.Contents;
import dev.understudy.sidecar.replay.Outcome;
import dev.understudy.sidecar.replay.Replay;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The last minutes of production's traffic: some files of the sidecar for each port, of which the oldest is deleted when
 * a new one is begun. Confined to one thread.
 */
final class RecordedMinutes implements RecordedTraffic {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    /** The sidecar writes a block at the latest so long after its first byte. */
    private static final Duration WRITTEN = Duration.ofMillis(1_500);

    private final SidecarControl control;
    private final List<ListeningPort> ports;
    private final RecordingLimits limits;
    private final Masking masking;
    private final Map<ListeningPort, Deque<Path>> files = new HashMap<>();
    private long begun;

    RecordedMinutes(SidecarControl control, List<ListeningPort> ports, RecordingLimits limits, Masking masking) {
        this.control = control;
        this.ports = ports;
        this.limits = limits;
        this.masking = masking;
    }

    /** Begins to record, or goes on in new files when it is time. */
    void tick() throws IOException, InterruptedException {
        long now = System.nanoTime();
        boolean isDue = begun == 0 || now - begun > limits.fileTime().toNanos();
        for (ListeningPort port : ports) {
            Path last = of(port).peekLast();
            if (isDue || last == null || Files.size(last) > limits.fileBytes() / 2) {
                next(port);
            }
        }
        if (isDue) {
            begun = now;
        }
    }

    /** All files, the oldest first. */
    List<Path> all() {
        List<Path> all = new ArrayList<>();
        files.values().forEach(all::addAll);
        return all;
    }

    private Deque<Path> of(ListeningPort port) {
        return files.computeIfAbsent(port, first -> new ArrayDeque<>());
    }

    private void next(ListeningPort port) throws IOException, InterruptedException {
        JsonNode status = control.record(port, "next");
        Deque<Path> of = of(port);
        of.add(Path.of(status.path("file").asText()));
        if (of.size() > RecordingLimits.FILES) {
            Files.deleteIfExists(of.remove());
        }
    }

    @Override
    public String play(CloneWorld world, long until) throws IOException, InterruptedException {
        for (ListeningPort port : ports) {
            next(port);
        }
        begun = System.nanoTime();
        TimeUnit.NANOSECONDS.sleep(WRITTEN.toNanos());
        long connections = 0;
        long failed = 0;
        for (ListeningPort port : ports) {
            for (Path file : List.copyOf(of(port))) {
                List<Contents.Summary> chosen = Contents.read(file).connections().stream()
                        .filter(each -> each.firstNanos() - until < 0)
                        .toList();
                if (!chosen.isEmpty()) {
                    Outcome outcome =
                            Replay.before(until, file, chosen, world.entrance(port.address()), PATIENCE, masking);
                    connections += outcome.connections();
                    failed += outcome.failed();
                }
            }
        }
        return "played what was recorded before: " + connections + " connections, " + failed + " failed";
    }
}
