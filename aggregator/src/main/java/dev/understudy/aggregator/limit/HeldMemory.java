package dev.understudy.aggregator.limit;

import dev.understudy.relay.lane.LossReason;
import dev.understudy.relay.lane.MemoryBudget;
import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The memory that one part of a debug connection holds: its protocol's handlers, its output, one of its streams. It is
 * charged to the connection's budget, and so to that of all.
 *
 * <p>A little is reserved from the start, so that a connection that needs no more goes on while others have taken the
 * rest. Confined to the connection's event loop.
 */
public final class HeldMemory {
    private static final AttributeKey<HeldMemory> CONNECTION = AttributeKey.valueOf(HeldMemory.class, "connection");

    private final MemoryBudget budget;
    private final long least;
    private final Consumer<DebugLimit> reached;
    private long charged;
    private boolean closed;

    /**
     * Charges nothing yet.
     *
     * @param least bytes that are charged from the first {@link #hold} on, whatever is held
     * @param reached is told each time that something doesn't fit
     */
    public HeldMemory(MemoryBudget budget, long least, Consumer<DebugLimit> reached) {
        this.budget = budget;
        this.least = least;
        this.reached = reached;
    }

    /** The memory of a replay that is over no connection: all there is. */
    public static HeldMemory unlimited() {
        return new HeldMemory(new MemoryBudget(Long.MAX_VALUE, null), 0, limit -> {});
    }

    /** That of a connection, for handlers that nobody gives it; null where there is no budget. */
    public static @Nullable HeldMemory ofConnection(Channel channel) {
        return channel.attr(CONNECTION).get();
    }

    /** Is the memory of this connection until that is closed. */
    void become(Channel channel) {
        channel.attr(CONNECTION).set(this);
        channel.closeFuture().addListener(over -> close());
    }

    /** Another part of the same connection; nothing is charged for it when {@code channel} is closed. */
    public HeldMemory of(Channel channel, long itsLeast) {
        HeldMemory part = new HeldMemory(budget, itsLeast, reached);
        channel.closeFuture().addListener(over -> part.close());
        return part;
    }

    /**
     * Charges all that is held now, instead of what was held before.
     *
     * @return false if it doesn't fit: then as much is charged as before, and its holder gives it up
     */
    public boolean hold(long bytes) {
        long wanted = closed ? 0 : Math.max(least, bytes);
        if (wanted == charged) {
            return true;
        }
        if (wanted < charged) {
            budget.release(charged - wanted);
        } else {
            LossReason lack = budget.reserve(wanted - charged);
            if (lack != LossReason.NONE) {
                reached.accept(lack == LossReason.OVERFLOW_LANE ? DebugLimit.CONNECTION_MEMORY : DebugLimit.MEMORY);
                return false;
            }
        }
        charged = wanted;
        return true;
    }

    /** Nothing is held from here on. */
    public void close() {
        closed = true;
        budget.release(charged);
        charged = 0;
    }
}
