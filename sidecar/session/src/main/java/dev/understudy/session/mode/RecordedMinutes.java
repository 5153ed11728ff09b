package dev.understudy.session.mode;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.session.debug.CopyOccasion.RecordedTraffic;
import dev.understudy.session.network.CloneWorld;
import dev.understudy.session.program.RecordingLimits;
import dev.understudy.session.program.SidecarControl;
import dev.understudy.session.program.SidecarProgram;
import dev.understudy.session.target.ListeningPort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The last minutes of production's traffic: some files of the sidecar for each port, of which the oldest is deleted
 * when a new one is begun. Confined to one thread.
 */
final class RecordedMinutes implements RecordedTraffic {
    private static final long PAUSE_MILLIS = 200;
    /** Each may take some seconds. */
    private static final int ATTEMPTS = 3;

    private final SidecarControl control;
    private final List<ListeningPort> ports;
    private final Path directory;
    private final RecordingLimits limits;
    private final CountDownLatch stopped;
    private final Consumer<String> problems;
    private long begun;

    /**
     * Nothing is recorded yet.
     *
     * @param stopped ends what is played when it is counted down
     * @param problems gets what went wrong, in a sentence
     */
    RecordedMinutes(
            SidecarControl control,
            List<ListeningPort> ports,
            Path directory,
            RecordingLimits limits,
            CountDownLatch stopped,
            Consumer<String> problems) {
        this.control = control;
        this.ports = ports;
        this.directory = directory;
        this.limits = limits;
        this.stopped = stopped;
        this.problems = problems;
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
        long connections = 0;
        long failed = 0;
        for (ListeningPort port : ports) {
            JsonNode played = control.play(port, until);
            while (played.path("state").asText().equals("playing")
                    && !stopped.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
                played = progress(port);
            }
            if (!played.path("problem").asText().isEmpty()) {
                problems.accept("the recording isn't played to its end: "
                        + played.path("problem").asText());
            }
            connections += played.path("connections").asLong();
            failed += played.path("failed").asLong();
        }
        begun = System.nanoTime();
        return "played what was recorded before: " + connections + " connections, " + failed + " failed";
    }

    /** A sidecar that is late once is asked again; one that has ended is noticed when the copy gets its input. */
    private JsonNode progress(ListeningPort port) throws IOException, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            try {
                return control.played(port);
            } catch (IOException late) {
                if (attempt == ATTEMPTS) {
                    throw late;
                }
            }
        }
    }
}
