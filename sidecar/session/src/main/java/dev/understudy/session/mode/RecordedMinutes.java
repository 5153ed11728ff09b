package dev.understudy.session.mode;

import dev.understudy.divergence.mask.Masking;
import dev.understudy.session.debug.CopyOccasion.RecordedTraffic;
import dev.understudy.session.network.CloneWorld;
import dev.understudy.session.program.RecordingLimits;
import dev.understudy.session.program.SidecarControl;
import dev.understudy.session.program.SidecarProgram;
import dev.understudy.session.target.ListeningPort;
import dev.understudy.sidecar.record.Contents;
import dev.understudy.sidecar.replay.Outcome;
import dev.understudy.sidecar.replay.Replay;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The last minutes of production's traffic: some files of the sidecar for each port, of which the oldest is deleted
 * when a new one is begun. Confined to one thread.
 */
final class RecordedMinutes implements RecordedTraffic {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    /** The sidecar writes a block at the latest so long after its first byte. */
    private static final Duration WRITTEN = Duration.ofMillis(1_500);

    private final SidecarControl control;
    private final List<ListeningPort> ports;
    private final Path directory;
    private final RecordingLimits limits;
    private final Masking masking;
    private long begun;

    RecordedMinutes(
            SidecarControl control,
            List<ListeningPort> ports,
            Path directory,
            RecordingLimits limits,
            Masking masking) {
        this.control = control;
        this.ports = ports;
        this.directory = directory;
        this.limits = limits;
        this.masking = masking;
    }

    /**
     * Begins to record, or goes on in new files when it is time.
     *
     * @throws IOException if the sidecar doesn't do it, or not in time; the next call tries again
     */
    void tick() throws IOException, InterruptedException {
        long now = System.nanoTime();
        boolean isDue = begun == 0 || now - begun > limits.fileTime().toNanos();
        for (ListeningPort port : ports) {
            List<Path> files = files(port);
            if (isDue || files.isEmpty() || Files.size(files.get(files.size() - 1)) > limits.fileBytes() / 2) {
                next(port);
            }
        }
        if (isDue) {
            begun = now;
        }
    }

    /** All files, of each port the oldest first. */
    List<Path> all() throws IOException {
        List<Path> all = new ArrayList<>();
        for (ListeningPort port : ports) {
            all.addAll(files(port));
        }
        return all;
    }

    /** Their names have their times. An order that took too long may have been carried out all the same. */
    private List<Path> files(ListeningPort port) throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().startsWith(SidecarProgram.name(port) + "-"))
                    .sorted()
                    .toList();
        }
    }

    private void next(ListeningPort port) throws IOException, InterruptedException {
        List<Path> files = files(port);
        for (Path old : files.subList(0, Math.max(0, files.size() - (RecordingLimits.FILES - 1)))) {
            Files.deleteIfExists(old);
        }
        control.record(port, "next");
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
            for (Path file : files(port)) {
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
