package dev.understudy.it.localisation;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What a bug's clients ask for, drawn by weight, at a steady rate; the same for the same seed. Not for several threads.
 */
final class Traffic implements AutoCloseable {
    private static final long SEED = 20;

    private final Bug bug;
    private final Asker asker;
    private final Random random = new Random(SEED);
    private final ExecutorService clients;
    private final int weights;
    private final long roundNanos;
    private long dueNanos = System.nanoTime();
    private int asked;
    private int triggers;
    private int symptoms;
    private int others;

    /**
     * @param rate how many times all clients together ask in a second at most; fewer if they aren't answered in time
     */
    Traffic(Bug bug, int port, int rate) {
        this.bug = bug;
        this.roundNanos = TimeUnit.SECONDS.toNanos(bug.clients()) / rate;
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
            awaitTurn();
            List<Ask> asks = new ArrayList<>();
            List<Future<Boolean>> round = new ArrayList<>();
            for (int i = 0; i < bug.clients(); i++) {
                Ask ask = draw();
                Random own = new Random(random.nextLong());
                asks.add(ask);
                asked++;
                triggers += ask.trigger() ? 1 : 0;
                round.add(clients.submit(() -> {
                    long begun = System.nanoTime();
                    String reply = asker.ask(ask, own);
                    return bug.isShownBy(reply, System.nanoTime() - begun);
                }));
            }
            for (int i = 0; i < round.size(); i++) {
                boolean shown = round.get(i).get();
                symptoms += shown && counts(asks.get(i)) ? 1 : 0;
                others += shown && !counts(asks.get(i)) ? 1 : 0;
            }
        }
    }

    private void awaitTurn() {
        long now = System.nanoTime();
        for (; now - dueNanos < 0; now = System.nanoTime()) {
            LockSupport.parkNanos(dueNanos - now);
        }
        dueNanos = Math.max(dueNanos + roundNanos, now);
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

    /** How often another reply of production's looked the same, though it had nothing to do with the bug. */
    int others() {
        return others;
    }

    @Override
    public void close() throws IOException {
        clients.shutdownNow();
        asker.close();
    }
}
