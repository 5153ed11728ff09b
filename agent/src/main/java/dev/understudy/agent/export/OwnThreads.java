package dev.understudy.agent.export;

import dev.understudy.agent.bootstrap.OtherAgent;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.Map;

/**
 * The agent's threads: daemons in a group of their own, with the agent's class loader and nothing of the
 * application's, whose CPU time is known.
 *
 * <p>Threads that our libraries start from one of them land in the same group.
 */
public final class OwnThreads {
    private final ThreadGroup group = new ThreadGroup("understudy");
    private final Map<Long, Long> cpu = new HashMap<>();

    /** That of all of them. */
    public ThreadGroup group() {
        return group;
    }

    /** Starts a daemon that runs {@code work}; what it throws ends it with a line on stderr. */
    public Thread start(String name, Runnable work) {
        Thread thread = daemon(name, new Guarded(name, work));
        thread.start();
        return thread;
    }

    /** A daemon that isn't started yet. */
    public Thread daemon(String name, Runnable work) {
        Thread thread = new Thread(group, new Untold(work), "understudy-" + name, 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(OwnThreads.class.getClassLoader());
        return thread;
    }

    /** The CPU time of all of the agent's threads since the start, in nanoseconds; 0 where the JVM can't tell. */
    public synchronized long cpuNanos() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        if (!threads.isThreadCpuTimeSupported() || !threads.isThreadCpuTimeEnabled()) {
            return 0;
        }
        Thread[] found = new Thread[group.activeCount() + 8];
        int count = group.enumerate(found);
        for (int i = 0; i < count; i++) {
            long id = found[i].getId();
            long nanos = threads.getThreadCpuTime(id);
            if (nanos >= 0) {
                cpu.put(id, nanos);
            }
        }
        return cpu.values().stream().mapToLong(Long::longValue).sum();
    }

    /**
     * Tells of what ends it. A class, as the next: the first thread starts before the application does, and lambda
     * expressions take a while to link.
     */
    private static final class Guarded implements Runnable {
        private final String name;
        private final Runnable work;

        Guarded(String name, Runnable work) {
            this.name = name;
            this.work = work;
        }

        @Override
        public void run() {
            try {
                work.run();
            } catch (Throwable problem) {
                Stderr.line("thread " + name + " ended: " + problem);
            }
        }
    }

    /** What other agents aren't told of. */
    private static final class Untold implements Runnable {
        private final Runnable work;

        Untold(Runnable work) {
            this.work = work;
        }

        @Override
        public void run() {
            OtherAgent.untold(work);
        }
    }
}
