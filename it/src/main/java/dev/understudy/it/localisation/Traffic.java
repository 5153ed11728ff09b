package dev.understudy.it.localisation;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** What a bug's clients ask for, drawn by weight; the same for the same seed. Not for several threads. */
final class Traffic implements AutoCloseable {
    private static final long SEED = 20;

    private final Bug bug;
    private final Asker asker;
    private final Random random = new Random(SEED);
    private final ExecutorService clients;
    private final int weights;
    private int asked;
    private int triggers;
    private int symptoms;

    Traffic(Bug bug, int port) {
        this.bug = bug;
        this.asker = Asker.of(bug, port);
        this.clients = Executors.newFixedThreadPool(bug.clients());
        this.weights = bug.traffic().stream().mapToInt(Ask::weight).sum();
    }

    void prepare() throws Exception {
        for (Ask ask : bug.prepare()) {
            asker.ask(ask, random);
        }
    }

    /** Asks so many times, as many clients at once as the bug has. */
    void ask(int times) throws InterruptedException, ExecutionException {
        for (int done = 0; done < times; done += bug.clients()) {
            List<Future<Boolean>> round = new ArrayList<>();
            for (int i = 0; i < bug.clients(); i++) {
                Ask ask = draw();
                Random own = new Random(random.nextLong());
                asked++;
                triggers += ask.trigger() ? 1 : 0;
                round.add(clients.submit(() -> asker.ask(ask, own).startsWith(bug.symptom()) && counts(ask)));
            }
            for (Future<Boolean> each : round) {
                symptoms += each.get() ? 1 : 0;
            }
        }
    }

    /** With several clients it shows in what the others asked. */
    private boolean counts(Ask ask) {
        return ask.trigger() || bug.clients() > 1;
    }

    private Ask draw() {
        int left = random.nextInt(weights);
        for (Ask ask : bug.traffic()) {
            left -= ask.weight();
            if (left < 0) {
                return ask;
            }
        }
        throw new IllegalStateException("weights: " + weights);
    }

    int asked() {
        return asked;
    }

    int triggers() {
        return triggers;
    }

    /** How often production's reply showed the bug. */
    int symptoms() {
        return symptoms;
    }

    @Override
    public void close() throws IOException {
        clients.shutdownNow();
        asker.close();
    }
}
