package dev.understudy.relay.split;

import dev.understudy.relay.control.StopSignal;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.CountDownLatch;

/** Runs a sidecar or an aggregator from its first line to its last one. */
public final class ProxyService {
    private ProxyService() {}

    /**
     * Says that it is ready, waits for a signal, and closes it in good order; a second signal hurries.
     *
     * @param name begins the first line
     * @param stopped counted down by a signal, or by whoever else wants it to stop
     * @throws IOException if a port can't be had; it is closed then
     */
    public static void serve(String name, ProxyRun proxy, CountDownLatch stopped, PrintWriter out)
            throws IOException, InterruptedException {
        CountDownLatch closed = new CountDownLatch(1);
        Thread atSignal = new Thread(() -> close(proxy, out, closed), "understudy-stop");
        Runtime.getRuntime().addShutdownHook(atSignal);
        StopSignal signals = StopSignal.on(
                () -> {
                    stopped.countDown();
                    proxy.stopWaiting();
                },
                proxy::hurry);
        try {
            String ready = proxy.ready();
            if (!ready.equals(ProxyRun.NOT_READY)) {
                out.println(name + " ready: " + ready);
                out.flush();
            }
            stopped.await();
        } finally {
            if (Runtime.getRuntime().removeShutdownHook(atSignal)) {
                atSignal.start();
            }
            closed.await();
            signals.close();
        }
    }

    private static void close(ProxyRun proxy, PrintWriter out, CountDownLatch closed) {
        try {
            proxy.close();
            proxy.lastLines().forEach(out::println);
            out.flush();
        } finally {
            closed.countDown();
        }
    }
}
