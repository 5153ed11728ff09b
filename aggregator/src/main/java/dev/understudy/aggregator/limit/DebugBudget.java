package dev.understudy.aggregator.limit;

import dev.understudy.relay.lane.MemoryBudget;
import dev.understudy.relay.loop.DebugSockets;
import io.netty.channel.Channel;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the debug connections of all upstreams may take together, so that whatever a debug JVM does leaves production's
 * relaying its memory and its descriptors. Safe for all threads.
 */
public final class DebugBudget {
    private final MemoryBudget memory;
    private final long connectionMemory;
    private final int maxConnections;
    private final Duration loginTimeout;
    private final Duration idleTimeout;
    private final DebugSockets sockets;
    private final AtomicInteger open = new AtomicInteger();

    /**
     * A budget of which nothing is taken.
     *
     * @param memory bytes that all connections may make this process hold
     * @param connectionMemory bytes of one of them
     * @param maxConnections how many may be open
     * @param loginTimeout how long a client may take to log in, in protocols that have a login
     * @param idleTimeout how long a connection may be silent in both directions; zero for any time
     * @param sockets that the debug side may have
     */
    public DebugBudget(
            long memory,
            long connectionMemory,
            int maxConnections,
            Duration loginTimeout,
            Duration idleTimeout,
            DebugSockets sockets) {
        this.memory = new MemoryBudget(memory, null);
        this.connectionMemory = connectionMemory;
        this.maxConnections = maxConnections;
        this.loginTimeout = loginTimeout;
        this.idleTimeout = idleTimeout;
        this.sockets = sockets;
    }

    /** Bytes that all connections hold now. */
    public long usedMemory() {
        return memory.used();
    }

    /** Bytes that all connections may hold. */
    public long memory() {
        return memory.capacity();
    }

    /** Takes a place for one more connection until it is closed, or returns what stands against that. */
    public @Nullable DebugLimit open(Channel connection) {
        if (open.incrementAndGet() > maxConnections) {
            open.decrementAndGet();
            return DebugLimit.CONNECTIONS;
        }
        if (!sockets.tryAcquire()) {
            open.decrementAndGet();
            return DebugLimit.DESCRIPTORS;
        }
        sockets.opened(connection);
        connection.closeFuture().addListener(over -> open.decrementAndGet());
        return null;
    }

    /**
     * The memory of one more connection, from which its parts take theirs.
     *
     * @param least bytes that are charged in any case
     * @param reached is told each time that something doesn't fit
     */
    public HeldMemory connection(Channel channel, long least, Consumer<DebugLimit> reached) {
        HeldMemory its = new HeldMemory(new MemoryBudget(connectionMemory, memory), least, reached);
        its.become(channel);
        return its;
    }

    /** Closes a connection past its pipeline, in which a fault may hold a close back. On its event loop. */
    public static void closeNow(Channel channel) {
        channel.unsafe().close(channel.unsafe().voidPromise());
    }

    /** How long a client may take to log in. */
    public Duration loginTimeout() {
        return loginTimeout;
    }

    /** How long a connection may be silent; zero for any time. */
    public Duration idleTimeout() {
        return idleTimeout;
    }
}
