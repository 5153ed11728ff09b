package dev.understudy.example.demo.load;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * Several customers at once, each with a thread, a connection, a session and a share of the requests of its own. What
 * each of them asks for depends on the seed alone, not on how fast anybody answers.
 */
public final class Load {
    private static final long TELL_EVERY_MILLIS = 100;
    private static final int LAST_CUSTOMER = 64;

    private final int port;
    private final int requests;
    private final int clients;
    private final long seed;
    private final double rate;
    private final AtomicLong answered = new AtomicLong();

    /**
     * @param requests how many requests all clients together send, give or take one a client
     * @param rate how many of them a second; 0 is as fast as they are answered
     */
    public Load(int port, int requests, int clients, long seed, double rate) {
        this.port = port;
        this.requests = requests;
        this.clients = clients;
        this.seed = seed;
        this.rate = rate;
    }

    /** Runs to the end, telling {@code progress} the number of answered requests every now and then. */
    public Tally run(LongConsumer progress) throws InterruptedException {
        Memory memory = new Memory();
        ExecutorService threads = Executors.newFixedThreadPool(clients, work -> {
            Thread thread = new Thread(work, "client");
            thread.setDaemon(true);
            return thread;
        });
        try {
            List<Future<Tally>> tallies = new ArrayList<>();
            for (int client = 0; client < clients; client++) {
                int number = client + 1;
                int share = requests * number / clients - requests * client / clients;
                tallies.add(threads.submit(() -> visit(number, share, memory)));
            }
            Tally all = new Tally();
            for (Future<Tally> tally : tallies) {
                all.add(result(tally, progress));
            }
            progress.accept(answered.get());
            return all;
        } finally {
            threads.shutdownNow();
        }
    }

    /** One more customer, who orders as quoted what the shop's defect spoils. */
    public Tally complaint() {
        Tally tally = new Tally();
        try (Visit visit = new Visit(new HttpConnection(port), tally)) {
            new Customer(LAST_CUSTOMER, new Random(seed), new Memory(), tally, visit).complain();
        } catch (IOException | Wrong failed) {
            tally.failure("one more order: " + failed.getMessage());
        }
        return tally;
    }

    private Tally result(Future<Tally> tally, LongConsumer progress) throws InterruptedException {
        for (; ; ) {
            try {
                return tally.get(TELL_EVERY_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException notYet) {
                progress.accept(answered.get());
            } catch (ExecutionException e) {
                throw new IllegalStateException("A client broke", e.getCause());
            }
        }
    }

    private Tally visit(int number, int share, Memory memory) throws InterruptedException {
        Tally tally = new Tally();
        // of its own, so that the pace doesn't change what is asked for
        Pace pace = new Pace(new Random(-seed * 1_000_003 - number), rate / clients);
        Random random = new Random(seed * 1_000_003 + number);
        try (Visit visit = new Visit(new HttpConnection(port), tally)) {
            Customer customer = new Customer(number, random, memory, tally, visit);
            while (tally.answered() < share) {
                pace.await();
                act(customer, tally);
            }
        } catch (IOException e) {
            tally.failure("customer " + number + " lost the connection: " + e);
        }
        return tally;
    }

    private void act(Customer customer, Tally tally) throws IOException {
        long before = tally.answered();
        try {
            customer.act();
        } catch (Wrong wrong) {
            tally.failure(String.valueOf(wrong.getMessage()));
        }
        answered.addAndGet(tally.answered() - before);
    }
}
