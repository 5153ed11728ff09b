package dev.understudy.relay.log;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.LongFunction;

/**
 * A standard error that makes nobody wait: whatever is printed to it goes through a {@link LogQueue}.
 *
 * <p>Everything is meant by that, the loggers' lines, stack traces of threads that die, what libraries print.
 * Thread-safe.
 */
final class PatientErr extends PrintStream {
    private static final Duration AT_THE_END = Duration.ofSeconds(1);

    private final LogQueue queue;

    private PatientErr(LogQueue queue) {
        super(queue, false, StandardCharsets.UTF_8);
        this.queue = queue;
    }

    /**
     * Puts one in the place of {@link System#err}, unless it is there already; at the process's end what waits is still
     * written, for a second at most.
     */
    static void install(LongFunction<String> lostLines) {
        PrintStream now = System.err;
        if (!(now instanceof PatientErr)) {
            PatientErr patient = new PatientErr(new LogQueue(now, lostLines));
            System.setErr(patient);
            Runtime.getRuntime().addShutdownHook(new Thread(patient::drain, "understudy-log-end"));
        }
    }

    private void drain() {
        try {
            queue.drain(AT_THE_END);
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
    }
}
