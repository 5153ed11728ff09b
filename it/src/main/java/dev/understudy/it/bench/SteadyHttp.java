package dev.understudy.it.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Requests at a fixed rate whatever the replies do (open loop): latency counts from the moment a request was due, so that
 * a stall shows in every request it delayed.
 *
 * @param connections each has a thread; with {@code keepAlive} it lasts for the run, else for one request
 */
record SteadyHttp(String name, String path, int connections, int perSecond, boolean keepAlive, int seconds)
        implements Workload {
    @Override
    public Sample run(Subject subject) throws IOException, InterruptedException {
        run(subject, Math.max(1, seconds / 4), new ConcurrentHistogram(3), new LongAdder());
        Histogram latency = new ConcurrentHistogram(3);
        LongAdder failed = new LongAdder();
        Sample.Meter meter = Sample.begin(subject);
        run(subject, seconds, latency, failed);
        return meter.end(latency.getTotalCount(), failed.sum(), latency);
    }

    private void run(Subject subject, int lasting, Histogram latency, LongAdder failed) throws InterruptedException {
        long period = TimeUnit.SECONDS.toNanos(1) * connections / perSecond;
        long start = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(50);
        long end = start + TimeUnit.SECONDS.toNanos(lasting);
        List<Thread> threads = new ArrayList<>();
        for (int n = 0; n < connections; n++) {
            long first = start + n * period / connections;
            Thread thread = new Thread(() -> drive(subject.web(), first, period, end, latency, failed), "client-" + n);
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private void drive(int port, long first, long period, long end, Histogram latency, LongAdder failed) {
        long due = first;
        while (due - end < 0) {
            try (HttpClient client = new HttpClient(port, path, keepAlive)) {
                do {
                    awaitMoment(due);
                    client.ask();
                    latency.recordValue(System.nanoTime() - due);
                    due += period;
                } while (keepAlive && due - end < 0);
            } catch (IOException e) {
                failed.increment();
                due += period;
            }
            if (!keepAlive) {
                awaitMoment(due);
            }
        }
    }

    private static void awaitMoment(long due) {
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
