package dev.understudy.relay.split;

import dev.understudy.relay.control.StopSignal;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Runs a sidecar or an aggregator from its first line to its last one. */
public final class ProxyService {
    /** As the JVM has it for a process that SIGTERM ended. */
    private static final int TERMINATED = 143;

    private final CountDownLatch stopped;
    private final PrintWriter out;
    private volatile @Nullable ProxyRun proxy;
    private volatile boolean signalled;

    private ProxyService(CountDownLatch stopped, PrintWriter out) {
        this.stopped = stopped;
        this.out = out;
    }

    /** What is to be served. */
    public interface Program {
        /**
         * Opens the listeners.
         *
         * @throws IOException if a port can't be had; nothing is left open then
         */
        ProxyRun start() throws IOException;
    }

    /**
     * Starts it, says that it is ready, waits for a signal, and closes it in good order; a second signal hurries. A
     * signal that comes before the listeners are open is heeded as soon as they are: clients that were let in by then
     * are served to their end.
     *
     * @param name begins the first line
     * @param stopped counted down by a signal, or by whoever else wants it to stop
     * @throws IOException if a port can't be had; it is closed then
     */
    public static void serve(String name, Program program, CountDownLatch stopped, PrintWriter out)
            throws IOException, InterruptedException {
        ProxyService service = new ProxyService(stopped, out);
        StopSignal signals = StopSignal.on(service::stop, service::hurry);
        try {
            service.serve(name, program.start());
        } finally {
            signals.close();
        }
    }

    private void serve(String name, ProxyRun started) throws IOException, InterruptedException {
        CountDownLatch closed = new CountDownLatch(1);
        Thread atEnd = new Thread(() -> close(started, closed), "understudy-stop");
        Runtime.getRuntime().addShutdownHook(atEnd);
        try {
            proxy = started;
            if (signalled) {
                started.stopWaiting();
            }
            String ready = started.ready();
            if (!ready.equals(ProxyRun.NOT_READY)) {
                out.println(name + " ready: " + ready);
                out.flush();
            }
            stopped.await();
        } finally {
            if (Runtime.getRuntime().removeShutdownHook(atEnd)) {
                atEnd.start();
            }
            closed.await();
        }
    }

    private void stop() {
        signalled = true;
        stopped.countDown();
        ProxyRun running = proxy;
        if (running != null) {
            running.stopWaiting();
        }
    }

    /** Before there is anything that could hurry, it ends the process. */
    private void hurry() {
        ProxyRun running = proxy;
        if (running != null) {
            running.hurry();
        } else {
            Runtime.getRuntime().exit(TERMINATED);
        }
    }

    private void close(ProxyRun running, CountDownLatch closed) {
        try {
            running.close();
            running.lastLines().forEach(out::println);
            out.flush();
        } finally {
            closed.countDown();
        }
    }
}
