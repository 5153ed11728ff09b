package dev.understudy.relay.loop;

import io.netty.channel.EventLoop;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jctools.queues.atomic.MpscUnboundedAtomicArrayQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Work for a lane loop from other threads, which doesn't wake it each time.
 *
 * <p>To wake a sleeping loop costs its caller a system call, an eighth of what a relay loop spends on a small request.
 * So while work comes, the loop looks for it by itself, once a millisecond; only after {@value #MOST_IDLE} looks in
 * vain does it sleep until it is woken. Work is done in the order in which it came. {@link #execute} is for any thread
 * and never waits.
 */
public final class Inbox implements Executor {
    private static final long PACE_NANOS = 1_000_000;
    private static final int MOST_IDLE = 4;
    private static final Logger LOG = LoggerFactory.getLogger(Inbox.class);

    private final EventLoop loop;
    private final Queue<Runnable> work = new MpscUnboundedAtomicArrayQueue<>(256);
    private final AtomicBoolean looking = new AtomicBoolean();
    private final Runnable look = this::look;
    private int idle;

    /** That of a loop, which is to have no other. */
    public Inbox(EventLoop loop) {
        this.loop = loop;
    }

    /** Has {@code task} run on the loop: at once if this is the loop, else within a millisecond or so. */
    @Override
    public void execute(Runnable task) {
        if (loop.inEventLoop()) {
            loop.execute(task);
            return;
        }
        work.add(task);
        if (!looking.get()) {
            wake();
        }
    }

    /** As {@link #execute}, but wakes the loop, and runs after everything that this had been given before. */
    public void executeSoon(Runnable task) {
        loop.execute(() -> {
            drain();
            task.run();
        });
    }

    /** The loop that does the work. */
    public EventLoop loop() {
        return loop;
    }

    private void wake() {
        if (looking.compareAndSet(false, true)) {
            try {
                loop.execute(look);
            } catch (Throwable e) {
                looking.set(false);
                throw e;
            }
        }
    }

    private void look() {
        idle = drain() ? 0 : idle + 1;
        if (idle < MOST_IDLE) {
            lookLater();
            return;
        }
        idle = 0;
        looking.set(false);
        if (!work.isEmpty()) {
            wake();
        }
    }

    /** If that fails, as without memory, the next caller wakes the loop. */
    private void lookLater() {
        try {
            loop.schedule(look, PACE_NANOS, TimeUnit.NANOSECONDS);
        } catch (Throwable e) {
            looking.set(false);
            throw e;
        }
    }

    /** Runs what is here now; false if there was nothing. For the loop. */
    boolean drain() {
        boolean any = false;
        for (Runnable task = work.poll(); task != null; task = work.poll()) {
            any = true;
            run(task);
        }
        return any;
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (Throwable defect) {
            LOG.error("a task of a lane loop failed", defect);
        }
    }
}
