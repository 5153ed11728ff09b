package dev.understudy.it.overhead;

import dev.understudy.it.overhead.work.Work;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * Does one {@link Work} on its main thread, when and as long as its standard input says.
 *
 * <p>Says {@code first} after the first time. {@code set ARMED} sets gates and probes; {@code run MILLIS} works so long
 * and answers with operations, this thread's CPU nanoseconds, calls seen, calls timed, exchanges observed, and the
 * milliseconds that the JVM has compiled so far. The end of the input ends it.
 */
public final class Worker {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final Work work;
    private Armed armed = Armed.ABSENT;
    private long result;

    private Worker(Work work) {
        this.work = work;
    }

    /** Begins with the work of that name. */
    public static void main(String[] arguments) throws Exception {
        Work work = Work.of(arguments[0]);
        long result = work.once();
        System.out.println("first " + result);
        new Worker(work).serve(new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)));
    }

    private void serve(BufferedReader commands) throws Exception {
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            String[] words = line.split(" ", 2);
            switch (words[0]) {
                case "set" -> {
                    armed = Armed.valueOf(words[1]);
                    armed.set();
                    System.out.println("set");
                }
                case "run" -> System.out.println(run(TimeUnit.MILLISECONDS.toNanos(Long.parseLong(words[1]))));
                default -> throw new IOException(line);
            }
        }
    }

    private String run(long nanos) throws Exception {
        armed.set();
        long hits = armed.hits();
        long samples = armed.samples();
        long observed = armed.observed();
        long operations = 0;
        long ends = System.nanoTime() + nanos;
        long cpu = THREADS.getCurrentThreadCpuTime();
        do {
            Object exchange = armed.begin();
            result ^= work.once();
            armed.end(exchange);
            operations++;
        } while (System.nanoTime() - ends < 0);
        cpu = THREADS.getCurrentThreadCpuTime() - cpu;
        return "ran %d %d %d %d %d %d %d"
                .formatted(
                        operations,
                        cpu,
                        armed.hits() - hits,
                        armed.samples() - samples,
                        armed.observed() - observed,
                        ManagementFactory.getCompilationMXBean().getTotalCompilationTime(),
                        result);
    }
}
