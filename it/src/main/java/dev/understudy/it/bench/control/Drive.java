package dev.understudy.it.bench.control;

import dev.understudy.it.bench.load.Ask;
import dev.understudy.it.bench.load.HttpClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Sends requests at given moments, whatever becomes of those before, as far as there are connections. */
final class Drive implements AutoCloseable {
    private static final int CONNECTIONS = 128;

    private final double[] moments;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final List<Thread> threads = new ArrayList<>();

    /** Begins at once. */
    Drive(int port, Ask ask, double[] moments) {
        this.moments = moments;
        long start = System.nanoTime();
        for (int n = 0; n < CONNECTIONS; n++) {
            Thread thread = new Thread(() -> send(port, ask, start), "load-" + n);
            threads.add(thread);
            thread.start();
        }
    }

    /** One after the other for so long; how many a second were answered. */
    static double closed(int port, Ask ask, double seconds) throws IOException {
        try (HttpClient client = new HttpClient(port, ask)) {
            long start = System.nanoTime();
            long answered = 0;
            while (System.nanoTime() - start < seconds * 1e9) {
                client.ask();
                answered++;
            }
            return answered * 1e9 / (System.nanoTime() - start);
        }
    }

    private void send(int port, Ask ask, long start) {
        while (!stopped.get()) {
            try (HttpClient client = new HttpClient(port, ask)) {
                for (int i = next.getAndIncrement(); i < moments.length; i = next.getAndIncrement()) {
                    long due = start + (long) (moments[i] * 1e9);
                    for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                        LockSupport.parkNanos(left);
                        if (stopped.get()) {
                            return;
                        }
                    }
                    client.ask();
                }
                return;
            } catch (IOException lost) {
                failed.getAndIncrement();
            }
        }
    }

    boolean isOver() {
        return threads.stream().noneMatch(Thread::isAlive);
    }

    int failed() {
        return failed.get();
    }

    @Override
    public void close() {
        stopped.set(true);
        threads.forEach(LockSupport::unpark);
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
    }
}
