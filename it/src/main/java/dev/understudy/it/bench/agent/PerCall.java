package dev.understudy.it.bench.agent;

import dev.understudy.it.micro.Calling;
import java.io.File;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** What looking adds to one call, by JMH, a JVM for each candidate and round. */
final class PerCall {
    private final String benchmark;
    private final List<Candidate> candidates;
    private final Random random;
    private final Map<String, List<Double>> nanos = new HashMap<>();

    /**
     * Of calls of a method of eight instructions.
     *
     * @param candidates the first has no agent
     */
    PerCall(List<Candidate> candidates, long seed) {
        this(Calling.class.getName(), candidates, seed);
    }

    /**
     * Of what a benchmark does.
     *
     * @param benchmark its name; its operations are counted by {@link dev.understudy.it.micro.CpuTime}
     * @param candidates the first has no agent
     */
    PerCall(String benchmark, List<Candidate> candidates, long seed) {
        this.benchmark = benchmark;
        this.candidates = candidates;
        this.random = new Random(seed);
    }

    void measure(int rounds, int threads, long iterationMillis) throws RunnerException {
        List<Candidate> order = new ArrayList<>(candidates);
        for (int round = 0; round < rounds; round++) {
            Collections.shuffle(order, random);
            for (Candidate candidate : order) {
                nanos.computeIfAbsent(candidate.name(), none -> new ArrayList<>())
                        .add(once(candidate, threads, iterationMillis));
            }
        }
    }

    private double once(Candidate candidate, int threads, long iterationMillis) throws RunnerException {
        TimeValue iteration = TimeValue.milliseconds(iterationMillis);
        RunResult run = new Runner(new OptionsBuilder()
                        .include(benchmark)
                        .param("armed", candidate.armed().name())
                        .forks(1)
                        .threads(threads)
                        .warmupTime(iteration)
                        .measurementTime(iteration)
                        .jvmArgsAppend(candidate.options().toArray(String[]::new))
                        .verbosity(VerboseMode.SILENT)
                        .output(File.separatorChar == '/' ? "/dev/null" : "NUL")
                        .shouldFailOnError(true)
                        .build())
                .runSingle();
        return secondary(run, "cpuNanos") / secondary(run, "operations");
    }

    private static double secondary(RunResult run, String name) {
        return Objects.requireNonNull(run.getSecondaryResults().get(name), name).getScore();
    }

    /** CPU nanoseconds of a call. */
    Middle nanos(Candidate candidate) {
        return Middle.of(nanos.getOrDefault(candidate.name(), List.of()));
    }

    /** CPU nanoseconds that it adds to a call. */
    double added(Candidate candidate) {
        return nanos(candidate).value() - nanos(candidates.get(0)).value();
    }
}
