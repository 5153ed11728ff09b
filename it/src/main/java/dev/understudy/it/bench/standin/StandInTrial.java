package dev.understudy.it.bench.standin;

import dev.understudy.it.bench.process.FreePorts;
import dev.understudy.standin.learn.LearnOptions;
import dev.understudy.standin.learn.ServiceLearner;
import dev.understudy.standin.load.LoadOptions;
import dev.understudy.standin.load.LoadResult;
import dev.understudy.standin.load.LoadRun;
import dev.understudy.standin.load.LoadTarget;
import dev.understudy.standin.model.ModelFile;
import dev.understudy.standin.model.ServiceModel;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Learns one service at medium load, and measures it and its stand-in at three loads, one after the other. */
public final class StandInTrial {
    private static final int WARM_UP_SECONDS = 40;
    private static final double HIGH = 1.7;

    private final String service;
    private final Programs programs;
    private final Path folder;
    private final int seconds;
    private final int rounds;
    private final Consumer<String> progress;

    /**
     * What is run.
     *
     * @param original without the port, which is its last argument, or in {@code SERVER_PORT}
     */
    public record Programs(List<String> original, Path sidecar, Path standIn) {}

    /**
     * What was measured at one load.
     *
     * @param perSecond which was wanted
     */
    public record Level(String name, double perSecond, LoadPoint original, LoadPoint standIn) {}

    /**
     * All of one service.
     *
     * @param workers that the model has; 0 for no limit
     */
    public record Outcome(String service, int workers, long exchanges, List<Level> levels) {}

    /** A trial in a folder of its own. */
    public StandInTrial(
            String service, Programs programs, Path folder, int seconds, int rounds, Consumer<String> progress) {
        this.service = service;
        this.programs = programs;
        this.folder = folder;
        this.seconds = seconds;
        this.rounds = rounds;
        this.progress = progress;
    }

    /** Runs it. */
    public Outcome run() throws IOException, InterruptedException {
        ServiceModel asked = asked();
        double medium = asked.arrivals().perSecond();
        Path log = folder.resolve(service + ".log");
        try (SubjectProcess original = start(programs.original(), log)) {
            progress.accept(service + ": warming up");
            load(asked, original, medium * HIGH, WARM_UP_SECONDS);
            ServiceModel learned = learn(asked, original, log);
            Path model = folder.resolve(service + ".yaml");
            Files.writeString(model, ModelFile.text(learned));
            int port = FreePorts.next();
            List<String> command = List.of(
                    "java",
                    "-XX:+UseSerialGC",
                    "-jar",
                    programs.standIn().toString(),
                    "standin",
                    "run",
                    model.toString(),
                    "--listen",
                    "127.0.0.1:" + port);
            try (SubjectProcess standIn = SubjectProcess.start(command, port, log)) {
                load(asked, standIn, medium * HIGH, WARM_UP_SECONDS);
                return new Outcome(service, learned.workers(), learned.exchanges(), levels(asked, original, standIn));
            }
        }
    }

    /** What is asked of it, and how often at medium load. */
    private ServiceModel asked() throws IOException {
        String name = service + ".yaml";
        Path file = folder.resolve("asked-" + name);
        try (InputStream in = StandInTrial.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException(name + ": no such service");
            }
            Files.copy(in, file);
        }
        return ModelFile.read(file);
    }

    private ServiceModel learn(ServiceModel asked, SubjectProcess original, Path log)
            throws IOException, InterruptedException {
        progress.accept(service + ": learning at " + asked.arrivals().perSecond() + " requests/s");
        Path recording = folder.resolve(service + ".recording");
        int port = FreePorts.next();
        List<String> command = List.of(
                "java",
                "-jar",
                programs.sidecar().toString(),
                "record",
                "--listen",
                "127.0.0.1:" + port,
                "--to",
                "127.0.0.1:" + original.port(),
                "--file",
                recording.toString());
        double medium = asked.arrivals().perSecond();
        long before;
        try (SubjectProcess recorder = SubjectProcess.start(command, port, log)) {
            load(asked, recorder, medium, WARM_UP_SECONDS);
            before = original.processorNanos();
            load(asked, recorder, medium, seconds * 2);
        }
        double processor = (original.processorNanos() - before) / 1e9;
        Duration warmUp = Duration.ofSeconds(WARM_UP_SECONDS);
        return ServiceLearner.learn(recording, new LearnOptions(service, null, processor, 0, warmUp))
                .model();
    }

    private List<Level> levels(ServiceModel asked, SubjectProcess original, SubjectProcess standIn)
            throws IOException, InterruptedException {
        Map<String, Double> loads = new LinkedHashMap<>();
        loads.put("low", 0.3);
        loads.put("medium", 1.0);
        loads.put("high", HIGH);
        List<Level> levels = new ArrayList<>();
        for (Map.Entry<String, Double> each : loads.entrySet()) {
            double rate = asked.arrivals().perSecond() * each.getValue();
            List<LoadPoint> ofOriginal = new ArrayList<>();
            List<LoadPoint> ofStandIn = new ArrayList<>();
            for (int round = 0; round < rounds; round++) {
                progress.accept("%s: %s load, round %d of %d".formatted(service, each.getKey(), round + 1, rounds));
                ofOriginal.add(load(asked, original, rate, seconds));
                ofStandIn.add(load(asked, standIn, rate, seconds));
            }
            levels.add(new Level(each.getKey(), rate, LoadPoint.median(ofOriginal), LoadPoint.median(ofStandIn)));
        }
        return levels;
    }

    private static LoadPoint load(ServiceModel asked, SubjectProcess server, double perSecond, int seconds)
            throws IOException, InterruptedException {
        long before = server.processorNanos();
        LoadOptions options = LoadOptions.of(asked, LoadTarget.parse("http://127.0.0.1:" + server.port()))
                .withRate(perSecond)
                .withSeconds(seconds);
        LoadResult result = LoadRun.run(asked, options);
        return LoadPoint.of(result.total(), server.processorNanos() - before);
    }

    private static SubjectProcess start(List<String> command, Path log) throws IOException, InterruptedException {
        int port = FreePorts.next();
        List<String> all = new ArrayList<>(command);
        all.add(String.valueOf(port));
        return SubjectProcess.start(all, port, log);
    }
}
