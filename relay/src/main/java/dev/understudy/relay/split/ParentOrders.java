package dev.understudy.relay.split;

import dev.understudy.relay.control.StopSignal;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How a child hears of the process that has started it: on standard input, and by no signal. Signals are meant for that
 * process, also where a terminal sends them to both.
 */
public final class ParentOrders implements AutoCloseable {
    private static final Path OOM_SCORE = Path.of("/proc/self/oom_score_adj");

    private final InputStream orders;
    private final StopSignal signals;

    private ParentOrders(InputStream orders, StopSignal signals) {
        this.orders = orders;
        this.signals = signals;
    }

    /** From now on signals are ignored. */
    public static ParentOrders open() {
        goFirst();
        return new ParentOrders(System.in, StopSignal.ignored());
    }

    /** Where memory runs out, Linux ends this process and not the one that relays, unless it ends a whole container. */
    @SuppressWarnings("EmptyCatch")
    private static void goFirst() {
        try {
            Files.writeString(OOM_SCORE, "1000");
        } catch (IOException unknown) {
            // another system
        }
    }

    /**
     * Says that this process serves, and waits until it is to end.
     *
     * @param said what the next child is given, and the first line is made of
     * @param hurry is run, on a thread of its own, if it is to hurry while it ends
     * @return false if the other process is dead: nobody waits for a good end, and who follows it wants the ports
     */
    public boolean await(PrintWriter out, String said, Runnable hurry) throws IOException {
        out.println(ChildSupervisor.READY + said);
        out.flush();
        int order = orders.read();
        while (order >= 0 && order != ChildSupervisor.END) {
            order = orders.read();
        }
        if (order < 0) {
            return false;
        }
        Thread hurrying = new Thread(() -> awaitNext(hurry), "understudy-hurry");
        hurrying.setDaemon(true);
        hurrying.start();
        return true;
    }

    /** While it ends in good order: at the next order, or once the other process is dead. */
    private void awaitNext(Runnable hurry) {
        try {
            orders.read();
        } catch (IOException closed) {
            // as if it were dead
        }
        hurry.run();
    }

    @Override
    public void close() {
        signals.close();
    }
}
