package dev.understudy.it.bench.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** What a JVM spends until its first operation is done, all its threads together. */
final class StartUp {
    private static final int TURNS = 100;
    private static final long TURN_MILLIS = 500;

    private final Jvms jvms;
    private final List<Candidate> candidates;
    private final Random random;
    private final Map<String, Double> cpu = new HashMap<>();
    private final Map<String, Double> wall = new HashMap<>();
    private int rounds;

    StartUp(Jvms jvms, List<Candidate> candidates, long seed) {
        this.jvms = jvms;
        this.candidates = candidates;
        this.random = new Random(seed);
    }

    /** Lets the agent of a candidate fill its cache. */
    static void fill(Jvms jvms, Candidate candidate, String work, Path cache) throws IOException {
        try (WorkerJvm worker = WorkerJvm.start(jvms, candidate, work)) {
            for (int turn = 0; !Files.exists(cache.resolve("woven")); turn++) {
                if (turn > TURNS) {
                    throw new IOException(cache + " stays empty");
                }
                worker.run(TURN_MILLIS);
            }
        }
    }

    /**
     * Starts each once for nothing, so that files are in the page cache and caches are filled, and then so many times.
     */
    void measure(String work, int times) throws IOException {
        List<Candidate> order = new ArrayList<>(candidates);
        for (int round = 0; round <= times; round++) {
            Collections.shuffle(order, random);
            for (Candidate candidate : order) {
                long begun = System.nanoTime();
                try (WorkerJvm worker = WorkerJvm.start(jvms, candidate, work)) {
                    long took = System.nanoTime() - begun;
                    if (round > 0) {
                        cpu.merge(candidate.name(), (double) worker.cpuNanos(), Double::sum);
                        wall.merge(candidate.name(), (double) took, Double::sum);
                    }
                }
            }
        }
        rounds = times;
    }

    /** CPU milliseconds, the mean of all times. */
    double cpuMillis(Candidate candidate) {
        return cpu.getOrDefault(candidate.name(), Double.NaN) / 1e6 / rounds;
    }

    /** Milliseconds until it was done, the mean of all times. */
    double wallMillis(Candidate candidate) {
        return wall.getOrDefault(candidate.name(), Double.NaN) / 1e6 / rounds;
    }
}
