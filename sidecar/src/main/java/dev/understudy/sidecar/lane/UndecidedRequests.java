package dev.understudy.sidecar.lane;

import dev.understudy.relay.lane.MemoryBudget;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/**
 * The bytes of requests of which it isn't decided whether the debug JVM gets them, charged to the lane's budget.
 * Confined to its lane loop.
 */
final class UndecidedRequests {
    /** Some bytes of one request, owned by whoever has this. */
    record Held(Exchange exchange, ByteBuf bytes, long nanos) {}

    private final MemoryBudget budget;
    private final int most;
    private final Deque<Held> held = new ArrayDeque<>();
    private long charged;
    private int length;

    /** @param most bytes that may be held, besides what the budget allows */
    UndecidedRequests(MemoryBudget budget, int most) {
        this.budget = budget;
        this.most = most;
    }

    /** Takes ownership of the bytes; false if this is as much as can be held. */
    boolean add(Held more) {
        held.add(more);
        length += more.bytes().readableBytes();
        long charge = more.bytes().capacity();
        if (!budget.tryReserve(charge)) {
            return false;
        }
        charged += charge;
        return length <= most;
    }

    boolean isEmpty() {
        return held.isEmpty();
    }

    /** Gives everything up, in order, with its ownership. */
    void drain(Consumer<Held> to) {
        budget.release(charged);
        charged = 0;
        length = 0;
        for (Held one = held.poll(); one != null; one = held.poll()) {
            to.accept(one);
        }
    }
}
