package dev.understudy.it.bench.agent;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * What an operation costs in JVMs that live at the same time and take turns, a fraction of a second each; a ratio is of
 * two turns of the same round.
 */
final class SteadyState {
    private static final int WARM_UPS = 4;
    private static final int MOST_WARM_UPS = 24;
    /** While compilers take less of the time than one in so much they are done. */
    private static final int CALM = 25;

    private final Jvms jvms;
    private final Random random;
    private final Map<String, List<Double>> ratios = new LinkedHashMap<>();
    private final Map<String, List<Double>> costs = new HashMap<>();

    /** One that has measured nothing yet. */
    SteadyState(Jvms jvms, long seed) {
        this.jvms = jvms;
        this.random = new Random(seed);
    }

    /**
     * Starts all of them anew, lets them warm up, and measures.
     *
     * @param some the first is the one that the others are compared with
     * @param warmUpMillis each, and longer while there is much to compile
     * @param turnMillis each, in each of the rounds
     */
    void measure(List<Candidate> some, String work, long warmUpMillis, int rounds, long turnMillis) throws IOException {
        List<WorkerJvm> workers = new ArrayList<>();
        try {
            for (Candidate candidate : some) {
                WorkerJvm worker = WorkerJvm.start(jvms, candidate, work);
                workers.add(worker);
                warmUp(worker, candidate, warmUpMillis);
            }
            Map<String, List<Double>> own = new HashMap<>();
            List<Integer> order = new ArrayList<>();
            for (int n = 0; n < workers.size(); n++) {
                order.add(n);
            }
            for (int round = 0; round < rounds; round++) {
                Collections.shuffle(order, random);
                double[] cost = new double[workers.size()];
                for (int n : order) {
                    Ran ran = workers.get(n).run(turnMillis);
                    check(some.get(n), ran);
                    cost[n] = ran.cost();
                }
                for (int n : order) {
                    String name = some.get(n).name();
                    own.computeIfAbsent(name, none -> new ArrayList<>()).add(cost[n] / cost[0]);
                    costs.computeIfAbsent(name, none -> new ArrayList<>()).add(cost[n]);
                }
            }
            own.forEach((name, all) -> ratios.computeIfAbsent(name, none -> new ArrayList<>())
                    .add(Middle.of(all).value()));
        } finally {
            workers.forEach(WorkerJvm::close);
        }
    }

    /** First with open gates, as they are when a class is loaded. */
    private static void warmUp(WorkerJvm worker, Candidate candidate, long millis) throws IOException {
        worker.run(millis / WARM_UPS);
        worker.set(candidate.armed());
        long compiled = 0;
        int calm = 0;
        for (int n = 1; n < WARM_UPS || (calm < 2 && n < MOST_WARM_UPS); n++) {
            long now = worker.run(millis / WARM_UPS).compileMillis();
            calm = (now - compiled) * CALM < millis / WARM_UPS ? calm + 1 : 0;
            compiled = now;
        }
    }

    /** What a row is about must have been so. */
    private static void check(Candidate candidate, Ran ran) throws IOException {
        boolean so = switch (candidate.armed()) {
            case ABSENT, CLOSED, OFF -> ran.hits() == 0 && ran.samples() == 0;
            case COUNTED -> ran.hits() > ran.operations() && ran.samples() * 50 < ran.hits();
            case OBSERVED -> ran.observed() == ran.operations();
            case HUNDREDTH -> ran.samples() * 50 < ran.hits() && ran.samples() * 200 > ran.hits();
            case TIMED -> ran.samples() * 2 > ran.hits() && ran.samples() > 0;
        };
        if (!so) {
            throw new IOException(candidate.name() + " isn't what it should be: " + ran);
        }
    }

    /** Of the times that it was started, each the middle of its rounds. */
    Middle ratio(Candidate candidate) {
        return Middle.of(ratios.getOrDefault(candidate.name(), List.of()));
    }

    /** CPU microseconds of an operation. */
    double micros(Candidate candidate) {
        return Middle.of(costs.getOrDefault(candidate.name(), List.of())).value() / 1000;
    }
}
