package dev.understudy.session.debug;

import dev.understudy.session.program.StopTime;
import dev.understudy.session.target.TargetProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Finds out when a snapshot stops a process.
 *
 * <p>Looks at the process's state five times a millisecond, on a thread of its own, and changes nothing of it.
 */
final class FreezeWatch implements AutoCloseable {
    private static final long POLL_NANOS = 200_000;

    private final Thread thread;
    private volatile boolean isOver;
    private volatile long running;
    private volatile long stopped;
    private volatile boolean hasSeen;

    private FreezeWatch(TargetProcess target) {
        this.running = System.nanoTime();
        this.thread = new Thread(() -> watch(target), "freeze of " + target.pid());
        thread.setDaemon(true);
    }

    /** Watches until it has seen the process stopped, or is closed. */
    static FreezeWatch start(TargetProcess target) {
        FreezeWatch watch = new FreezeWatch(target);
        watch.thread.start();
        return watch;
    }

    private void watch(TargetProcess target) {
        Path stat = Path.of("/proc", Long.toString(target.pid()), "stat");
        while (!isOver) {
            long before = System.nanoTime();
            if (isStopped(stat)) {
                stopped = System.nanoTime();
                hasSeen = true;
                return;
            }
            running = before;
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    /** By a signal or a tracer, as the kernel's manual says: proc_pid_stat(5), field 3. */
    private static boolean isStopped(Path stat) {
        try {
            String line = new String(Files.readAllBytes(stat), StandardCharsets.UTF_8);
            char state = line.charAt(line.lastIndexOf(')') + 2);
            return state == 't' || state == 'T';
        } catch (IOException | IndexOutOfBoundsException gone) {
            return false;
        }
    }

    /** Whether it has seen the process stopped. */
    boolean hasSeen() {
        return hasSeen;
    }

    /**
     * Ends the watch.
     *
     * @param suspension how long the process stood still
     * @return when that was; now if it wasn't seen, so that the copy begins with what comes from now on
     */
    StopTime end(Duration suspension) throws InterruptedException {
        isOver = true;
        thread.join();
        long now = System.nanoTime();
        return hasSeen ? new StopTime(running, stopped + suspension.toNanos() / 2) : new StopTime(now, now);
    }

    @Override
    public void close() {
        isOver = true;
    }
}
