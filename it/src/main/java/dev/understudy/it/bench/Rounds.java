package dev.understudy.it.bench;

import dev.understudy.it.bench.load.Sample;
import dev.understudy.it.bench.load.Workload;
import dev.understudy.it.bench.report.Results;
import dev.understudy.it.bench.subject.Subject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import picocli.CommandLine.Option;

/** Runs all subjects through all workloads, round by round in a new order each time. */
final class Rounds {
    @Option(names = "--rounds", defaultValue = "5", description = "How often each is measured (default: 5).")
    private int rounds = 5;

    @Option(names = "--seconds", defaultValue = "4", description = "How long a run takes (default: 4).")
    private int seconds = 4;

    @Option(names = "--seed", defaultValue = "1", description = "Of the order within the rounds (default: 1).")
    private long seed = 1;

    int seconds() {
        return seconds;
    }

    /** How the figures were taken, for the table. */
    String words() {
        return rounds + " rounds of " + seconds + " s each, seed " + seed;
    }

    /** With a first round that warms up: JIT, buffers, page cache. */
    Results measure(String what, List<Subject> subjects, List<Workload> workloads)
            throws IOException, InterruptedException {
        return measure(what, subjects, workloads, 1);
    }

    /** With so many rounds before those that count. */
    Results measure(String what, List<Subject> subjects, List<Workload> workloads, int warmUps)
            throws IOException, InterruptedException {
        Results results = new Results();
        Random random = new Random(seed);
        for (int round = 1 - warmUps; round <= rounds; round++) {
            for (Workload workload : workloads) {
                List<Subject> order = new ArrayList<>(subjects);
                Collections.shuffle(order, random);
                for (Subject subject : order) {
                    Stage.progress("%s: round %d of %d, %s, %s"
                            .formatted(what, round, rounds, workload.name(), subject.name()));
                    Sample sample = workload.run(subject);
                    if (round > 0) {
                        results.add(workload, subject.name(), sample);
                    }
                }
            }
        }
        return results;
    }
}
