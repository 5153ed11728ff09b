package dev.understudy.testing.process;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Looks ten times a second whether debug has a connection to where it must have none. Safe for any thread. */
public final class DebugConnections implements AutoCloseable {
    private static final Duration PERIOD = Duration.ofMillis(100);

    private final long pid;
    private final Set<InetSocketAddress> forbidden;
    private final Set<String> seen = new TreeSet<>();
    private final ScheduledExecutorService looks = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "understudy-testing-connections");
        thread.setDaemon(true);
        return thread;
    });

    /**
     * Begins to look.
     *
     * @param pid debug's process
     * @param forbidden upstreams, and the ports at which production reaches them
     */
    public DebugConnections(long pid, Set<InetSocketAddress> forbidden) {
        this.pid = pid;
        this.forbidden = Set.copyOf(forbidden);
        looks.scheduleWithFixedDelay(this::look, 0, PERIOD.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Looks once more, and forgets; the addresses that debug had a connection to. */
    public Set<String> take() {
        look();
        synchronized (seen) {
            Set<String> taken = new TreeSet<>(seen);
            seen.clear();
            return taken;
        }
    }

    private void look() {
        for (InetSocketAddress remote : SocketTable.remotes(pid)) {
            if (forbidden.contains(remote)) {
                synchronized (seen) {
                    seen.add(remote.getAddress().getHostAddress() + ":" + remote.getPort());
                }
            }
        }
    }

    @Override
    public void close() {
        looks.shutdownNow();
    }
}
