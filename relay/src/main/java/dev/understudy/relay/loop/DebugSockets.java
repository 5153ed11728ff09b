package dev.understudy.relay.loop;

import com.sun.management.UnixOperatingSystemMXBean;
import io.netty.channel.Channel;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The sockets towards the debug side: as many as may be, and fewer when production's side is short of file descriptors.
 * Thread-safe; relay threads don't ask here.
 *
 * <p>After a shortage none is opened until half as many descriptors are free as the debug side may have at most.
 */
public final class DebugSockets {
    /** Fired through the pipeline of a debug socket that is to be closed, since clients need its descriptor. */
    public enum GiveBack {
        INSTANCE
    }

    /** Given back at once; if that isn't enough, the caller comes again. */
    private static final int AT_ONCE = 16;

    private static final long WITHHELD_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final OperatingSystemMXBean SYSTEM = ManagementFactory.getOperatingSystemMXBean();

    private final Semaphore permits;
    private final int reserve;

    // Made in time: a class that is loaded from a folder needs a descriptor itself.
    private final GiveBack giveBack = GiveBack.INSTANCE;
    private final Set<Channel> open = ConcurrentHashMap.newKeySet();
    private volatile boolean withheld;
    private volatile long withheldUntil;

    DebugSockets(int most) {
        this.permits = new Semaphore(most);
        this.reserve = most / 2;
    }

    /** Whether another socket may be opened now; a yes is followed by {@link #opened} or {@link #release}. */
    public boolean tryAcquire() {
        if (withheld && withheldUntil - System.nanoTime() > 0) {
            return false;
        }
        withheld = false;
        return permits.tryAcquire();
    }

    /** The socket wasn't opened. */
    public void release() {
        permits.release();
    }

    /** The socket is {@code channel}; it counts until it is closed. */
    public void opened(Channel channel) {
        open.add(channel);
        channel.closeFuture().addListener(closed -> {
            open.remove(channel);
            permits.release();
        });
    }

    /**
     * Looks whether clients are short of descriptors; called several times a second, never on a relay thread.
     *
     * @param failing whether one couldn't be given any since the last time
     */
    public void look(boolean failing) {
        if (failing) {
            giveBack();
        } else if (withheld && free() < reserve) {
            withheldUntil = System.nanoTime() + WITHHELD_NANOS;
        }
    }

    /** Lists a folder of /proc, for which a descriptor is needed, too. */
    private static long free() {
        if (!(SYSTEM instanceof UnixOperatingSystemMXBean unix)) {
            return Long.MAX_VALUE;
        }
        try {
            return unix.getMaxFileDescriptorCount() - unix.getOpenFileDescriptorCount();
        } catch (InternalError noneLeft) {
            return 0;
        }
    }

    /** Has some sockets closed, each on its own loop, and lets none be opened for a while. */
    private void giveBack() {
        withheldUntil = System.nanoTime() + WITHHELD_NANOS;
        withheld = true;
        open.stream()
                .limit(AT_ONCE)
                .filter(channel -> !channel.eventLoop().isShuttingDown())
                .forEach(channel ->
                        channel.eventLoop().execute(() -> channel.pipeline().fireUserEventTriggered(giveBack)));
    }
}
