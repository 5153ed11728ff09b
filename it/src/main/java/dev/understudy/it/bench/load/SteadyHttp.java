package dev.understudy.it.bench.load;

import dev.understudy.it.bench.subject.Subject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Requests at a fixed rate whatever the replies do (open loop): latency counts from the moment a request was due, so
 * that a stall shows in every request it delayed. What isn't answered some seconds after the end is failed, and counts
 * with the time that it had waited by then.
 *
 * @param connections each has a thread; a connection lasts for the run unless {@code ask} closes it
 */
public record SteadyHttp(String name, Ask ask, int connections, int perSecond, int seconds) implements Workload {
    private static final int PATIENCE_MILLIS = 3000;

    @Override
    public Sample run(Subject subject) throws IOException, InterruptedException {
        warmUp(subject);
        return measure(subject);
    }

    /** A quarter of it, which isn't measured. */
    public void warmUp(Subject subject) throws InterruptedException {
        run(subject, Math.max(1, seconds / 4), new ConcurrentHistogram(3), new LongAdder());
    }

    /** All of it, without a warm-up. */
    public Sample measure(Subject subject) throws InterruptedException {
        Histogram latency = new ConcurrentHistogram(3);
        LongAdder failed = new LongAdder();
        Sample.Meter meter = Sample.begin(subject);
        run(subject, seconds, latency, failed);
        return meter.end(latency.getTotalCount() - failed.sum(), failed.sum(), latency);
    }

    private void run(Subject subject, int lasting, Histogram latency, LongAdder failed) throws InterruptedException {
        long period = TimeUnit.SECONDS.toNanos(1) * connections / perSecond;
        long start = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(50);
        long end = start + TimeUnit.SECONDS.toNanos(lasting);
        InetSocketAddress server = new InetSocketAddress(InetAddress.getLoopbackAddress(), subject.web());
        List<Thread> threads = new ArrayList<>();
        for (int n = 0; n < connections; n++) {
            long first = start + n * period / connections;
            Thread thread =
                    new Thread(() -> new Drive(server, period, end, latency, failed).run(ask, first), "client-" + n);
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** One connection after another, for the length of a run. */
    private record Drive(InetSocketAddress server, long period, long end, Histogram latency, LongAdder failed) {
        void run(Ask ask, long first) {
            long due = first;
            while (due - end < 0) {
                awaitMoment(due);
                try (HttpClient client = new HttpClient(server, ask, PATIENCE_MILLIS)) {
                    do {
                        awaitMoment(due);
                        client.ask();
                        latency.recordValue(System.nanoTime() - due);
                        due += period;
                    } while (ask.keepAlive() && due - end < 0 && !isLate());
                } catch (IOException e) {
                    fail(due);
                    due += period;
                }
                for (; isLate() && due - end < 0; due += period) {
                    fail(due);
                }
            }
        }

        private boolean isLate() {
            return System.nanoTime() - end > TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
        }

        private void fail(long due) {
            latency.recordValue(System.nanoTime() - due);
            failed.increment();
        }

        private static void awaitMoment(long due) {
            for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
        }
    }
}
