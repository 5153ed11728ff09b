package dev.understudy.session.debug;

import dev.understudy.session.target.TargetProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/**
 * Does something as soon as a snapshot stops a process: what reaches it from then on isn't in the snapshot.
 *
 * <p>Looks at the process's state twice a millisecond, on a thread of its own, and changes nothing of it.
 */
final class FreezeWatch implements AutoCloseable {
    private static final long POLL_NANOS = 500_000;

    private final Thread thread;
    private volatile boolean isOver;
    private volatile boolean hasSeen;

    private FreezeWatch(TargetProcess target, Runnable action) {
        this.thread = new Thread(() -> watch(target, action), "freeze of " + target.pid());
        thread.setDaemon(true);
    }

    /** Watches until it has seen the process stopped, or is closed. */
    static FreezeWatch start(TargetProcess target, Runnable action) {
        FreezeWatch watch = new FreezeWatch(target, action);
        watch.thread.start();
        return watch;
    }

    private void watch(TargetProcess target, Runnable action) {
        Path stat = Path.of("/proc", Long.toString(target.pid()), "stat");
        while (!isOver) {
            if (isStopped(stat)) {
                hasSeen = true;
                action.run();
                return;
            }
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

    /** Ends the watch, and waits until the action is over if it began. */
    boolean end() throws InterruptedException {
        isOver = true;
        thread.join();
        return hasSeen;
    }

    @Override
    public void close() {
        isOver = true;
    }
}
